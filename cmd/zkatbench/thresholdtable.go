package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/scheme/threshold/study"
	"github.com/zkatbench/zkatbench/scheme/threshold/suite"
)

const tableHelp = `Times all phases by replay and all parties together, for the same maximum number of malicious parties.
Times are those until the real party has its output, on a virtual clock. Each table ends with checks: naive
divided by N times the replay, with its 95 % interval; the number of replays, all of which count; and the
received bytes beside the specification. The status is 1 if bytes deviate from it.`

// tableFlags are the flags of threshold table.
type tableFlags struct {
	studyFlags
	net           netFlags
	latencies     *[]time.Duration
	modes         *[]string
	party         *string
	seeds         *int
	rounds, sleep *bool
}

func tableLine(s streams) *commandLine {
	l := newLine("threshold table", "[flags]", "time all phases naively and by replay, with bytes and latency")
	l.help = tableHelp
	set := &l.flags
	f := tableFlags{studyFlags: newStudyFlags(set, suite.MaxMalicious.Default, "15")}
	f.net = newNetFlags(set, f.seed)
	f.latencies = flags.Many(set, "latency", "0,10ms,50ms,100ms", "latencies of the network, comma-separated", latencies)
	f.modes = flags.Many(set, suite.Mode.Flag, suite.Mode.Default, suite.Mode.Usage, suite.Mode.Values)
	f.party = flags.One(set, suite.Party.Flag, suite.Party.Default, "the real party of a replay: coordinator, a number, or all, one after the other", suite.Party.Values)
	f.seeds = flags.One(set, "seeds", "1", "recordings whose sizes are compared with the specification; at least -samples", flags.Numbers(1, 100_000))
	f.rounds = flags.One(set, "rounds", "false", "show times with intervals, and time, bytes and group operations of each round", flags.Switch())
	f.sleep = flags.One(set, "real-sleep", "false", "play each phase in real time as well, and compare with the virtual clock", flags.Switch())
	set.Check(func() error {
		if *f.net.peers == "recorded" && !slices.Contains(*f.modes, "naive") {
			return usageError("-peers: recorded needs -mode=naive,replay")
		}
		return nil
	})
	l.exec = func(ctx context.Context, _ []string) error { return f.run(ctx, s) }
	return l
}

func (f tableFlags) run(ctx context.Context, s streams) error {
	unlock, err := waitForMachine(ctx, *f.free, s.err)
	if err != nil {
		return err
	}
	defer unlock()
	f.header(s.out)
	asSpecified := true
	o := study.Options{Samples: *f.samples, Seeds: *f.seeds, Every: true, Count: *f.rounds, Naive: slices.Contains(*f.modes, "naive"), Party: *f.party}
	for _, malicious := range *f.malicious {
		phases, err := f.measure(ctx, malicious, o, s)
		if err != nil {
			return thresholdError("threshold table", err)
		}
		same, err := f.write(ctx, malicious, phases, s)
		if err != nil {
			return inside("threshold table", err)
		}
		asSpecified = asSpecified && same
	}
	if !asSpecified {
		return exitError{status: 1, error: fmt.Errorf("zkatbench: threshold table: received bytes deviate from the specification")}
	}
	return nil
}

// write writes everything about one number of malicious parties. It reports
// whether received bytes are as specified.
func (f tableFlags) write(ctx context.Context, malicious int, phases study.Phases, s streams) (asSpecified bool, err error) {
	names := *f.cases
	for _, latency := range *f.latencies {
		n := f.net.of(latency)
		if err := phases.WriteSchemes(s.out, malicious, n); err != nil {
			return false, err
		}
		if n.Jitter.Shape != "" {
			if err := phases.WriteJitter(s.out, n, *f.net.draws); err != nil {
				return false, err
			}
		}
		if latency > 0 {
			if err := phases.WriteClock(s.out, names, n); err != nil {
				return false, err
			}
		}
		if *f.sleep {
			if err := phases.WriteSleep(ctx, s.out, names, n); err != nil {
				return false, err
			}
		}
		fmt.Fprintln(s.out)
	}
	if *f.rounds {
		if err := phases.WritePhases(s.out, names); err != nil {
			return false, err
		}
		fmt.Fprintln(s.out)
		if err := phases.WriteRounds(s.out, names); err != nil {
			return false, err
		}
		fmt.Fprintln(s.out)
	}
	if asSpecified, err = phases.WriteSizes(s.out, names); err != nil {
		return false, err
	}
	if err := phases.WriteRatios(s.out, names); err != nil {
		return false, err
	}
	_, err = fmt.Fprintln(s.out)
	return asSpecified, err
}

// thresholdError is a usage error if the flags ask for a run that does not exist.
func thresholdError(command string, err error) error {
	if suite.IsScenario(err) {
		return usageError("%s: %w", command, err)
	}
	return inside(command, err)
}
