package study

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/scheme/threshold/network"
	"github.com/zkatbench/zkatbench/scheme/threshold/suite"
)

// Header is the first line of every output.
const Header = "threshold: benchmark-grade; dealer keys, variable time"

// The cells of phases without a figure.
const (
	notThere    = "n/a" // the scheme lacks the phase
	notMeasured = "–"
)

// WriteSchemes writes the table of schemes: times until the real party has its
// output on the network without jitter, and received bytes.
func (ps Phases) WriteSchemes(w io.Writer, maxMalicious int, n Net) error {
	fmt.Fprintf(w, "maximum number of malicious parties: %d, latency %s%s\n", maxMalicious, plain(n.Latency), n.details())
	n.Jitter = network.Jitter{}
	rows := [][]string{{"scheme", "parties", "two triples", "presign", "sign", "received B: triples", "presign", "sign"}}
	for _, s := range suite.Sequences() {
		if s.Extra && ps[s.Presign] == nil {
			continue
		}
		cells := []string{s.Name, notMeasured}
		var times, bytes []string
		measured := false
		for _, name := range []string{s.Triples, s.Presign, s.Sign} {
			p := ps[name]
			if p == nil {
				cell := notThere
				if name != "" {
					cell = notMeasured
				}
				times, bytes = append(times, cell), append(bytes, cell)
				continue
			}
			measured = true
			cells[1] = fmt.Sprint(p.Parties())
			times, bytes = append(times, short(p.Finish(n))), append(bytes, p.received())
		}
		if measured {
			rows = append(rows, append(append(cells, times...), bytes...))
		}
	}
	return columns(w, rows)
}

// details are the properties of the network other than the latency.
func (n Net) details() string {
	if n.Bandwidth > 0 {
		return fmt.Sprintf(", %s bit/s", spaced(n.Bandwidth))
	}
	return ""
}

// received is the mean of triples with the least and the most, and the bytes of the
// coordinator for other phases.
func (p *Phase) received() string {
	f := p.sizes()
	if !p.OfAll() {
		return spaced(f.Mean)
	}
	least, _, most := p.spread()
	return fmt.Sprintf("%s (%s … %s)", spaced(f.Mean), spaced(float64(least)), spaced(float64(most)))
}

// WriteClock writes, for each phase, rounds × latency + raw beside the virtual
// clock without jitter, exact to the nanosecond.
func (ps Phases) WriteClock(w io.Writer, names []string, n Net) error {
	n.Jitter = network.Jitter{}
	rows := [][]string{{"rounds × L + raw", "rounds", "raw", "sum", "virtual clock", "difference"}}
	for _, name := range names {
		p := ps[name]
		sum, clock := p.InRounds(n), p.Finish(n)
		difference := "equal"
		if clock != sum {
			difference = (clock - sum).String()
		}
		raw := p.InRounds(Net{})
		rows = append(rows, []string{name, fmt.Sprintf("%d × %v", p.Rounds, n.Latency), raw.String(), sum.String(), clock.String(), difference})
	}
	return columns(w, rows)
}

// WriteRatios writes naive ÷ (N × replay) of each phase with its interval, and how
// many replays count: one that does not ends the measurement before.
func (ps Phases) WriteRatios(w io.Writer, names []string) error {
	var ratios []string
	replays, every := 0, 0
	for _, name := range names {
		p := ps[name]
		replays, every = replays+p.Replays, every+p.Every
		if len(p.Samples) > 0 && p.Samples[0].Naive > 0 {
			f := p.Ratio()
			ratios = append(ratios, fmt.Sprintf("%s %.3f %s", name, f.Mid, f.bounds(3)))
		}
	}
	if len(ratios) > 0 {
		fmt.Fprintf(w, "naive / (N × replay): %s\n", strings.Join(ratios, ", "))
	}
	if every > 0 {
		fmt.Fprintf(w, "every party as the real one: %d, all complete, byte-equal and verified\n", every)
	}
	_, err := fmt.Fprintf(w, "replays: %d, all complete, byte-equal and verified\n", replays)
	return err
}

// WritePhases writes naive and replayed times with intervals, rounds, messages and
// bytes of each phase.
func (ps Phases) WritePhases(w io.Writer, names []string) error {
	rows := [][]string{{"phase", "naive", "replay", "95 % interval", "rounds", "messages", "received B", "least", "mean", "most"}}
	for _, name := range names {
		p := ps[name]
		naive, interval := notMeasured, notMeasured
		if f := p.naive(); f.Mid > 0 {
			naive = seconds(f.Mid)
		}
		f := p.replay()
		if f.Bounded {
			interval = seconds(f.Interval.Low) + " … " + seconds(f.Interval.High)
		}
		least, mean, most := p.spread()
		own := p.Bytes[len(p.Bytes)-1][p.Real[0]-1]
		rows = append(rows, []string{
			name, naive, seconds(f.Mid), interval, fmt.Sprint(p.Rounds), spaced(float64(p.Messages)),
			spaced(float64(own)), spaced(float64(least)), spaced(mean), spaced(float64(most)),
		})
	}
	return columns(w, rows)
}

