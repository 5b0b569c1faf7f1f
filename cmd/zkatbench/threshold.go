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

const thresholdHelp = `Compares threshold signatures for the same maximum number of malicious parties. A replay is one party
against a recording of the others; it counts only if the party ends, sends the recorded bytes, and has the
recorded output.`

// thresholdLine has the subcommands for threshold signatures.
func thresholdLine(s streams) *commandLine {
	return grouped("threshold", "compare threshold signatures in a table; record runs and replay their parties", thresholdHelp,
		recordLine(s), replayLine(s), tableLine(s), pictureLine(s), growthLine(s))
}

// codecFlag declares -codec.
func codecFlag(set *flags.Set) *codec.Codec {
	return flags.One(set, "codec", codec.Names[0], "encoding of messages: "+strings.Join(codec.Names, ", "),
		flags.Func("one of "+strings.Join(codec.Names, ", "), codec.ByName, func(c codec.Codec) string { return fmt.Sprint(c) }))
}

func recordLine(s streams) *commandLine {
	l := newLine("threshold record", "[flags]", "run all parties and keep their messages")
	name := flags.One(&l.flags, "case", "robust-presign", "phase: "+strings.Join(suite.CaseNames(), ", "), flags.Names(suite.CaseNames()...))
	malicious := flags.One(&l.flags, "max_malicious", "6", "maximum number of malicious parties", flags.AtLeast(1))
	parties := flags.One(&l.flags, "parties", "0", "number of parties; 0 is the number that the case needs", flags.AtLeast(0))
	encoding := codecFlag(&l.flags)
	seed := flags.One(&l.flags, "seed", "1", "seed of all randomness", flags.Seeds())
	coordinator := flags.One(&l.flags, "coordinator", "1", "the party that collects signature shares", flags.Numbers(1, math.MaxUint32))
	out := outputFlag(&l.flags, "o", "snapshot.json", "`file` of the recording")
	l.exec = func(context.Context, []string) error {
		r, err := suite.New(suite.Scenario{
			Case: *name, MaxMalicious: *malicious, N: *parties, Codec: *encoding, Seed: *seed, Coordinator: uint32(*coordinator),
		})
		if err != nil {
			return err
		}
		snapshot, err := r.Record()
		if err == nil {
			err = outfile.WriteBytes(*out, snapshot.Encode())
		}
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(s.out, "%s: %s, %d parties, %d messages, verified\n", *out, r.Case, r.Parties(), len(snapshot.Messages))
		return err
	}
	return l
}

func replayLine(s streams) *commandLine {
	l := newLine("threshold replay", "[flags] file", "replay parties against a recording")
	party := flags.One(&l.flags, "party", "coordinator", "the real party: a number, coordinator, or all", suite.Party.Values)
	shift := flags.One(&l.flags, "shift-seed", "false", "a fault: the party draws its randomness from another place; parties that draw none say so", flags.Switch())
	force := flags.One(&l.flags, "force", "false", "replay a recording with a wrong digest", flags.Switch())
	l.expects(1, 1, "name one recording")
	l.exec = func(_ context.Context, args []string) error {
		b, err := outfile.ReadFile(args[0])
		if err != nil {
			return err
		}
		snapshot, err := engine.DecodeSnapshot(b)
		if err != nil && !(*force && errors.Is(err, engine.ErrDigest)) {
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
