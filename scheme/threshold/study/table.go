package study

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/stats"
	"github.com/zkatbench/zkatbench/scheme/threshold/suite"
)

// Header is the first line of every output.
const Header = "threshold: benchmark-grade; dealer keys, variable time"

// The cells of phases without a figure.
const (
	notThere    = "n/a" // the scheme lacks the phase
	notMeasured = "–"
)

// page collects tables for a writer.
type page struct {
	bytes.Buffer
	width int
}

func newPage(w io.Writer) *page { return &page{width: text.Width(w)} }

// table writes rows. The first row has the names of the columns.
func (p *page) table(rows [][]string) {
	t := text.Table{Align: "l" + strings.Repeat("r", len(rows[0])), Head: rows[0], Rows: rows[1:]}
	_ = t.Write(p, p.width) // writing to a buffer cannot fail
}

// row formats cells: numbers in groups of digits, times with their units.
func row(cells ...any) []string {
	all := make([]string, len(cells))
	for i, cell := range cells {
		switch v := cell.(type) {
		case int:
			all[i] = text.Count(v)
		case uint64:
			all[i] = text.Count(v)
		case float64:
			all[i] = text.Count(int(math.Round(v)))
		case time.Duration:
			all[i] = text.Duration(float64(v))
		default:
			all[i] = fmt.Sprint(v)
		}
	}
	return all
}

// Tables choose the tables of Write.
type Tables struct {
	Networks []Network
	Draws    int  // runs with random delays
	Rounds   bool // the figures of each phase and each round
}

// Write writes the tables of one number of malicious parties. asSpecified is false if
// received bytes deviate from the specification by four standard deviations or more.
func (ps Phases) Write(w io.Writer, t Tables) (asSpecified bool, err error) {
	p, all := newPage(w), ps.inOrder()
	if len(all) == 0 {
		return true, nil
	}
	for _, n := range t.Networks {
		fmt.Fprintf(p, "maximum number of malicious parties: %d, latency %v", all[0].MaxMalicious, n.Latency)
		if n.Bandwidth > 0 {
			fmt.Fprintf(p, ", %s", text.Metric(n.Bandwidth, "bit/s"))
		}
		p.WriteString("\n")
		still := n
		still.Jitter = Jitter{}
		ps.schemes(p, still)
		if n.Jitter.Shape != "" {
			ps.jitter(p, n, t.Draws)
		}
		p.WriteString("\n")
	}
	if t.Rounds {
		phaseTable(p, all)
		p.WriteString("\n")
		roundTable(p, all)
		p.WriteString("\n")
	}
	asSpecified = sizeTable(p, all)
	ratios(p, all)
	p.WriteString("\n")
	_, err = w.Write(p.Bytes())
	return asSpecified, err
}

// inOrder returns the phases in the order of protocols.
func (ps Phases) inOrder() (all []*Phase) {
	for _, name := range suite.CaseNames() {
		if p := ps[name]; p != nil {
			all = append(all, p)
		}
	}
	return all
}

// schemes writes times until the real party has its output, and received bytes. With a
// latency alone, the first row of a scheme has the formula of the published tables: the
// time of the party and the rounds times the latency. The second row has the time on the
// virtual clock.
func (ps Phases) schemes(w *page, n Network) {
	both := n.Latency > 0 && n.Bandwidth == 0
	rows := [][]string{{"scheme", "parties", "two triples", "presign", "sign", "received B: triples",
		"presign", "sign"}}
	for _, s := range suite.Sequences() {
		parties := notMeasured
		var times, clock, received []string
		for _, name := range []string{s.Triples, s.Presign, s.Sign} {
			took, bytes := notMeasured, notMeasured
			if p := ps[name]; p != nil {
				parties, took, bytes = fmt.Sprint(p.Parties()), row(p.finish(n))[0], p.received()
			} else if name == "" {
				took, bytes = notThere, notThere
			}
			clock, received = append(clock, took), append(received, bytes)
			if p := ps[name]; p != nil {
				took = row(p.added(n))[0]
			}
			times = append(times, took)
		}
		switch {
		case parties == notMeasured:
		case both:
			rows = append(rows, slices.Concat([]string{s.Name, parties}, times, received),
				slices.Concat([]string{"  on a virtual clock", ""}, clock, []string{"", "", ""}))
		default:
			rows = append(rows, slices.Concat([]string{s.Name, parties}, clock, received))
		}
	}
	w.table(rows)
}

