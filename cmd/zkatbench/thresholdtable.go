package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/scheme/threshold/study"
	"github.com/zkatbench/zkatbench/scheme/threshold/suite"
)

const tableHelp = `Times all phases by replay and all parties together, for the same maximum number of malicious parties.
Times are those until the real party has its output, on a virtual clock. Each table ends with checks: naive
divided by N times the replay, with its 95 % interval; the number of replays, all of which count; and the
received bytes beside the specification. The status is 1 if bytes deviate from it.`

// The flags of the table alone.
var (
	thrSeeds = &bench.Axis[int]{
		Name: "seeds", Flag: "seeds", Default: "1", Values: bench.Numbers(1, 100_000), Show: bench.Never, One: true,
		Usage: "recordings whose sizes are compared with the specification; at least -samples",
	}
	thrRounds = toggle("rounds", "show times with intervals, and time, bytes and group operations of each round")
	thrSleep  = toggle("real-sleep", "play each phase in real time as well, and compare with the virtual clock")
)

func tableCommand(s streams) *commandLine {
	axes := bench.Axes(suite.Case, suite.MaxMalicious, suite.Mode, suite.Party, suite.Coordinator, suite.Codec,
		thrSamples, thrSeeds, thrSeed, thrClock, thrLatency, thrBandwidth, thrPeers, thrJitter, thrDraws, thrRounds, thrSleep, noLock)
	return axisCommand("threshold table", "time all phases naively and by replay, with bytes and latency", tableHelp, axes,
		func(ctx context.Context, sel *bench.Selection) error { return writeTables(ctx, sel, s) })
}

// tableOptions are the measurements that the flags ask for.
func tableOptions(sel *bench.Selection) (o study.Options, err error) {
	o = study.Options{
		Samples: thrSamples.All(sel)[0], Seeds: thrSeeds.All(sel)[0], Every: true, Count: thrRounds.All(sel)[0],
		Naive: slices.Contains(suite.Mode.All(sel), "naive"),
	}
	for axis, values := range map[string]int{
		suite.Party.Flag: len(suite.Party.All(sel)), suite.Codec.Flag: len(suite.Codec.All(sel)),
		suite.Coordinator.Flag: len(suite.Coordinator.All(sel)),
	} {
		if values > 1 {
			return o, usageError("-%s: a table takes one value", axis)
		}
	}
	o.Party = suite.Party.All(sel)[0]
	if thrPeers.All(sel)[0] == "recorded" && !o.Naive {
		return o, usageError("-peers: recorded needs -mode=naive,replay")
	}
	return o, nil
}

func writeTables(ctx context.Context, sel *bench.Selection, s streams) error {
	o, err := tableOptions(sel)
	if err != nil {
		return err
	}
	unlock, err := waitForMachine(ctx, sel, s.err)
	if err != nil {
		return err
	}
	defer unlock()
	writeHeader(sel, s.out)
	asSpecified := true
	for _, malicious := range suite.MaxMalicious.All(sel) {
		phases, err := measurePhases(ctx, sel, suite.Case.All(sel), malicious, o, s)
		if err != nil {
			return thresholdError("threshold table", err)
		}
		same, err := writeTable(ctx, sel, malicious, phases, s)
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

// writeTable writes everything about one number of malicious parties. It reports
// whether received bytes are as specified.
func writeTable(ctx context.Context, sel *bench.Selection, malicious int, phases study.Phases, s streams) (asSpecified bool, err error) {
	names := suite.Case.All(sel)
	for _, latency := range thrLatency.All(sel) {
		n := net(sel, latency)
		if err := phases.WriteSchemes(s.out, malicious, n); err != nil {
			return false, err
		}
		if n.Jitter.Shape != "" {
			if err := phases.WriteJitter(s.out, n, thrDraws.All(sel)[0]); err != nil {
				return false, err
			}
		}
		if latency > 0 {
			if err := phases.WriteClock(s.out, names, n); err != nil {
				return false, err
			}
		}
		if thrSleep.All(sel)[0] {
			if err := phases.WriteSleep(ctx, s.out, names, n); err != nil {
				return false, err
			}
		}
		fmt.Fprintln(s.out)
	}
	if thrRounds.All(sel)[0] {
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
