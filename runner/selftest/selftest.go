// Package selftest audits the runner on the machine where it is to be used:
// does it cost what it says, does it start when it should, do its intervals
// hold as often as they promise, does it raise no alarm where there is nothing?
//
//	selftest.go  Run: all checks, their table, what failed
//	machine.go   checks that depend on the machine: clock, recording, pacer
//	numbers.go   checks that do not: coverage, false alarms
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
	// Scale multiplies how long and how often checks look; 0 is 1, which takes
	// some five seconds of processor time.
	Scale float64
	// Bounds replace those of checks, by their names.
	Bounds map[string]float64
}

// ErrBound says that a check is beyond its bound.
var ErrBound = errors.New("selftest: beyond the bound")

// A check measures one number that must not exceed its bound (or, if least is
// set, not be below it).
type check struct {
	name  string
	unit  string
	bound float64
	least bool
	says  string
	of    func(context.Context, float64) (float64, error)
}

var checks = []check{
	{"clock step", "ns", 1000, false, "least difference between two readings", clockStep},
	{"clock reading", "ns", 1000, false, "median", clockReading},
	{"recording", "ns", 150, false, "median of what an operation costs beside the reading of the clock, best of 3", best(recording)},
	{"recording allocations", "per op", 0.01, false, "of the same", recordingAllocations},
	{"throughput error", "%", 0.5, false, "against operations counted and timed apart, best of 3", best(throughputError)},
	{"pacer lag", "ms", 5, false, "mean of the timer at 200/s, best of 3", best(pacerLag)},
	{"stall seen", "ops", 10, true, "operations planned during a stall of 200 ms at 100/s that show it", stallSeen},
	{"coverage", "%", 94, true, "95 % intervals of the median that hold it, independent latencies", coverage},
	{"coverage AR(1)", "%", 90, true, "the same, latencies that depend on those before", coverageAR1},
	{"coverage stopped", "%", 93, true, "intervals of the mean at the moment that they are tight enough", coverageStopped},
	{"false trends", "%", 7, false, "steady series in which a trend is seen", falseTrends},
	{"false dependence", "%", 7, false, "independent series that are taken for dependent", falseDependence},
}

// best is the least of three looks: what other programs do to the machine adds
// to some of them, what the runner does wrong to all.
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

// Run does all checks and writes a line for each to w. The error wraps ErrBound
// and names the checks that are beyond their bounds.
func Run(ctx context.Context, w io.Writer, o Options) error {
	if o.Scale == 0 {
		o.Scale = 1
	}
	if err := line(w, "check", "value", "bound", "verdict", "what"); err != nil {
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
		if err := line(w, c.name, fmt.Sprintf("%.3g %s", v, c.unit), fmt.Sprintf("%s %g", sign, c.bound), verdict, c.says); err != nil {
			return err
		}
	}
	if failed != nil {
		return fmt.Errorf("%w: %s", ErrBound, strings.Join(failed, ", "))
	}
	return nil
}

// line is one line of the table, which is written as checks end.
func line(w io.Writer, check, value, bound, verdict, what string) error {
	_, err := fmt.Fprintf(w, "%-22s %-16s %-8s %-8s %s\n", check, value, bound, verdict, what)
	return err
}
