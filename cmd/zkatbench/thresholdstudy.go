package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/bench/chart"
	page "github.com/zkatbench/zkatbench/bench/report"
	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/scheme/threshold/codec"
	"github.com/zkatbench/zkatbench/scheme/threshold/study"
	"github.com/zkatbench/zkatbench/scheme/threshold/suite"
)

const (
	tableHelp = `Times all phases by replay and all parties together, for the same maximum number of
malicious parties. Times are those until the real party has its output, on a virtual clock. Each table
ends with checks: naive divided by N times the replay, with its 95 % interval; the number of replays,
all of which count; and the received bytes beside the specification. The status is 1 if bytes deviate
from it.`
	pictureHelp = `Draws the time to a signature over the latency (0 to 200 ms) and over the bandwidth
(10 kbit/s to 10 Gbit/s) of a network, and marks where two schemes cross. Phases are measured by replay;
a virtual clock adds the network. With -jitter lines are medians of the draws, with bands from the 5 %
to the 95 % quantile.`
	growthHelp = `Measures replays for growing numbers f of malicious parties, counts group operations,
and fits c · f^p with the 95 % interval of p.`
)

// studyLine is a subcommand of threshold that measures phases. cases and samples are
// the defaults of its flags.
type studyLine struct {
	*commandLine
	streams
	cases                []string
	malicious            []int
	samples, coordinator int
	seed                 uint64
	clock                string
	encoding             codec.Codec
	nolock               bool
}

func newStudyLine(s streams, name, summary, help, malicious, samples string) *studyLine {
	l := newLine("threshold "+name, "[flags]", summary)
	l.help = help
	set := &l.flags
	study := &studyLine{commandLine: l, streams: s}
	flags.IntoList(set, &study.cases, suite.Case.Flag, suite.Case.Default, suite.Case.Usage,
		suite.Case.Values)
	flags.IntoList(set, &study.malicious, suite.MaxMalicious.Flag, malicious, suite.MaxMalicious.Usage,
		suite.MaxMalicious.Values)
	flags.Into(set, &study.samples, "count", samples,
		": recordings of each phase with timed runs, each with another seed", flags.Numbers(1, 10_000))
	flags.Into(set, &study.seed, "seed", "1", ": of the first recording, and jitter", flags.Seeds())
	flags.Into(set, &study.clock, "clock", "cpu", ": of the party",
		flags.Names("cpu", "wall"))
	codecFlag(set, &study.encoding)
	flags.Into(set, &study.coordinator, suite.Coordinator.Flag, suite.Coordinator.Default,
		suite.Coordinator.Usage, suite.Coordinator.Values)
	noLockFlag(set, &study.nolock)
	return study
}

// scenario is the scenario of all cases with a number of malicious parties.
func (l *studyLine) scenario(malicious int) suite.Scenario {
	return suite.Scenario{MaxMalicious: malicious, Codec: l.encoding, Seed: l.seed,
		Coordinator: uint32(l.coordinator)}
}

