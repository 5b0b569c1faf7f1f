// Package selftest audits the machine where the runner will be used: its clock, the
// cost of recording, the punctuality of starts, and stalls. Whether the figures of the
// runner are right does not depend on the machine: its tests show it in simulated time.
//
//	selftest.go  Run: all checks, their table, failures
//	machine.go   the checks: clock, recording, pacer, stalls
package selftest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Options of a Run.
type Options struct {
	// Scale multiplies the length of the checks; 0 means 1, some seconds.
	Scale float64
	// Bounds replaces the bounds of checks, by name.
	Bounds map[string]float64
}

// ErrBound reports a check outside its bound.
var ErrBound = errors.New("selftest: outside the bound")

// A check measures one number that must not exceed its bound or, if least is
// set, must not fall below it.
type check struct {
	name        string
	unit        string
	bound       float64
	least       bool
	description string
	of          func(context.Context, float64) (float64, error)
}

var checks = []check{
	{"clock step", "ns", 1000, false, "least difference between two readings", clockStep},
	{"clock reading", "ns", 1000, false, "median", clockReading},
	{"recording", "ns", 150, false, "median cost of an operation without the clock reading, best of 3", best(recording)},
	{"recording allocations", "per op", 0.01, false, "heap allocations of recording", recordingAllocations},
	{"throughput error", "%", 0.5, false, "against an independent count and time, best of 3", best(throughputError)},
	{"pacer lag", "ms", 5, false, "mean lateness of the timer at 200/s, best of 3", best(pacerLag)},
	{"stall seen", "ops", 10, true, "operations delayed by a stall of 200 ms at 100/s", stallSeen},
}

// best returns the least of three measurements: other programs on the machine
// disturb some of them, a fault of the runner affects all.
func best(of func(context.Context, float64) (float64, error)) func(context.Context, float64) (float64, error) {
	return func(ctx context.Context, scale float64) (least float64, err error) {
		for i := range 3 {
			v, err := of(ctx, scale)
			if err != nil {
				return 0, err
			}
			if i == 0 || v < least {
				least = v
			}
		}
		return least, nil
	}
}

// Run runs all checks and writes a line for each to w. The error wraps ErrBound
// and names the checks outside their bounds.
func Run(ctx context.Context, w io.Writer, o Options) error {
	if o.Scale == 0 {
		o.Scale = 1
	}
	if err := line(w, "check", "value", "bound", "verdict", "description"); err != nil {
		return err
	}
	var failed []string
	for _, c := range checks {
		if err := ctx.Err(); err != nil {
			return err
		}
		v, err := c.of(ctx, o.Scale)
		if err != nil {
			return fmt.Errorf("selftest: %s: %w", c.name, err)
		}
		if b, ok := o.Bounds[c.name]; ok {
			c.bound = b
		}
		verdict, sign := "ok", "≤"
		if c.least {
			sign = "≥"
		}
		if v > c.bound && !c.least || v < c.bound && c.least {
			verdict = "BEYOND"
			failed = append(failed, c.name)
		}
		if err := line(w, c.name, fmt.Sprintf("%.3g %s", v, c.unit), fmt.Sprintf("%s %g", sign, c.bound), verdict, c.description); err != nil {
			return err
		}
	}
	if failed != nil {
		return fmt.Errorf("%w: %s", ErrBound, strings.Join(failed, ", "))
	}
	return nil
}

// line writes one line of the table as soon as its check ends.
func line(w io.Writer, check, value, bound, verdict, description string) error {
	_, err := fmt.Fprintf(w, "%-22s %-16s %-8s %-8s %s\n", check, value, bound, verdict, description)
	return err
}
