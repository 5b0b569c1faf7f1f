package main

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/bench/flame"
	"github.com/zkatbench/zkatbench/bench/oneshot"
	"github.com/zkatbench/zkatbench/bench/source"
	"github.com/zkatbench/zkatbench/bench/step"
	"github.com/zkatbench/zkatbench/runner/outfile"
)

// The flags of the commands that look inside one operation.
var (
	records = &bench.Axis[int]{
		Name: "n", Flag: "n", Default: "100", Values: bench.Numbers(1, 10_000_000), Show: bench.Never, One: true,
		Usage: "records: operations, each on separate inputs",
	}
	oneRecord = &bench.Axis[int]{
		Name: "n", Flag: "n", Default: "1", Values: bench.Numbers(1, 10_000_000), Show: bench.Never, One: true,
		Usage: "records: operations, each on separate inputs",
	}
	seedFlag = &bench.Axis[string]{
		Name: "seed", Flag: "seed", Default: "", Values: seeds, Show: bench.Never, One: true,
		Usage: "seed of the first record; drawn at random and printed if not given",
	}
	seeds = bench.Values[string]{
		Allowed: "a whole number from 0 to 18446744073709551615",
		Parse: func(item string) ([]string, bool) {
			_, err := strconv.ParseUint(item, 10, 64)
			return []string{item}, err == nil || item == ""
		},
		Text: func(s string) string { return s },
	}
	prepareFlag = &bench.Axis[int]{
		Name: "prepare", Flag: "prepare", Default: "0", Values: bench.Numbers(0, 10_000_000), Show: bench.Never, One: true,
		Usage: "records that are prepared, at least -n",
	}
	emitFlag     = toggle("emit", "write the inputs of all records instead of working")
	stdinFlag    = toggle("stdin", "read the inputs of all records from standard input")
	collapseFlag = toggle("collapse", "add up steps that differ in numbers only: round-*")
	cpuFlag      = fileFlag("cpuprofile", "file for a CPU profile of the work")
	flameFlag    = fileFlag("flamegraph", "file for a flame graph of the work, SVG")
	foldedFlag   = fileFlag("folded", "file for the folded stacks of the work")
	stepsFlag    = fileFlag("steps", "file for the cost of each step, CSV; from separate passes")
)

func toggle(name, usage string) *bench.Axis[bool] {
	return &bench.Axis[bool]{Name: name, Flag: name, Default: "false", Values: bench.Switch(), Show: bench.Never, One: true, Usage: usage}
}

func fileFlag(name, usage string) *bench.Axis[string] {
	return &bench.Axis[string]{
		Name: name, Flag: name, Show: bench.Never, One: true, Usage: usage,
		Values: bench.Values[string]{
			Allowed: "the name of a file",
			Parse:   func(item string) ([]string, bool) { return []string{item}, true },
			Text:    func(s string) string { return s },
		},
	}
}

// oneProgram reads a command line that names one operation and selects one case.
// It returns nil without an error if help was asked for.
func oneProgram(command string, own []bench.Param, args []string, out io.Writer) (*oneshot.Program, *bench.Selection, error) {
	req, err := parseRequest(command, own, matrix, args, out)
	if req == nil {
		return nil, nil, err
	}
	if len(req.ops) != 1 {
		return nil, nil, usageError("%s: name one operation; zkatbench list shows them", command)
	}
	op := req.ops[0]
	cases := req.cases(op)
	if len(cases) != 1 {
		return nil, nil, usageError("%s: one case at a time; the flags of %s select %d", command, op.Name, len(cases))
	}
	p := &oneshot.Program{Op: op, Case: cases[0]}
	p.Records = max(records.Of(p.Case), oneRecord.Of(p.Case))
	if p.Seed, err = seedOf(seedFlag.Of(p.Case)); err != nil {
		return nil, nil, fmt.Errorf("zkatbench: %s: %w", command, err)
	}
	return p, req.sel, nil
}

func seedOf(text string) (uint64, error) {
	if text != "" {
		return strconv.ParseUint(text, 10, 64)
	}
	var b [8]byte
	if _, err := rand.Read(b[:]); err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint64(b[:]) % math.MaxInt64, nil
}

// inside is the error of a program as the command reports it.
func inside(command string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.Canceled):
		return errInterrupted
	case errors.Is(err, oneshot.ErrInputs):
		return usageError("%s: %w", command, err)
	}
	return fmt.Errorf("zkatbench: %s: %w", command, err)
}

