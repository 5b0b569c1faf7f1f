package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/scheme/threshold/codec"
	"github.com/zkatbench/zkatbench/scheme/threshold/network"
	"github.com/zkatbench/zkatbench/scheme/threshold/study"
	"github.com/zkatbench/zkatbench/scheme/threshold/suite"
)

// The flags that the measuring subcommands of threshold share, beside the axes of
// the subject.
var (
	thrSamples = &bench.Axis[int]{
		Name: "samples", Flag: "samples", Default: "15", Values: bench.Numbers(1, 10_000), Show: bench.Never, One: true,
		Usage: "recordings of each phase with timed runs, each with another seed",
	}
	thrSeed = &bench.Axis[uint64]{
		Name: "seed", Flag: "seed", Default: "1", Show: bench.Never, One: true, Usage: "seed of the first recording, and of jitter",
		Values: bench.Values[uint64]{
			Allowed: "a number of at least 0",
			Parse: func(item string) ([]uint64, bool) {
				n, err := strconv.ParseUint(item, 10, 64)
				return []uint64{n}, err == nil
			},
			Text: func(n uint64) string { return strconv.FormatUint(n, 10) },
		},
	}
	thrClock = &bench.Axis[string]{
		Name: "clock", Flag: "clock", Default: "cpu", Values: bench.Names("cpu", "wall"), Show: bench.Never, One: true,
		Usage: "cpu is processor time of the party, in which other programs do not count; wall is wall time",
	}
	thrLatency = &bench.Axis[time.Duration]{
		Name: "latency", Flag: "latency", Default: "0,10ms,50ms,100ms", Values: latencies, Show: bench.Never,
		Usage: "latencies of the network, comma-separated",
	}
	thrBandwidth = &bench.Axis[float64]{
		Name: "bandwidth", Flag: "bandwidth", Default: "0", Values: bandwidths, Show: bench.Never, One: true,
		Usage: "bits a second of each link, such as 100M; 0 is unlimited",
	}
	thrPeers = &bench.Axis[string]{
		Name: "peers", Flag: "peers", Default: "zero", Values: bench.Names(network.PeersNames...), Show: bench.Never, One: true,
		Usage: "time of simulated peers in a round: zero, same as the real party, or as recorded",
	}
	thrJitter = &bench.Axis[network.Jitter]{
		Name: "jitter", Flag: "jitter", Default: "none", Show: bench.Never, One: true,
		Usage: "distribution of random delays of messages, such as exponential:10ms",
		Values: bench.Values[network.Jitter]{
			Allowed: network.JitterAllowed,
			Parse: func(item string) ([]network.Jitter, bool) {
				j, err := network.ParseJitter(item)
				return []network.Jitter{j}, err == nil
			},
			Text: network.Jitter.String,
		},
	}
	thrDraws = &bench.Axis[int]{
		Name: "draws", Flag: "draws", Default: "1000", Values: bench.Numbers(1, 1_000_000), Show: bench.Never, One: true,
		Usage: "runs with random delays, of which -jitter shows quantiles",
	}
)

// latencies are durations of at least 0.
var latencies = bench.Values[time.Duration]{
	Allowed: "a duration such as 0 or 100ms",
	Parse: func(item string) ([]time.Duration, bool) {
		d, err := time.ParseDuration(item)
		return []time.Duration{d}, err == nil && d >= 0
	},
	Text: time.Duration.String,
}

// bandwidths are numbers of bits a second, with k, M and G for powers of 1000.
var bandwidths = bench.Values[float64]{
	Allowed: "a number of bits a second such as 100M, or 0 for unlimited",
	Parse: func(item string) ([]float64, bool) {
		factor := 1.0
		for i, prefix := range []string{"k", "M", "G"} {
			if text, found := strings.CutSuffix(item, prefix); found {
				item, factor = text, []float64{1e3, 1e6, 1e9}[i]
				break
			}
		}
		v, err := strconv.ParseFloat(item, 64)
		return []float64{v * factor}, err == nil && (v == 0 || v*factor >= 1 && v*factor <= 1e15)
	},
	Text: func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) },
}

// axisCommand is a subcommand with axes as flags; exec gets their values.
func axisCommand(name, summary, help string, axes []bench.Param, exec func(ctx context.Context, sel *bench.Selection) error) *commandLine {
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	flags := (&bench.Set{Program: "zkatbench", Env: "ZKAT_", Axes: axes}).Register(fs)
	return &commandLine{
		name: name, takes: "[flags]", summary: summary, help: help, flags: fs, mixed: true,
		exec: func(ctx context.Context, args []string) error {
			if len(args) > 0 {
				return usageError("%s takes flags only, not %q", name, args[0])
			}
			sel, err := flags.Resolve(os.Getenv)
			if err != nil {
				return badFlag{err}
			}
			return exec(ctx, sel)
		},
	}
}

// writeHeader writes the first lines of a measurement.
func writeHeader(sel *bench.Selection, out io.Writer) {
	clock := "wall time"
	if thrClock.All(sel)[0] == "cpu" {
		clock = "processor time"
	}
	fmt.Fprintf(out, "%s; %s of the party\n", study.Header, clock)
}

// net returns the network of the flags with one of the latencies.
func net(sel *bench.Selection, latency time.Duration) study.Net {
	n := study.Net{Network: network.Network{Latency: latency, Bandwidth: thrBandwidth.All(sel)[0]}}
	for i, name := range network.PeersNames {
		if name == thrPeers.All(sel)[0] {
			n.Peers = network.Peers(i)
		}
	}
	if n.Jitter = thrJitter.All(sel)[0]; n.Jitter.Shape != "" {
		n.Jitter.Seed = thrSeed.All(sel)[0]
	}
	return n
}

// measurePhases measures cases for one number of malicious parties. Progress is
// shown if s.err is a terminal.
func measurePhases(ctx context.Context, sel *bench.Selection, names []string, malicious int, o study.Options, s streams) (study.Phases, error) {
	encoding, err := codec.ByName(suite.Codec.All(sel)[0])
	if err != nil {
		return nil, err
	}
	o.CPU = thrClock.All(sel)[0] == "cpu"
	show, wipe := percent(s.err, fmt.Sprintf("measuring f = %d", malicious))
	defer wipe()
	phases := study.Phases{}
	for i, name := range names {
		if show != nil {
			o.Progress = func(done, of int) { show(i*of+done, len(names)*of) }
		}
		scenario := suite.Scenario{
			Case: name, MaxMalicious: malicious, Codec: encoding, Seed: thrSeed.All(sel)[0],
			Coordinator: uint32(suite.Coordinator.All(sel)[0]),
		}
		if phases[name], err = study.Measure(ctx, scenario, o); err != nil {
			return nil, err
		}
	}
	return phases, nil
}
