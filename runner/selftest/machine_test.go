package selftest

import (
	"cmp"
	"context"
	"errors"
	"os"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/schedule"
	"github.com/zkatbench/zkatbench/runner/stats"
)

var noop = runner.Func(func(context.Context) error { return nil })

// ErrBound reports a figure outside its bound.
var ErrBound = errors.New("selftest: outside the bound")

var errCutShort = errors.New("the run was cut short")

// run is a run that must reach its end; any other end is an error.
func run(ctx context.Context, c runner.Config, op runner.Operation) (*result.Result, error) {
	r, err := runner.Run(ctx, c, op)
	if err != nil {
		return nil, err
	}
	if r.Interrupted {
		return nil, cmp.Or(ctx.Err(), errCutShort)
	}
	return r, judge.Check(r)
}

func clockStep(ctx context.Context, _ float64) (float64, error) {
	r, err := run(ctx, runner.Config{Workers: 1, Ops: 1, WarmUp: -1}, noop)
	if err != nil {
		return 0, err
	}
	return float64(r.Clock.Step), nil
}

// looping runs an empty operation, so its latencies are iterations
// of the loop: one clock reading, the call, and recording.
func looping(ctx context.Context, scale float64) (*result.Result, error) {
	return run(ctx, runner.Config{Workers: 1, Ops: int64(500_000 * scale), WarmUp: -1, Batch: 1}, noop)
}

// recording is the median iteration minus the median clock reading.
// Interruptions by the machine affect few iterations, so they do not move the
// median.
func recording(ctx context.Context, scale float64) (float64, error) {
	r, err := looping(ctx, scale)
	if err != nil {
		return 0, err
	}
	reading, err := clockReading(ctx, scale)
	return max(0, r.Latency.Quantile(0.5)-reading), err
}

// clockReading is the median difference between two readings, in ns.
func clockReading(_ context.Context, scale float64) (float64, error) {
	start := time.Now()
	last := time.Since(start)
	differences := make([]float64, int(10_000*scale))
	for i := range differences {
		now := time.Since(start)
		differences[i], last = float64(now-last), now
	}
	return stats.Median(differences), nil
}

func recordingAllocations(ctx context.Context, scale float64) (float64, error) {
	r, err := looping(ctx, scale)
	if err != nil {
		return 0, err
	}
	return r.Usage.AllocsPerOp, nil
}

// throughputError compares the throughput of operations that sleep, for a time
// that does not divide the window, with their count over their total time.
func throughputError(ctx context.Context, scale float64) (float64, error) {
	const workers = 3
	var ns, n atomic.Int64
	r, err := run(ctx,
		runner.Config{Workers: workers, Duration: time.Duration(500 * scale * float64(time.Millisecond)),
			WarmUp: -1},
		runner.Func(func(context.Context) error {
			start := time.Now()
			time.Sleep(130 * time.Millisecond)
			ns.Add(int64(time.Since(start)))
			n.Add(1)
			return nil
		}))
	if err != nil {
		return 0, err
	}
	want := workers * float64(n.Load()) / (float64(ns.Load()) / 1e9)
	return 100 * max(r.Throughput()/want-1, 1-r.Throughput()/want), nil
}

func pacerLag(ctx context.Context, scale float64) (float64, error) {
	plan := &schedule.Plan{Arrival: schedule.Constant, Rate: 200}
	r, err := run(ctx,
		runner.Config{Workers: 2, Duration: time.Duration(500 * scale * float64(time.Millisecond)),
			WarmUp: -1, Plan: plan}, noop)
	if err != nil {
		return 0, err
	}
	return float64(r.Open.LagMean) / 1e6, nil
}

func stallSeen(ctx context.Context, _ float64) (float64, error) {
	plan := &schedule.Plan{Arrival: schedule.Constant, Rate: 100}
	calls := 0
	r, err := run(ctx, runner.Config{Workers: 1, Duration: time.Second, WarmUp: -1, Plan: plan},
		runner.Func(func(context.Context) error {
			if calls++; calls == 30 {
				time.Sleep(200 * time.Millisecond)
			}
			return nil
		}))
	if err != nil {
		return 0, err
	}
	share, _ := judge.Beyond(r, 50e6)
	return share * float64(r.Records), nil
}

// A check measures one number that must not exceed its bound or, if least is
// set, must not fall below it.
type check struct {
	name         string
	unit         string
	bound, loose float64 // loose on a machine that runs other programs at the same time
	least        bool
	description  string
	of           func(context.Context, float64) (float64, error)
}

var checks = []check{
	{"clock step", "ns", 1000, 1000, false, "least difference between two readings", clockStep},
	{"clock reading", "ns", 1000, 1000, false, "median", clockReading},
	{"recording", "ns", 150, 1e5, false, "median cost of an operation without the clock reading, best of 3",
		best(recording)},
	{"recording allocations", "per op", 0.01, 1, false, "heap allocations of recording",
		recordingAllocations},
	{"throughput error", "%", 0.5, 20, false, "against an independent count and time, best of 3",
		best(throughputError)},
	{"pacer lag", "ms", 5, 1000, false, "mean lateness of the timer at 200/s, best of 3", best(pacerLag)},
	{"stall seen", "ops", 10, 10, true, "operations delayed by a stall of 200 ms at 100/s", stallSeen},
}

// best returns the least of three measurements: other programs on the machine
// disturb some of them, a fault of the runner affects all.
func best(of func(context.Context, float64) (float64, error)) func(context.Context, float64) (float64,
	error) {
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

// TestMachine audits this machine. With ZKAT_AUDIT, a factor for the length of the
// checks, it demands the bounds of an otherwise idle machine.
func TestMachine(t *testing.T) {
	scale, strict := 0.5, false
	if text := os.Getenv("ZKAT_AUDIT"); text != "" {
		var err error
		scale, err = strconv.ParseFloat(text, 64)
		require.NoError(t, err)
		strict = true
	}
	for _, c := range checks {
		v, err := c.of(t.Context(), scale)
		require.NoError(t, err, c.name)
		bound, sign := c.loose, "at most"
		if strict {
			bound = c.bound
		}
		beyond := v > bound
		if c.least {
			beyond, sign = v < bound, "at least"
		}
		t.Logf("%s: %.3g %s, %s %g: %s", c.name, v, c.unit, sign, bound, c.description)
		if beyond {
			t.Errorf("%s is beyond its bound", c.name)
		}
	}
}
