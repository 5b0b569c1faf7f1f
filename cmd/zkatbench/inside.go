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
)

const insideHelp = `Runs one operation as a small program, with -count records on separate inputs, and
shows its inside:
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
	records int    // without -count
	output  string // without -o
	flags   string // that not all views have
	show    func(ctx context.Context, v *view, s streams) error
}{
	{name: "time", records: 100, flags: "stdin", show: showTime},
	{name: "steps", records: 1, flags: "o f stdin collapse", show: showSteps},
	{name: "heap", records: 100, output: "dhat-heap.json", flags: "o f stdin heap-every scope",
		show: showHeap},
	{name: "instr", records: 50, flags: "cache skip-missing format", show: showInstructions},
	{name: "flame", records: 100, output: "flame.svg", flags: "o f stdin", show: showFlame},
	{name: "run", records: 100, flags: "emit stdin", show: showRun},
}

// checkFlags refuses flags that have no effect in the chosen view.
func (v *view) checkFlags(set *flags.Set) error {
	for _, f := range set.All() {
		var of []string
		for _, other := range views {
			if slices.Contains(strings.Fields(other.flags), f.Name) {
				of = append(of, other.name)
			}
		}
		if f.Given() && len(of) > 0 && !slices.Contains(of, v.view) {
			return fmt.Errorf("-%s does not apply with -what=%s, only with %s", f.Name, v.view,
				strings.Join(of, ", "))
		}
	}
	return nil
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

	view, out, scope, format                   string
	records, every                             int
	seed                                       seedChoice
	emit, stdin, collapse, cache, skip, nolock bool
}

// insideLine shows the inside of one operation.
func insideLine(s streams) *commandLine {
	l := newLine("inside", takesOperations,
		"show the inside of an operation: time, steps, memory, instructions, a flame graph")
	l.help = insideHelp
	names := viewNames()
	set := &l.flags
	v := &view{}
	on := func(to *bool, name, usage string) { flags.Into(set, to, name, "false", usage, flags.Switch()) }
	flags.Into(set, &v.view, "what", "time", ": "+strings.Join(names, ", "),
		flags.Names(names...))
	flags.Into(set, &v.records, "count", "0",
		": records, operations on separate inputs; 0 is 100, with steps 1, with instr 50, whose longer run "+
			"has twice as many",
		flags.Numbers(0, 10_000_000))
	flags.Into(set, &v.seed, "seed", "", ": of the first record; drawn at random and printed if not given",
		seedChoices)
	flags.Into(set, &v.out, "o", "",
		": of heap (dhat-heap.json), steps (standard output) or flame (flame.svg; with commas: .svg, "+
			".txt, .pprof, .trace)", flags.Text("a file"))
	l.writes("o", func() []string {
		return strings.Split(cmp.Or(v.out, views[slices.Index(names, v.view)].output), ",")
	})
	on(&v.emit, "emit", "")
	on(&v.stdin, "stdin", "")
	on(&v.collapse, "collapse", "")
	flags.Into(set, &v.every, "heap-every", "1048576", "", flags.Numbers(1, 1<<40))
	flags.Into(set, &v.scope, "scope", "work", "", flags.Names("work", "all"))
	on(&v.cache, "cache", "")
	on(&v.skip, "skip-missing", "")
	flags.Into(set, &v.format, "format", asText,
		": of instr: text, or bench, Go benchmark format with the unit instr/op, for zkatbench compare and "+
			"gate",
		flags.Names(asText, asBench))
	noLockFlag(set, &v.nolock)
	set.Check(func() error { return v.checkFlags(set) })
	req := l.operations(matrix)
	l.exec = func(ctx context.Context, _ []string) error {
		v.line = l.typed
		return v.run(ctx, req, s)
	}
	return l
}

// A seedChoice is the value of -seed: a seed, or that one is drawn.
type seedChoice struct {
	value uint64
	drawn bool
}

// seedChoices are seeds; the empty text has one drawn.
var seedChoices = flags.Func("a whole number from 0 to 18446744073709551615",
	func(text string) (seedChoice, error) {
		if text == "" {
			return seedChoice{drawn: true}, nil
		}
		n, err := strconv.ParseUint(text, 10, 64)
		return seedChoice{value: n}, err
	}, func(c seedChoice) string { return fmt.Sprint(c.value) })

// seed returns the chosen seed, or draws one.
func (c seedChoice) seed() (uint64, error) {
	if !c.drawn {
		return c.value, nil
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
	seed, err := v.seed.seed()
	if err != nil {
		return err
	}
	v.Program = &oneshot.Program{Op: op, Case: cases[0], Records: v.records, Seed: seed}
	part, isChild, err := partOf("inside")
	switch {
	case err != nil:
		return err
	case isChild: // of instr
		v.Prepared, v.Records, v.stdin = part[0], part[1], op.Read != nil
		return showRun(ctx, v, s)
	}
	chosen := views[slices.Index(viewNames(), v.view)]
	v.Records, v.out = cmp.Or(v.Records, chosen.records), cmp.Or(v.out, chosen.output)
	return chosen.show(ctx, v, s)
}

// read gives the program its inputs if standard input has them.
func (v *view) read(s streams) (err error) {
	if v.stdin {
		v.Inputs, err = v.ReadInputs(s.in)
	}
	return err
}
