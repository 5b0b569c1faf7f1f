package main

import (
	"context"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/runner/outfile"
	"github.com/zkatbench/zkatbench/scheme/threshold/codec"
	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
	"github.com/zkatbench/zkatbench/scheme/threshold/secp"
	"github.com/zkatbench/zkatbench/scheme/threshold/suite"
)

const thresholdHelp = `Compares threshold signatures for the same maximum number of malicious parties. A replay is one party
against a recording of the others; it counts only if the party ends, sends the recorded bytes, and has the
recorded output.`

// thresholdCommand has the subcommands for threshold signatures.
func thresholdCommand(ctx context.Context, args []string, s streams) error {
	l := &commandLine{name: "threshold", takes: "record|replay|table|picture|growth|service [flags]", help: thresholdHelp, exec: func(context.Context, []string) error {
		return usageError("threshold: name one of record, replay, table, picture, growth, service")
	}}
	l.below = []*commandLine{recordCommand(s), replayCommand(s), tableCommand(s), pictureCommand(s), growthCommand(s), serviceCommand(s)}
	return l.run(ctx, args, s)
}

// scenarioFlags are the flags of one run.
type scenarioFlags struct {
	name, codec, hash  string
	malicious, parties int
	seed, coordinator  uint64
}

func (f *scenarioFlags) register(fs *flag.FlagSet) {
	fs.StringVar(&f.name, "case", "robust-presign", "phase: "+strings.Join(suite.AllCaseNames(), ", "))
	fs.IntVar(&f.malicious, "max_malicious", 6, "maximum number of malicious parties")
	fs.IntVar(&f.parties, "parties", 0, "number of parties; 0 is the number that the case needs")
	fs.StringVar(&f.codec, "codec", "compact", "encoding of messages: "+strings.Join(codec.Names, ", "))
	fs.StringVar(&f.hash, "hash", "", "hash of the message of ECDSA, 64 hexadecimal digits; empty is that of a fixed message")
	fs.Uint64Var(&f.seed, "seed", 1, "seed of all randomness")
	fs.Uint64Var(&f.coordinator, "coordinator", 1, "the party that collects signature shares")
}

// run returns the run of the flags; a bad value is a usage error.
func (f *scenarioFlags) run() (*suite.Run, error) {
	if !slices.Contains(suite.AllCaseNames(), f.name) {
		return nil, usageError("-case: %q is not one of %s", f.name, strings.Join(suite.AllCaseNames(), ", "))
	}
	c, err := codec.ByName(f.codec)
	if err != nil {
		return nil, usageError("-codec: %w", err)
	}
	scenario := suite.Scenario{Case: f.name, MaxMalicious: f.malicious, N: f.parties, Codec: c, Seed: f.seed, Coordinator: uint32(min(f.coordinator, math.MaxUint32))}
	if f.hash != "" {
		b, err := hex.DecodeString(f.hash)
		if err == nil {
			scenario.Hash, err = secp.DecodeScalar(b)
		}
		if err != nil {
			return nil, usageError("-hash: %q is not 64 hexadecimal digits below the order", f.hash)
		}
	}
	r, err := suite.New(scenario)
	if err != nil {
		return nil, usageError("threshold: %w", err)
	}
	return r, nil
}

func recordCommand(s streams) *commandLine {
	fs, f := flag.NewFlagSet("", flag.ContinueOnError), new(scenarioFlags)
	f.register(fs)
	out := fs.String("o", "snapshot.json", "`file` of the recording")
	return &commandLine{
		name: "threshold record", takes: "[flags]", summary: "run all parties and keep their messages", flags: fs, mixed: true,
		exec: func(_ context.Context, args []string) error {
			if len(args) > 0 {
				return usageError("threshold record takes flags only, not %q", args[0])
			}
			r, err := f.run()
			if err != nil {
				return err
			}
			snapshot, err := r.Record()
			if err == nil {
				err = outfile.WriteBytes(*out, snapshot.Encode())
			}
			if err != nil {
				return fmt.Errorf("zkatbench: threshold record: %w", err)
			}
			_, err = fmt.Fprintf(s.out, "%s: %s, %d parties, %d messages, verified\n", *out, r.Case, r.Parties(), len(snapshot.Messages))
			return err
		},
	}
}

func replayCommand(s streams) *commandLine {
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	party := fs.String("party", "coordinator", "the real party: a number, coordinator, or all")
	shift := fs.Bool("shift-seed", false, "a fault: the party draws its randomness from another place")
	force := fs.Bool("force", false, "replay a recording with a wrong digest")
	return &commandLine{
		name: "threshold replay", takes: "[flags] file", summary: "replay parties against a recording", flags: fs, mixed: true,
		exec: func(_ context.Context, args []string) error {
			if len(args) != 1 {
				return usageError("threshold replay: name one file")
			}
			b, err := os.ReadFile(args[0])
			if err != nil {
				return fmt.Errorf("zkatbench: threshold replay: %w", err)
			}
			snapshot, err := engine.DecodeSnapshot(b)
			if err != nil && !(*force && errors.Is(err, engine.ErrDigest)) {
				return fmt.Errorf("zkatbench: threshold replay: %s: %w", args[0], err)
			}
			return replayAll(s, snapshot, *party, *shift)
		},
	}
}

// replayAll replays the chosen parties and says how many count.
func replayAll(s streams, snapshot *engine.Snapshot, party string, shift bool) error {
	r, err := suite.Of(snapshot)
	if err != nil {
		return fmt.Errorf("zkatbench: threshold replay: %w", err)
	}
	ids, err := r.Real(party)
	if err != nil {
		return usageError("%w", err)
	}
	r.Shift = shift
	good := 0
	var first error
	for _, id := range ids {
		if err := r.Replay(snapshot, id); err != nil {
			fmt.Fprintf(s.out, "party %d: %v\n", id, err)
			if first == nil {
				first = exitError{status: 1}
			}
			continue
		}
		good++
	}
	if first != nil {
		return first
	}
	_, err = fmt.Fprintf(s.out, "%d of %d parties: complete, byte-equal, output equal\n", good, len(ids))
	return err
}
