package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
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
	name    string
	records int    // without -n
	output  string // without -o
	show    func(ctx context.Context, v *view, s streams) error
}{
	{"time", 100, "", showTime},
	{"steps", 1, "", showSteps},
	{"heap", 100, "dhat-heap.json", showHeap},
	{"instr", 50, "", showInstructions},
	{"flame", 100, "flame.svg", showFlame},
	{"run", 100, "", showRun},
}

func viewNames() (names []string) {
	for _, v := range views {
		names = append(names, v.name)
	}
	return names
}

// view is a command line of inside.
type view struct {
	*oneshot.Program
	line []string // of the command

	view, out, scope, format           *string
	records, every                     *int
	seed                               **uint64
	emit, stdin, collapse, cache, skip *bool
	free                               *bool // of the lock
}

// insideLine shows the inside of one operation.
func insideLine(s streams) *commandLine {
	l := newLine("inside", takesOperations, "show the inside of an operation: time, steps, memory, instructions, a flame graph")
	l.help = insideHelp
	names := viewNames()
	set := &l.flags
	on := func(name, usage string) *bool { return flags.One(set, name, "false", usage, flags.Switch()) }
	v := &view{
		view: flags.One(set, "what", "time", "what to show: "+strings.Join(names, ", "), flags.Names(names...)),
		records: flags.One(set, "n", "0", "records: operations, each on separate inputs; 0 is 100, with steps 1, with instr 50, whose longer run has twice as many",
			flags.Numbers(0, 10_000_000)),
		seed:     flags.One(set, "seed", "", "seed of the first record; drawn at random and printed if not given", drawnSeeds),
		out:      flags.One(set, "o", "", "`files` of heap (dhat-heap.json), steps (standard output) or flame (flame.svg; with commas: .svg, .txt, .pprof, .trace)", flags.Text("a file")),
		emit:     on("emit", "of run: write the inputs of all records instead of working"),
		stdin:    on("stdin", "read the inputs of all records from standard input"),
		collapse: on("collapse", "of steps: add up steps that differ in numbers only: round-*"),
		every:    flags.One(set, "heap_every", "1048576", "of heap: bytes allocated between two looks at the heap", flags.Numbers(1, 1<<40)),
		scope:    flags.One(set, "scope", "work", "of heap: memory that is measured: of the work, or of preparation too (all)", flags.Names("work", "all")),
		cache:    on("cache", "of instr: simulate caches of a fixed size, and estimate cycles"),
		skip:     on("skip-missing", "of instr: end with status 0 if Valgrind is not installed"),
		format: flags.One(set, "format", asText, "of instr: text, or bench: Go benchmark format with the unit instr/op, for zkatbench compare and gate",
			flags.Names(asText, asBench)),
		free: noLockFlag(set),
	}
	req := l.operations(matrix)
	l.exec = func(ctx context.Context, _ []string) error {
		v.line = l.typed
		return v.run(ctx, req, s)
	}
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
		return fmt.Errorf("name one operation; zkatbench list shows them")
	}
	op := req.ops[0]
	cases := req.cases(op)
	if len(cases) != 1 {
		return fmt.Errorf("one case at a time; the flags of %s select %d", op.Name, len(cases))
	}
	seed, err := seedOf(*v.seed)
	if err != nil {
		return err
	}
	v.Program = &oneshot.Program{Op: op, Case: cases[0], Records: *v.records, Seed: seed}
	part, isChild, err := partOf("inside")
	switch {
	case err != nil:
		return err
	case isChild: // of instr
		v.Prepared, v.Records, *v.stdin = part[0], part[1], op.Read != nil
		return showRun(ctx, v, s)
	}
	chosen := views[slices.Index(viewNames(), *v.view)]
	v.Records, *v.out = cmp.Or(v.Records, chosen.records), cmp.Or(*v.out, chosen.output)
	if err := outfile.Check(strings.Split(*v.out, ",")...); err != nil {
		return fmt.Errorf("-o: %w", err)
	}
	return chosen.show(ctx, v, s)
}

// read gives the program its inputs if standard input has them.
func (v *view) read(s streams) (err error) {
	if *v.stdin {
		v.Inputs, err = v.ReadInputs(s.in)
	}
	return err
}
