package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/bench/oneshot"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// prefixes are the ways in which "zkatbench bench" measures an operation.
var prefixes = []struct {
	name, summary string
	run           func(ctx context.Context, args []string, s streams) error
}{
	{"ct", "time", timeCommand},
	{"iai", "instructions", instructions},
	{"oneshot", "a one-shot program", oneShot},
	{"steps", "cost by step", steps},
	{"heap", "memory", heapCommand},
}

func prefixNames() string {
	var names []string
	for _, p := range prefixes {
		names = append(names, p.name)
	}
	return strings.Join(names, ", ")
}

// benchOne runs an operation named with a prefix: "ct/Sender".
func benchOne(ctx context.Context, args []string, s streams) error {
	for i, arg := range args {
		prefix, name, found := strings.Cut(arg, "/")
		for _, p := range prefixes {
			if found && p.name == prefix && !strings.HasPrefix(arg, "-") {
				rest := slices.Clone(args)
				rest[i] = name
				return p.run(ctx, rest, s)
			}
		}
	}
	if slices.ContainsFunc(args, func(a string) bool { return a == "-h" || a == "-help" || a == "--help" }) {
		_, err := fmt.Fprintf(s.out, "usage: zkatbench bench PREFIX/OPERATION [flags]\nPREFIX is one of %s; zkatbench list shows the operations\n", prefixNames())
		return err
	}
	return usageError("bench: name an operation with a prefix, such as ct/%s; prefixes are %s", subjects[0].Ops[0].Name, prefixNames())
}

// timeCommand prints the median time of an operation with its 95 % interval.
func timeCommand(ctx context.Context, args []string, s streams) error {
	p, sel, err := oneProgram("bench", bench.Axes(records, seedFlag, noLock), args, s.out)
	if p == nil {
		return err
	}
	unlock, err := waitForMachine(ctx, sel, s.err)
	if err != nil {
		return err
	}
	defer unlock()
	times, err := recordTimes(ctx, p)
	if err != nil {
		return inside("bench", err)
	}
	low, high, ok := stats.Ranks(uint64(len(times)), 0.5, 0.95)
	if !ok {
		return usageError("bench: -n=%d is too few for an interval; 6 is the least", len(times))
	}
	_, err = fmt.Fprintf(s.out, "ct/%s\n%24stime:   [%s %s %s]\n", p.Name(), "", precise(times[low-1]), precise(times[len(times)/2]), precise(times[high-1]))
	return err
}

// recordTimes returns the times of all records in ns, sorted.
func recordTimes(ctx context.Context, p *oneshot.Program) ([]float64, error) {
	r, err := p.Prepare(ctx)
	if err != nil {
		return nil, err
	}
	now, done := clock(p.Op, p.Case)
	defer done()
	var times []float64
	_, err = r.Work(ctx, func(_ int, work func()) {
		start := now()
		work()
		times = append(times, float64(now()-start))
	})
	slices.Sort(times)
	return times, err
}

// precise writes a time in ns with four decimals.
func precise(ns float64) string {
	d := time.Duration(ns)
	switch {
	case d >= time.Second:
		return fmt.Sprintf("%.4f s", ns/1e9)
	case d >= time.Millisecond:
		return fmt.Sprintf("%.4f ms", ns/1e6)
	case d >= time.Microsecond:
		return fmt.Sprintf("%.4f µs", ns/1e3)
	}
	return fmt.Sprintf("%.1f ns", ns)
}