// oneShot runs one operation as a small program.
func oneShot(ctx context.Context, args []string, s streams) error {
	own := bench.Axes(records, seedFlag, prepareFlag, emitFlag, stdinFlag, cpuFlag, flameFlag, foldedFlag, stepsFlag, heapFlag, heapEvery, heapScope)
	p, _, err := oneProgram("oneshot", own, args, s.out)
	if p == nil {
		return err
	}
	p.Prepared = prepareFlag.Of(p.Case)
	if stdinFlag.Of(p.Case) {
		if p.Inputs, err = p.ReadInputs(s.in); err != nil {
			return inside("oneshot", err)
		}
	}
	if emitFlag.Of(p.Case) {
		r, err := p.Prepare(ctx)
		if err == nil {
			err = r.Emit(s.out)
		}
		return inside("oneshot", err)
	}
	if path := heapFlag.Of(p.Case); path != "" {
		return inside("oneshot", heapPass(ctx, p, path, append([]string{"oneshot"}, args...), s))
	}
	if err := timedPass(ctx, p, s); err != nil {
		return inside("oneshot", err)
	}
	if path := stepsFlag.Of(p.Case); path != "" {
		table, _, err := source.ByStep(ctx, *p)
		if err == nil {
			err = outfile.Write(path, table.Write)
		}
		return inside("oneshot", err)
	}
	return nil
}

// timedPass prepares, works and reports, with a CPU profile of the work if one is
// asked for.
func timedPass(ctx context.Context, p *oneshot.Program, s streams) error {
	p.WriteHead(s.out)
	profiled := slices.ContainsFunc([]*bench.Axis[string]{cpuFlag, flameFlag, foldedFlag}, func(a *bench.Axis[string]) bool { return a.Of(p.Case) != "" })
	if !profiled {
		r, err := p.Prepare(ctx)
		if err != nil {
			return err
		}
		r.WritePreparation(s.out)
		res, err := r.Work(ctx, nil)
		if res != nil {
			res.Write(s.out, *p)
		}
		return err
	}
	var raw strings.Builder
	_, res, err := source.Observed(ctx, *p, step.Labels, nil, func(r *oneshot.Run) error {
		r.WritePreparation(s.out)
		return pprof.StartCPUProfile(&raw)
	})
	pprof.StopCPUProfile()
	if res != nil {
		res.Write(s.out, *p)
	}
	if err != nil {
		return err
	}
	return writeProfiles(p, raw.String(), s.err)
}

// writeProfiles writes the files of a CPU profile.
func writeProfiles(p *oneshot.Program, raw string, warnings io.Writer) error {
	if path := cpuFlag.Of(p.Case); path != "" {
		if err := outfile.Write(path, func(w io.Writer) error { _, err := io.WriteString(w, raw); return err }); err != nil {
			return err
		}
	}
	prof, err := profile.Parse(strings.NewReader(raw))
	if err != nil {
		return fmt.Errorf("the CPU profile cannot be read: %w", err)
	}
	stacks := flame.Fold(prof, step.Label)
	if stacks.Samples() < flame.FewSamples {
		fmt.Fprintf(warnings, "zkatbench: few samples: raise -n (%d samples, %d wanted)\n", stacks.Samples(), flame.FewSamples)
	}
	if path := foldedFlag.Of(p.Case); path != "" {
		if err := outfile.Write(path, stacks.Write); err != nil {
			return err
		}
	}
	if path := flameFlag.Of(p.Case); path != "" {
		return outfile.Write(path, func(w io.Writer) error { return stacks.SVG(w, p.Name()) })
	}
	return nil
}

// steps prints the cost of each step of an operation.
func steps(ctx context.Context, args []string, s streams) error {
	p, _, err := oneProgram("steps", bench.Axes(oneRecord, seedFlag, collapseFlag), args, s.out)
	if p == nil {
		return err
	}
	table, took, err := source.ByStep(ctx, *p)
	if err != nil {
		return inside("steps", err)
	}
	if collapseFlag.Of(p.Case) {
		table = table.Collapse()
	}
	fmt.Fprintf(s.out, "benchmark complete after %.7fs\n", took.Seconds())
	return inside("steps", table.Write(s.out))
}