// kinds are the columns of group operations.
var kinds = []struct {
	name string
	of   func(count.Counts) uint64
}{
	{"base-mul", func(c count.Counts) uint64 { return c.Calls(count.FixedMSM) }},
	{"mul", func(c count.Counts) uint64 { return c.Calls(count.ScalarMul) }},
	{"msm", func(c count.Counts) uint64 { return c.Calls(count.MSM) }},
	{"msm-terms", func(c count.Counts) uint64 { return c.Terms(count.MSM) }},
	{"point-add", func(c count.Counts) uint64 { return c.Calls(count.Add) }},
	{"decode", func(c count.Counts) uint64 { return c.Calls(count.Decode) }},
}

// WriteRounds writes the share of each round in the time of the real party, the
// bytes that it and all parties receive, and its group operations.
func (ps Phases) WriteRounds(w io.Writer, names []string) error {
	head := []string{"round", "time", "share", "received B", "least", "mean", "most"}
	for _, k := range kinds {
		head = append(head, k.name)
	}
	rows := [][]string{head}
	for _, name := range names {
		p := ps[name]
		for i, r := range p.byRounds() {
			row := []string{
				fmt.Sprintf("%s %d", name, i+1), short(r.Took), fmt.Sprintf("%.1f %%", 100*r.Share),
				spaced(float64(r.Received)), spaced(float64(r.Least)), spaced(r.Mean), spaced(float64(r.Most)),
			}
			for _, k := range kinds {
				cell := notMeasured
				if i < len(p.Ops) {
					cell = spaced(float64(k.of(p.Ops[i])))
				}
				row = append(row, cell)
			}
			rows = append(rows, row)
		}
	}
	return columns(w, rows)
}

// WriteSizes compares received bytes with the specification. ok is false if one
// deviates by four standard deviations or more.
func (ps Phases) WriteSizes(w io.Writer, names []string) (ok bool, err error) {
	ok = true
	exact := true
	rows := [][]string{{"received B", "mean", "expected", "of one", "deviation"}}
	for _, name := range names {
		f := ps[name].sizes()
		ok = ok && f.AsSpecified()
		exact = exact && f.StdDev == 0 && !math.IsNaN(f.Deviation)
		deviation := fmt.Sprintf("%+.2f sigmas", f.Deviation)
		switch {
		case math.IsNaN(f.Deviation):
			deviation = "not specified"
		case math.IsInf(f.Deviation, 0):
			deviation = "differs"
		case f.StdDev == 0:
			deviation = "equal"
		}
		row := []string{name, number(f.Mean), "", "", deviation}
		if !math.IsNaN(f.Deviation) {
			row[2], row[3] = number(f.Size.Mean), fmt.Sprintf("± %.1f", f.StdDev)
		}
		rows = append(rows, row)
	}
	if exact && ok {
		_, err := fmt.Fprintln(w, "received B: all equal to the specification")
		return ok, err
	}
	rows[0][0] = fmt.Sprintf("received B, %d seeds", len(ps[names[0]].Bytes))
	return ok, columns(w, rows)
}

// number writes one decimal.
func number(v float64) string {
	whole, part := math.Modf(math.Round(v*10) / 10)
	return fmt.Sprintf("%s.%d", spaced(whole), int(math.Round(math.Abs(part)*10)))
}

// WriteJitter writes quantiles of the time to a signature of each scheme on a
// network with random delays. draws is the number of runs.
func (ps Phases) WriteJitter(w io.Writer, n Net, draws int) error {
	rows := [][]string{{fmt.Sprintf("jitter %s, seed %d, %d draws", n.Jitter, n.Jitter.Seed, draws), "5 %", "median", "95 %", "99 %"}}
	for _, s := range suite.Sequences() {
		times, ok := ps.draws(s.Cases(), n, draws)
		if !ok {
			continue
		}
		row := []string{s.Name}
		for _, q := range []float64{0.05, 0.5, 0.95, 0.99} {
			row = append(row, short(quantile(times, q)))
		}
		rows = append(rows, row)
	}
	if len(rows) == 1 {
		return nil
	}
	return columns(w, rows)
}

// quantile returns the q-quantile of sorted times.
func quantile(sorted []time.Duration, q float64) time.Duration {
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}
