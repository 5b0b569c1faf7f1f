package selftest_test

import (
	"context"
	"math"
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

// run is a run that must reach its end.
func run(t *testing.T, c runner.Config, op runner.Operation) *result.Result {
	t.Helper()
	c.WarmUp = -1
	r, err := runner.Run(t.Context(), c, op)
	require.NoError(t, err)
	require.False(t, r.Interrupted)
	require.NoError(t, judge.Check(r))
	return r
}

func clockStep(t *testing.T, _ float64) float64 {
	return float64(run(t, runner.Config{Workers: 1, Ops: 1}, noop).Clock.Step)
}

// looping runs an empty operation, so its latencies are iterations
// of the loop: one clock reading, the call, and recording.
func looping(t *testing.T, scale float64) *result.Result {
	return run(t, runner.Config{Workers: 1, Ops: int64(500_000 * scale), Batch: 1}, noop)
}

// recording is the median iteration minus the median clock reading.
// Interruptions by the machine affect few iterations, so they do not move the
// median.
func recording(t *testing.T, scale float64) float64 {
	return max(0, looping(t, scale).Latency.Quantile(0.5)-clockReading(t, scale))
}

// clockReading is the median difference between two readings, in ns.
func clockReading(_ *testing.T, scale float64) float64 {
	start := time.Now()
	last := time.Since(start)
	differences := make([]float64, int(10_000*scale))
	for i := range differences {
		now := time.Since(start)
		differences[i], last = float64(now-last), now
	}
	return stats.Median(differences)
}

func recordingAllocations(t *testing.T, scale float64) float64 {
	return looping(t, scale).Usage.AllocsPerOp
}

// throughputError compares the throughput of operations that sleep, for a time
// that does not divide the window, with their count over their total time.
func throughputError(t *testing.T, scale float64) float64 {
	const workers = 3
	var ns, n atomic.Int64
	r := run(t,
		runner.Config{Workers: workers, Duration: time.Duration(500 * scale * float64(time.Millisecond))},
		runner.Func(func(context.Context) error {
			start := time.Now()
			time.Sleep(130 * time.Millisecond)
			ns.Add(int64(time.Since(start)))
			n.Add(1)
			return nil
		}))
	want := workers * float64(n.Load()) / (float64(ns.Load()) / 1e9)
	return 100 * math.Abs(r.Throughput()/want-1)
}

func pacerLag(t *testing.T, scale float64) float64 {
	r := run(t, runner.Config{Workers: 2, Duration: time.Duration(500 * scale * float64(time.Millisecond)),
		Plan: &schedule.Plan{Rate: 200}}, noop)
	return float64(r.Open.LagMean) / 1e6
}

func stallSeen(t *testing.T, _ float64) float64 {
	calls := 0
	r := run(t, runner.Config{Workers: 1, Duration: time.Second, Plan: &schedule.Plan{Rate: 100}},
		runner.Func(func(context.Context) error {
			if calls++; calls == 30 {
				time.Sleep(200 * time.Millisecond)
			}
			return nil
		}))
	share, _ := judge.Beyond(r, 50e6)
	return share * float64(r.Records)
}

// A check measures one number that must not exceed its bound or, if least is
// set, must not fall below it.
type check struct {
	name         string
	unit         string
	bound, loose float64 // loose on a machine that runs other programs at the same time
	least        bool
	description  string
	of           func(t *testing.T, scale float64) float64
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
func best(of func(*testing.T, float64) float64) func(*testing.T, float64) float64 {
	return func(t *testing.T, scale float64) float64 {
		return min(of(t, scale), of(t, scale), of(t, scale))
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
		t.Run(c.name, func(t *testing.T) {
			v, bound, sign := c.of(t, scale), c.loose, "at most"
			if strict {
				bound = c.bound
			}
			beyond := v > bound
			if c.least {
				beyond, sign = v < bound, "at least"
			}
			t.Logf("%.3g %s, %s %g: %s", v, c.unit, sign, bound, c.description)
			require.False(t, beyond, "%.3g %s is beyond the bound of %g", v, c.unit, bound)
		})
	}
}