// received is the mean of triples with the least and the most, and the bytes of the
// coordinator for other phases.
func (p *Phase) received() string {
	mean := row(p.meanSize())[0]
	if !p.OfAll() {
		return mean
	}
	least, _, most := p.spread(totalBytes)
	return fmt.Sprintf("%s (%s … %s)", mean, text.Count(least), text.Count(most))
}

// jitter writes quantiles of the time to a signature of each scheme on a network with
// random delays.
func (ps Phases) jitter(w *page, n Network, draws int) {
	rows := [][]string{{fmt.Sprintf("jitter %s, seed %d, %d draws", n.Jitter, n.Jitter.Seed, draws), "5 %",
		"median", "95 %", "99 %"}}
	for _, s := range suite.Sequences() {
		if times, ok := ps.draws(s.Cases(), n, draws); ok {
			rows = append(rows,
				row(s.Name, stats.Quantile(times, 0.05), stats.Quantile(times, 0.5),
					stats.Quantile(times, 0.95), stats.Quantile(times, 0.99)))
		}
	}
	w.table(rows)
}

// phaseTable writes naive and replayed times with intervals, rounds, messages and
// bytes of each phase.
func phaseTable(w *page, all []*Phase) {
	rows := [][]string{{"phase", "naive", "replay", "95 % interval", "rounds", "messages", "received B",
		"least", "mean", "most"}}
	for _, p := range all {
		naive, interval := notMeasured, notMeasured
		if f := p.figure(func(s Sample) float64 { return float64(s.Naive) }); f.Mid > 0 {
			naive = text.Duration(f.Mid)
		}
		f := p.replay()
		if f.Bounded {
			interval = text.Duration(f.Interval.Low) + " … " + text.Duration(f.Interval.High)
		}
		least, mean, most := p.spread(totalBytes)
		rows = append(rows,
			row(p.Case, naive, text.Duration(f.Mid), interval, p.Rounds, p.Messages,
				p.last()[p.Real[0]-1].Bytes, least, mean, most))
	}
	w.table(rows)
}

// roundTable writes the share of each round in the time of the real party, the bytes
// that it and all parties receive, and its group operations.
func roundTable(w *page, all []*Phase) {
	head := []string{"round", "time", "share", "received B", "least", "mean", "most"}
	for _, k := range kinds {
		head = append(head, k.name)
	}
	rows := [][]string{head}
	for _, p := range all {
		took, sum := make([]time.Duration, p.Rounds+1), time.Duration(0)
		for i := range took {
			took[i] = time.Duration(p.figure(func(s Sample) float64 {
				return float64(zeroPeers.Steps(p.Real[0], s.Took[p.Real[0]], nil)(p.Real[0], i+1))
			}).Mid)
			sum += took[i]
		}
		for i := range took {
			bytes := bytesOf(i - 1)
			least, mean, most := p.spread(bytes)
			cells := row(fmt.Sprintf("%s %d", p.Case, i+1), took[i],
				text.Percent(float64(took[i])/float64(max(1, sum))),
				bytes(p.last()[p.Real[0]-1]), least, mean, most)
			for _, k := range kinds {
				if i < len(p.Ops) {
					cells = append(cells, text.Count(k.of(p.Ops[i])))
				} else {
					cells = append(cells, notMeasured)
				}
			}
			rows = append(rows, cells)
		}
	}
	w.table(rows)
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
