package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/scheme/threshold/codec"
	"github.com/zkatbench/zkatbench/scheme/threshold/network"
	"github.com/zkatbench/zkatbench/scheme/threshold/study"
	"github.com/zkatbench/zkatbench/scheme/threshold/suite"
)

// studyFlags are the flags that the measuring subcommands of threshold share.
type studyFlags struct {
	cases       *[]string
	malicious   *[]int
	samples     *int
	seed        *uint64
	cpu         *string
	encoding    *codec.Codec
	coordinator *int
	free        *bool // of the lock
}

// newStudyFlags declares them with the defaults of a subcommand.
func newStudyFlags(set *flags.Set, malicious, samples string) studyFlags {
	return studyFlags{
		cases:     flags.Many(set, suite.Case.Flag, suite.Case.Default, suite.Case.Usage, suite.Case.Values),
		malicious: flags.Many(set, suite.MaxMalicious.Flag, malicious, suite.MaxMalicious.Usage, suite.MaxMalicious.Values),
		samples:   flags.One(set, "samples", samples, "recordings of each phase with timed runs, each with another seed", flags.Numbers(1, 10_000)),
		seed:      flags.One(set, "seed", "1", "seed of the first recording, and of jitter", flags.Seeds()),
		cpu: flags.One(set, "clock", "cpu", "cpu is processor time of the party, in which other programs do not count; wall is wall time",
			flags.Names("cpu", "wall")),
		encoding:    codecFlag(set),
		coordinator: flags.One(set, suite.Coordinator.Flag, suite.Coordinator.Default, "the party that collects signature shares", suite.Coordinator.Values),
		free:        noLockFlag(set),
	}
}

// netFlags describe a network, without its latency.
type netFlags struct {
	seed      *uint64
	bandwidth *float64
	peers     *string
	jitter    *network.Jitter
	draws     *int
}

func newNetFlags(set *flags.Set, seed *uint64) netFlags {
	return netFlags{
		seed:      seed,
		bandwidth: flags.One(set, "bandwidth", "0", "bits a second of each link, such as 100M; 0 is unlimited", bandwidths),
		peers: flags.One(set, "peers", "zero", "time of simulated peers in a round: zero, same as the real party, or as recorded",
			flags.Names(network.PeersNames...)),
		jitter: flags.One(set, "jitter", "none", "distribution of random delays of messages, such as exponential:10ms",
			flags.Func(network.JitterAllowed, network.ParseJitter, network.Jitter.String)),
		draws: flags.One(set, "draws", "1000", "runs with random delays, of which -jitter shows quantiles", flags.Numbers(1, 1_000_000)),
	}
}

// latencies are durations of at least 0.
var latencies = flags.Values[time.Duration]{
	Allowed: "a duration such as 0 or 100ms",
	Parse: func(item string) ([]time.Duration, bool) {
		d, err := time.ParseDuration(item)
		return []time.Duration{d}, err == nil && d >= 0
	},
	Text: time.Duration.String,
}

// bandwidths are numbers of bits a second, with k, M and G for powers of 1000.
var bandwidths = flags.Values[float64]{
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

// header writes the first lines of a measurement.
func (f studyFlags) header(out io.Writer) {
	clock := "wall time"
	if *f.cpu == "cpu" {
		clock = "processor time"
	}
	fmt.Fprintf(out, "%s; %s of the party\n", study.Header, clock)
}

// of returns the network of the flags with one of the latencies.
func (f netFlags) of(latency time.Duration) study.Net {
	n := study.Net{Network: network.Network{Latency: latency, Bandwidth: *f.bandwidth}}
	n.Peers = network.Peers(slices.Index(network.PeersNames, *f.peers))
	if n.Jitter = *f.jitter; n.Jitter.Shape != "" {
		n.Jitter.Seed = *f.seed
	}
	return n
}

// measure measures the cases for one number of malicious parties. Progress is
// shown if s.err is a terminal.
func (f studyFlags) measure(ctx context.Context, malicious int, o study.Options, s streams) (phases study.Phases, err error) {
	o.CPU = *f.cpu == "cpu"
	show, wipe := percent(s.err, fmt.Sprintf("measuring f = %d", malicious))
	defer wipe()
	phases = study.Phases{}
	for i, name := range *f.cases {
		if show != nil {
			o.Progress = func(done, of int) { show(i*of+done, len(*f.cases)*of) }
		}
		scenario := suite.Scenario{Case: name, MaxMalicious: malicious, Codec: *f.encoding, Seed: *f.seed, Coordinator: uint32(*f.coordinator)}
		if phases[name], err = study.Measure(ctx, scenario, o); err != nil {
			return nil, err
		}
	}
	return phases, nil
}
