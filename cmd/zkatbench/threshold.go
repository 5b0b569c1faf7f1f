package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/runner/outfile"
	"github.com/zkatbench/zkatbench/scheme/threshold/codec"
	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
	"github.com/zkatbench/zkatbench/scheme/threshold/suite"
)

const thresholdHelp = `Compares threshold signatures for the same maximum number of malicious parties. A
replay is one party against a recording of the others; it counts only if the party ends, sends the
recorded bytes, and has the recorded output.`

// thresholdLine has the subcommands for threshold signatures.
func thresholdLine(s streams) *commandLine {
	return grouped("threshold",
		"compare threshold signatures in a table; record runs and replay their parties", thresholdHelp,
		recordLine(s), replayLine(s), tableLine(s), pictureLine(s), growthLine(s))
}

// codecFlag declares -codec.
func codecFlag(set *flags.Set, to *codec.Codec) {
	flags.Into(set, to, "codec", codec.Names[0], ": "+strings.Join(codec.Names, ", "),
		flags.Func("one of "+strings.Join(codec.Names, ", "), codec.ByName, func(c codec.Codec) string {
			return fmt.Sprint(c)
		}))
}

// recordLine returns the subcommand record: its flags, and a run of all parties whose messages
// it writes.
func recordLine(s streams) *commandLine {
	l := newLine("threshold record", "[flags]", "run all parties and keep their messages")
	name := flags.One(&l.flags, "case", "robust-presign", ": "+strings.Join(suite.CaseNames(), ", "),
		flags.Names(suite.CaseNames()...))
	malicious := flags.One(&l.flags, suite.MaxMalicious.Flag, "6", "",
		flags.AtLeast(1))
	parties := flags.One(&l.flags, "parties", "0", "",
		flags.AtLeast(0))
	var encoding codec.Codec
	codecFlag(&l.flags, &encoding)
	seed := flags.One(&l.flags, "seed", "1", "", flags.Seeds())
	coordinator := flags.One(&l.flags, "coordinator", "1", "",
		flags.Numbers(1, math.MaxUint32))
	var out string
	outputFlag(l, &out, "o", "snapshot.json", ": the recording")
	l.exec = func(context.Context, []string) error {
		r, err := suite.New(suite.Scenario{
			Case: *name, MaxMalicious: *malicious, N: *parties, Codec: encoding, Seed: *seed,
			Coordinator: uint32(*coordinator),
		})
		if err != nil {
			return err
		}
		snapshot, err := r.Record()
		if err == nil {
			err = outfile.WriteBytes(out, snapshot.Encode())
		}
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(s.out, "%s: %s, %d parties, %d messages, verified\n", out, r.Case, r.Parties(),
			len(snapshot.Messages))
		return err
	}
	return l
}

// replayLine returns the subcommand replay: its flags, and a replay of each chosen party. It
// reports every party that differs before it fails.
func replayLine(s streams) *commandLine {
	l := newLine("threshold replay", "[flags] file", "replay parties against a recording")
	party := flags.One(&l.flags, "party", "coordinator", "",
		suite.Party.Values)
	shift := flags.One(&l.flags, "shift-seed", "false", "",
		flags.Switch())
	unchecked := flags.One(&l.flags, "unchecked", "false", ": a recording with a wrong digest",
		flags.Switch())
	l.expects(1, 1, "name one recording")
	l.exec = func(_ context.Context, args []string) error {
		b, err := outfile.ReadFile(args[0])
		if err != nil {
			return err
		}
		snapshot, err := engine.DecodeSnapshot(b)
		if err != nil && !(*unchecked && errors.Is(err, engine.ErrDigest)) {
			return fmt.Errorf("%s: %w", args[0], err)
		}
		r, err := suite.Of(snapshot)
		if err != nil {
			return err
		}
		ids, err := r.Real(*party)
		if err != nil {
			return err
		}
		r.Shift = *shift
		good := 0
		for _, id := range ids {
			err := r.Replay(snapshot, id)
			if err == nil && *shift && r.Draws() {
				err = errShift
			}
			if err != nil {
				fmt.Fprintf(s.out, "party %d: %v\n", id, err)
				continue
			}
			good++
			if *shift && !r.Draws() {
				fmt.Fprintf(s.out, "party %d: draws none\n", id)
			}
		}
		if good < len(ids) {
			return exitError{status: negative}
		}
		_, err = fmt.Fprintf(s.out, "%d of %d parties: complete, byte-equal, output equal\n", good, len(ids))
		return err
	}
	return l
}

var errShift = errors.New("the replay counts although its randomness comes from another place")