// run measures the phases for each number of malicious parties, and shows them.
func (l *studyLine) run(ctx context.Context, o study.Options,
	show func(malicious int, phases study.Phases) error) error {
	for _, malicious := range l.malicious {
		if err := study.Check(l.scenario(malicious), l.cases, o.Party); err != nil {
			return err
		}
	}
	unlock, err := lockMachine(ctx, l.nolock, l.err)
	if err != nil {
		return err
	}
	defer unlock()
	o.CPU, o.Samples = l.clock == "cpu", l.samples
	clock := "wall time"
	if o.CPU {
		clock = "processor time"
	}
	fmt.Fprintf(l.out, "%s; %s of the party\n", study.Header, clock)
	for _, malicious := range l.malicious {
		var wipe func()
		o.Progress, wipe = percent(l.err, fmt.Sprintf("measuring f = %d", malicious))
		phases, err := study.Measure(ctx, l.scenario(malicious), l.cases, o)
		wipe()
		if err == nil {
			err = show(malicious, phases)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// networkFlags declares the flags of a network. network returns the network with a
// latency.
func (l *studyLine) networkFlags() (network func(latency time.Duration) study.Network, peers *string,
	draws *int) {
	set := &l.flags
	bandwidth := flags.One(set, "bandwidth", "0", "",
		bandwidths)
	peers = flags.One(set, "peer-time", "zero", "",
		flags.Names(study.PeersNames...))
	jitter := flags.One(set, "jitter", "none", "",
		flags.Func(study.JitterAllowed, study.ParseJitter, study.Jitter.String))
	draws = flags.One(set, "draws", "1000", "",
		flags.Numbers(1, 1_000_000))
	return func(latency time.Duration) study.Network {
		n := study.Network{Latency: latency, Bandwidth: *bandwidth,
			Peers: study.Peers(slices.Index(study.PeersNames, *peers)), Jitter: *jitter}
		n.Jitter.Seed = l.seed
		return n
	}, peers, draws
}

// latencies are durations of at least 0.
var latencies = flags.Func("", time.ParseDuration, time.Duration.String).
	Where("a duration such as 0 or 100ms", func(d time.Duration) bool { return d >= 0 })

// bandwidths are numbers of bits a second.
var bandwidths = flags.Func(study.BandwidthAllowed, study.ParseBandwidth,
	func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) })

// tableLine returns the subcommand table: the flags of the networks, and the study that prints
// its tables. The command fails at the end if bytes deviate from the specification.
func tableLine(s streams) *commandLine {
	l := newStudyLine(s, "table", "time all phases naively and by replay, with bytes and latency", tableHelp,
		suite.MaxMalicious.Default, "15")
	set := &l.flags
	network, peers, draws := l.networkFlags()
	delays := flags.Many(set, "latency", "0,10ms,50ms,100ms", "",
		latencies)
	modes := flags.Many(set, suite.Mode.Flag, suite.Mode.Default, suite.Mode.Usage, suite.Mode.Values)
	party := flags.One(set, suite.Party.Flag, suite.Party.Default,
		suite.Party.Usage, suite.Party.Values)
	rounds := flags.One(set, "v", "false",
		": times with intervals, and time, bytes and group operations of each round", flags.Switch())
	set.Check(func() error {
		if *peers == "recorded" && !slices.Contains(*modes, "naive") {
			return errors.New("-peer-time: recorded needs -mode=naive,replay")
		}
		return nil
	})
	l.exec = func(ctx context.Context, _ []string) error {
		t := study.Tables{Draws: *draws, Rounds: *rounds}
		for _, latency := range *delays {
			t.Networks = append(t.Networks, network(latency))
		}
		deviates := false
		o := study.Options{Every: true, Count: *rounds,
			Naive: slices.Contains(*modes, "naive"), Party: *party}
		err := l.run(ctx, o, func(_ int, phases study.Phases) error {
			asSpecified, err := phases.Write(s.out, t)
			deviates = deviates || !asSpecified
			return err
		})
		if err == nil && deviates {
			return exitError{negative, errors.New("received bytes deviate from the specification")}
		}
		return err
	}
	return l.commandLine
}

// pictureLine returns the subcommand picture: it prints the charts while the study runs, and
// writes them to a page at the end.
func pictureLine(s streams) *commandLine {
	l := newStudyLine(s, "picture", "draw the time to a signature over latency and bandwidth", pictureHelp,
		"6", "15")
	network, peers, draws := l.networkFlags()
	var file string
	outputFlag(l.commandLine, &file, "o", "", ": the charts as an HTML page")
	onlyPages(l.commandLine, &file)
	latency := flags.One(&l.flags, "latency", "0", ": in the picture over the bandwidth",
		latencies)
	l.exec = func(ctx context.Context, _ []string) error {
		lead := fmt.Sprintf("Steps of the real party take as long as in the median replay, of %d; all "+
			"replays are complete, byte-equal and verified. Axes of time are logarithmic.", l.samples)
		var groups []chart.Group
		err := l.run(ctx, study.Options{Party: "coordinator", Naive: *peers == "recorded"},
			func(malicious int, phases study.Phases) error {
				g := chart.Group{Title: fmt.Sprintf("f = %d", malicious),
					Charts: phases.Pictures(network(*latency), *draws), Notes: []string{lead}}
				groups = append(groups, g)
				for _, c := range g.Charts {
					if err := c.Text(s.out, text.Width(s.out)); err != nil {
						return err
					}
					fmt.Fprintln(s.out)
				}
				return nil
			})
		if err != nil || file == "" {
			return err
		}
		return writePage(file, page.Input{Title: "Threshold signatures over a network", Charts: groups},
			s.out)
	}
	return l.commandLine
}

func growthLine(s streams) *commandLine {
	l := newStudyLine(s, "growth", "fit the cost of a party as a function of the malicious parties",
		growthHelp, "1,2,3,4,6,8,10,12,15,20,25,30", "6")
	l.exec = func(ctx context.Context, _ []string) error {
		all := study.Growth{}
		err := l.run(ctx, study.Options{Party: "coordinator", Count: true},
			func(malicious int, phases study.Phases) error {
				all[malicious] = phases
				return nil
			})
		if err != nil {
			return err
		}
		fmt.Fprintf(s.out,
			"cost of the coordinator over f = %s, %d replays each, all complete, byte-equal and verified\n\n",
			strings.Trim(strings.ReplaceAll(fmt.Sprint(l.malicious), " ", ", "), "[]"), l.samples)
		return all.Write(s.out)
	}
	return l.commandLine
}
