package main

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/zkatbench/zkatbench/bench/oneshot"
	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/runner/outfile"
)

const insideHelp = `Runs one operation as a small program, with -n records on separate inputs, and shows its inside:
  time   the median time with its 95 % interval
  steps  the cost of each step: counts, time, allocations (CSV)
  heap   the memory that it allocates and keeps, with a file for Valgrind's DHAT
         viewer
  instr  its instructions, counted by Valgrind
  flame  processor time by function: a flame graph (.svg), folded stacks (.txt)
         or a CPU profile (.pprof)
  run    nothing, as profilers from outside need`

// views are the values of -what.
var views = []struct {
	name, summary string
	records       int    // without -n
	output        string // without -o
	show          func(ctx context.Context, v *view, s streams) error
}{
	{"time", "time", 100, "", showTime},
	{"steps", "cost by step", 1, "", showSteps},
	{"heap", "memory", 100, "dhat-heap.json", showHeap},
	{"instr", "instructions", 50, "", showInstructions},
	{"flame", "processor time by function", 100, "flame.svg", showFlame},
	{"run", "a one-shot program", 100, "", showRun},
}

// view is a command line of inside.
type view struct {
	*oneshot.Program
	args []string // after "inside"

	what                  *string
	records, prepare      *int
	seed                  **uint64
	out                   *string
	emit, stdin, collapse *bool
	every                 *int
	scope                 *string
	cache, skipMissing    *bool
	format                *string
	free                  *bool // of the lock
}

// insideLine shows the inside of one operation.
func insideLine(s streams) *commandLine {
	l := newLine("inside", takesOperations, "show the inside of an operation: time, steps, memory, instructions, a flame graph")
	l.help = insideHelp
	var names []string
	for _, v := range views {
		names = append(names, v.name)
	}
	set := &l.flags
	v := &view{
		what: flags.One(set, "what", "time", "what to show: "+strings.Join(names, ", "), flags.Names(names...)),
		records: flags.One(set, "n", "0", "records: operations, each on separate inputs; 0 is 100, with steps 1, with instr 50, whose longer run has twice as many",
			flags.Numbers(0, 10_000_000)),
		seed:     flags.One(set, "seed", "", "seed of the first record; drawn at random and printed if not given", drawnSeeds),
		out:      flags.One(set, "o", "", "`files` of heap (dhat-heap.json), steps (standard output) or flame (flame.svg; with commas: .svg, .txt, .pprof, .trace)", flags.Text("a file")),
		prepare:  flags.One(set, "prepare", "0", "of run: records that are prepared, at least -n", flags.Numbers(0, 10_000_000)),
		emit:     flags.One(set, "emit", "false", "of run: write the inputs of all records instead of working", flags.Switch()),
		stdin:    flags.One(set, "stdin", "false", "read the inputs of all records from standard input", flags.Switch()),
		collapse: flags.One(set, "collapse", "false", "of steps: add up steps that differ in numbers only: round-*", flags.Switch()),
		every:    flags.One(set, "heap_every", "1048576", "of heap: bytes allocated between two looks at the heap", flags.Numbers(1, 1<<40)),
		scope:    flags.One(set, "scope", "work", "of heap: memory that is measured: of the work, or of preparation too (all)", flags.Names("work", "all")),
		cache:    flags.One(set, "cache", "false", "of instr: simulate caches of a fixed size, and estimate cycles", flags.Switch()),
		skipMissing: flags.One(set, "skip-missing", "false", "of instr: end with status 0 if Valgrind is not installed",
			flags.Switch()),
		format: flags.One(set, "format", asText, "of instr: text, or bench: Go benchmark format with the unit instr/op, for zkatbench compare and gate",
			flags.Names(asText, asBench)),
		free: noLockFlag(set),
	}
	req := l.operations(matrix)
	others := l.prepare
	l.prepare = func(args []string) []string {
		v.args = args
		return others(args)
	}
	l.exec = func(ctx context.Context, _ []string) error { return v.run(ctx, req, s) }
	return l
}

// drawnSeeds are seeds; the empty text is nil, a random seed.
var drawnSeeds = flags.Func("a whole number from 0 to 18446744073709551615", func(text string) (*uint64, error) {
	if text == "" {
		return nil, nil
	}
	n, err := strconv.ParseUint(text, 10, 64)
	return &n, err
}, func(n *uint64) string { return fmt.Sprint(n) })

// seedOf returns the seed of a flag, or draws one.
func seedOf(given *uint64) (uint64, error) {
	if given != nil {
		return *given, nil
	}
	var b [8]byte
	if _, err := rand.Read(b[:]); err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint64(b[:]) % math.MaxInt64, nil
}

// run makes the program and shows it.
func (v *view) run(ctx context.Context, req *request, s streams) error {
	if len(req.ops) != 1 {
		return usageError("inside: name one operation; zkatbench list shows them")
	}
	op := req.ops[0]
	cases := req.cases(op)
	if len(cases) != 1 {
		return usageError("inside: one case at a time; the flags of %s select %d", op.Name, len(cases))
	}
	seed, err := seedOf(*v.seed)
	if err != nil {
		return inside("inside", err)
	}
	v.Program = &oneshot.Program{Op: op, Case: cases[0], Records: *v.records, Prepared: *v.prepare, Seed: seed}
	for _, view := range views {
		if view.name != *v.what {
			continue
		}
		if v.Records == 0 {
			v.Records = view.records
		}
		if *v.out == "" {
			*v.out = view.output
		}
		if err := outfile.Check(strings.Split(*v.out, ",")...); err != nil {
			return usageError("inside: %w", err)
		}
		return inside("inside", view.show(ctx, v, s))
	}
	return nil
}

// read gives the program its inputs if standard input has them.
func (v *view) read(s streams) (err error) {
	if *v.stdin {
		v.Inputs, err = v.ReadInputs(s.in)
	}
	return err
}

// inside is the error of a program as a command reports it.
func inside(command string, err error) error {
	switch {
	case err == nil, errors.Is(err, errUsage), errors.As(err, new(exitError)):
		return err
	case errors.Is(err, context.Canceled), errors.Is(err, errInterrupted):
		return errInterrupted
	case errors.Is(err, oneshot.ErrInputs):
		return usageError("%s: %w", command, err)
	}
	return fmt.Errorf("zkatbench: %s: %w", command, err)
}

// showSteps prints the cost of each step of an operation.
func showSteps(ctx context.Context, v *view, s streams) error {
	if err := v.read(s); err != nil {
		return err
	}
	table, took, err := oneshot.ByStep(ctx, *v.Program)
	if err != nil {
		return err
	}
	if *v.collapse {
		table = table.Collapse()
	}
	if *v.out != "" {
		return outfile.Write(*v.out, table.Write)
	}
	fmt.Fprintf(s.out, "benchmark complete after %.7fs\n", took.Seconds())
	return table.Write(s.out)
}
