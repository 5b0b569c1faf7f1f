package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/zkatbench/zkatbench/runner/stats"
	"github.com/zkatbench/zkatbench/scheme/threshold/codec"
	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
	"github.com/zkatbench/zkatbench/scheme/threshold/suite"
)

// tableFlags are the flags of the table.
type tableFlags struct {
	cases, malicious, codec, latency, peers string
	bandwidth                               float64
	samples                                 int
	seed                                    uint64
}

var peersByName = map[string]engine.Peers{"zero": engine.Zero, "same": engine.Same, "recorded": engine.AsMeasured}

func tableCommand(s streams) *commandLine {
	fs, f := flag.NewFlagSet("", flag.ContinueOnError), new(tableFlags)
	fs.StringVar(&f.cases, "case", "", "phases, comma-separated; empty is all of them")
	fs.StringVar(&f.malicious, "max_malicious", "6", "maximum numbers of malicious parties, comma-separated")
	fs.StringVar(&f.codec, "codec", "compact", "encoding of messages: "+strings.Join(codec.Names, ", "))
	fs.StringVar(&f.latency, "latency", "0s", "latencies of the network, comma-separated")
	fs.Float64Var(&f.bandwidth, "bandwidth", 0, "bits a second of each link; 0 is unlimited")
	fs.StringVar(&f.peers, "peers", "zero", "time of simulated peers in a round: zero, same as the real party, recorded")
	fs.IntVar(&f.samples, "samples", 15, "replays of each phase, each of a recording with another seed")
	fs.Uint64Var(&f.seed, "seed", 1, "seed of the first recording")
	return &commandLine{
		name: "threshold table", takes: "[flags]", summary: "time all phases naively and by replay, with bytes and latency", flags: fs, mixed: true,
		exec: func(ctx context.Context, args []string) error {
			if len(args) > 0 {
				return usageError("threshold table takes flags only, not %q", args[0])
			}
			return f.write(ctx, s.out)
		},
	}
}

// phase is what was measured of a case.
type phase struct {
	parties       int
	replay, naive time.Duration // medians
	latency       []time.Duration
	received      int
	least, most   int
	mean          float64
	rounds        int
	sent          int
}

func (f *tableFlags) write(ctx context.Context, out io.Writer) error {
	names := suite.CaseNames()
	if f.cases != "" {
		names = strings.Split(f.cases, ",")
	}
	for _, name := range names {
		if !slices.Contains(suite.CaseNames(), name) {
			return usageError("-case: %q is not one of %s", name, strings.Join(suite.CaseNames(), ", "))
		}
	}
	var latencies []time.Duration
	for item := range strings.SplitSeq(f.latency, ",") {
		d, err := time.ParseDuration(item)
		if item == "0" {
			d, err = 0, nil
		}
		if err != nil || d < 0 {
			return usageError("-latency: %q is not a duration such as 0 or 100ms", item)
		}
		latencies = append(latencies, d)
	}
	peers, found := peersByName[f.peers]
	if !found {
		return usageError("-peers: %q is not one of zero, same, recorded", f.peers)
	}
	c, err := codec.ByName(f.codec)
	if err != nil {
		return usageError("-codec: %w", err)
	}
	if f.samples < 1 || f.bandwidth < 0 {
		return usageError("-samples and -bandwidth: %d and %g are not at least 1 and 0", f.samples, f.bandwidth)
	}
	fmt.Fprintln(out, "threshold: benchmark-grade; dealer keys, variable time")
	for item := range strings.SplitSeq(f.malicious, ",") {
		n, err := strconv.Atoi(item)
		if err != nil || n < 1 || n > 64 {
			return usageError("-max_malicious: %q is not a number from 1 to 64", item)
		}
		measured := map[string]*phase{}
		for _, name := range names {
			p, err := f.measure(ctx, suite.Scenario{Case: name, MaxMalicious: n, Codec: c}, latencies, peers)
			if err != nil {
				return inside("threshold table", err)
			}
			measured[name] = p
		}
		for i, latency := range latencies {
			fmt.Fprintf(out, "maximum number of malicious parties: %d, latency %v\n", n, latency)
			if err := writePhases(out, names, measured, i); err != nil {
				return err
			}
		}
		if err := f.writeChecks(out, names, measured); err != nil {
			return err
		}
	}
	return nil
}

// measure records and replays a case with each seed.
func (f *tableFlags) measure(ctx context.Context, s suite.Scenario, latencies []time.Duration, peers engine.Peers) (*phase, error) {
	p := &phase{parties: s.Parties()}
	var replays, naives []time.Duration
	finished := make([][]time.Duration, len(latencies))
	for i := range f.samples {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s.Seed = f.seed + uint64(i)
		m, err := suite.Measure(s, 1)
		if err != nil {
			return nil, err
		}
		replays, naives = append(replays, m.Replay()), append(naives, m.Naive)
		for k, latency := range latencies {
			n := engine.Network{Latency: latency, Bandwidth: f.bandwidth}
			finished[k] = append(finished[k], n.Finish(m.Messages, s.IDs(), 1, m.Took, peers, m.Recorded))
		}
		p.received, p.rounds, p.sent = m.Traffic[0], engine.Rounds(m.Messages), engine.Sent(m.Messages, p.parties)
		p.least, p.most = slices.Min(m.Traffic), slices.Max(m.Traffic)
		p.mean = 0
		for _, b := range m.Traffic {
			p.mean += float64(b) / float64(len(m.Traffic))
		}
	}
	p.replay, p.naive = stats.Median(replays), stats.Median(naives)
	for _, times := range finished {
		p.latency = append(p.latency, stats.Median(times))
	}
	return p, nil
}

func writePhases(out io.Writer, names []string, measured map[string]*phase, latency int) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "phase\tparties\tnaive\treplay\tto the end\trounds\tmessages\treceived B\tleast\tmean\tmost")
	for _, name := range names {
		p := measured[name]
		fmt.Fprintf(w, "%s\t%d\t%v\t%v\t%v\t%d\t%d\t%s\t%s\t%s\t%s\n", name, p.parties, p.naive, p.replay, p.latency[latency], p.rounds, p.sent,
			spaced(float64(p.received)), spaced(float64(p.least)), spaced(p.mean), spaced(float64(p.most)))
	}
	return w.Flush()
}

// writeChecks writes naive ÷ (N × replay), and how many
// replays count; one that does not ends the command before.
func (f *tableFlags) writeChecks(out io.Writer, names []string, measured map[string]*phase) error {
	fmt.Fprint(out, "naive / (N × replay):")
	for _, name := range names {
		p := measured[name]
		fmt.Fprintf(out, " %s %.2f", name, float64(p.naive)/(float64(p.parties)*float64(p.replay)))
	}
	_, err := fmt.Fprintf(out, "\nreplays: %d, all complete, byte-equal and verified\n\n", f.samples*len(names))
	return err
}

// spaced writes a number with a blank between each three digits.
func spaced(v float64) string {
	s := strconv.FormatFloat(math.Round(v), 'f', 0, 64)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}
