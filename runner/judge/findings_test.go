package judge_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/hist"
	"github.com/zkatbench/zkatbench/runner/host"
	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

func seconds(v float64) *float64 { return &v }

// quiet is a Result without findings: 100 000 latencies around 1 ms in 51 s of
// two workers.
func quiet() *result.Result {
	r := &result.Result{
		Version: result.Version, Config: result.Config{Workers: 2, Batch: 1}, Elapsed: 51 * time.Second,
		End:  result.EndTime,
		Done: 100_000, Weighted: 100_000, Records: 100_000, Latency: hist.New(),
		Moments: result.Moments{Mean: 1e6, StdDev: 5e3, Min: 0.99e6, Max: 1.02e6}, Busy: 100 * time.Second,
		Control: result.Control{N: 100, Median: 40e3, Spread: 0.01},
		Usage:   result.Usage{AllocsPerOp: 10, GCShare: 0.001},
		Before: host.State{GOMAXPROCS: 4, CPUs: 4, Governor: "performance", Steal: seconds(1),
			Pressure: seconds(1), Throttled: seconds(0)},
	}
	for i := range uint64(1000) {
		r.Latency.AddN(990_000+20*i, 100)
	}
	r.After, r.Apart = r.Before, time.Minute
	for i := range uint64(100) {
		n := uint64(1000)
		r.Timeline.Cells = append(r.Timeline.Cells,
			result.Cell{Ops: 1000, N: n, Sum: float64(n * (1e6 + i%7)), Index: n * uint64(hist.Index(1e6))})
	}
	r.Timeline.Tick = 510 * time.Millisecond
	return r
}

// open turns r into the Result of an open loop.
func open(r *result.Result, o result.Open) {
	r.Config.Plan, r.Open, r.Service = &schedule.Plan{Arrival: schedule.Constant, Rate: 1000}, &o, &r.Latency
}

// kinds are the kinds of findings.
func kinds(r *result.Result) (found []string) {
	for _, f := range judge.Findings(r) {
		found = append(found, f.Kind)
	}
	return found
}

// TestStallsAreRare: latencies that are slow in one of a hundred operations are not
// hidden stalls, since P99 shows them.
func TestStallsAreRare(t *testing.T) {
	for slow, want := range map[uint64]bool{2: false, 3: true, 9: true, 10: false} {
		r := quiet()
		r.Latency = hist.New()
		r.Latency.AddN(1_000_000, 1000-slow)
		r.Latency.AddN(100_000_000, slow)
		require.Equal(t, want, slices.Contains(kinds(r), "hidden stalls"), "%d: %v", slow, kinds(r))
	}
}

// TestEveryFindingHasItsCause adds one fault to a quiet Result and expects
// exactly the findings of this fault. It distinguishes a noisy machine from an
// operation with several kinds of inputs.
func TestEveryFindingHasItsCause(t *testing.T) {
	require.Empty(t, judge.Findings(quiet()))
	tested := map[string]int{}
	for _, c := range []struct {
		cause func(r *result.Result)
		kind  string // the only finding
	}{
		{func(r *result.Result) {
			r.Failed = 1
			r.Errors = map[string]uint64{"no": 1}
		}, "failures"},
		{func(r *result.Result) {
			r.End, r.Config.Stall = result.EndStalled, time.Minute
		}, "stalled"},
		{func(r *result.Result) { r.Done = 0 }, "nothing done"},
		{func(r *result.Result) { r.Abandoned = 1 }, "abandoned"},
		{func(r *result.Result) {
			open(r, result.Open{Offered: 102_000, Started: 100_000, Backlog: 2000, ServiceMean: 2.04e6})
		}, "overloaded"},
		{func(r *result.Result) {
			open(r, result.Open{Offered: 100_500, Started: 100_000, Backlog: 500, ServiceMean: 2.01e6})
		}, "overloaded"},
		{func(r *result.Result) {
			open(r, result.Open{Offered: 100_000, Started: 100_000})
			r.Config.Ceiling = 1400
		}, "bound by the generator"},
		{func(r *result.Result) {
			open(r, result.Open{Offered: 100_000, Started: 100_000, LagMean: 200 * time.Microsecond})
		}, "pacer lag"},
		{func(r *result.Result) {
			r.Latency = hist.New()
			r.Latency.AddN(1e6, 999)
			r.Records, r.Done = 999, 999
		}, "few operations"},
		{func(r *result.Result) { r.Elapsed = 4 * time.Second }, "short window"},
		{func(r *result.Result) {
			r.WarmUp = result.WarmUp{Took: time.Second, Wanted: true}
		}, "never steady"},
		{func(r *result.Result) {
			r.Config.Precision, r.Config.PrecisionOf = 1e-9, "mean"
		}, "precision missed"},
		{func(r *result.Result) { r.Control.Spread = 0.2 }, "noisy machine"},
		{func(r *result.Result) { r.Moments.StdDev = 0.3e6 }, "wide distribution"},
		{func(r *result.Result) { r.Latency.AddN(4e6, 1500); r.Records += 1500 }, "long tail"},
		{func(r *result.Result) {
			r.Latency.AddN(1.5e6, 100_000)
			r.Records *= 2
		}, "several modes"},
		{func(r *result.Result) { r.Moments.Max = 2e8 }, "outlier"},
		{func(r *result.Result) {
			for i := range r.Timeline.Cells {
				r.Timeline.Cells[i].Sum += 1000 * float64(2000*i)
			}
		}, "drift"},
		{func(r *result.Result) { // half a minute slow, half fast
			for i := range r.Timeline.Cells {
				r.Timeline.Cells[i].Index = 1000 * uint64(hist.Index(990_000+20_000*uint64(i/50)))
			}
		}, "remembers"},
		{func(r *result.Result) { r.Latency.AddN(1e8, 50); r.Records += 50 }, "hidden stalls"},
		{func(r *result.Result) {
			for i := range 10 {
				r.Slowest = append(r.Slowest,
					result.Slow{From: time.Duration(i) * 5 * time.Second, Latency: time.Second})
			}
		}, "periodic stalls"},
		{func(r *result.Result) { // the first tenth is half slower
			for i := range 10 {
				r.Timeline.Cells[i].Sum *= 1.5
			}
			r.Moments.Mean *= 1.05
		}, "start-up"},
		{func(r *result.Result) { r.Elapsed = time.Minute }, "overhead"},
		{func(r *result.Result) { r.Clock.Step = 2 * time.Microsecond }, "coarse clock"},
		{func(r *result.Result) { r.Before.GOMAXPROCS = 1 }, "more workers than processors"},
		{func(r *result.Result) { r.Usage.GCShare = 0.2 }, "garbage collection"},
		{func(r *result.Result) { r.Usage.AllocsPerOp = 2000 }, "allocations"},
		{func(r *result.Result) { r.Usage.MutexWait = 10 * time.Second }, "lock waiting"},
		{func(r *result.Result) {
			r.Usage.Scheduled, r.Usage.SchedP99 = 100_000, time.Millisecond
		}, "scheduler latency"},
		{func(r *result.Result) { r.Usage.Goroutines = 300_000 }, "goroutines"},
		{func(r *result.Result) { r.After.Steal = seconds(10) }, "stolen time"},
		{func(r *result.Result) { r.After.Pressure = seconds(10) }, "processor pressure"},
		{func(r *result.Result) { r.After.Throttled = seconds(1) }, "throttled"},
		{func(r *result.Result) { r.Before.Governor = "powersave" }, "governor"},
	} {
		i := tested[c.kind]
		tested[c.kind]++
		t.Run(fmt.Sprintf("%s %d", c.kind, i), func(t *testing.T) {
			r := quiet()
			c.cause(r)
			require.Equal(t, []string{c.kind}, kinds(r))
			f := judge.Findings(r)[0]
			require.NotContains(t, f.Observed, "%s")
			require.NotEmpty(t, f.Observed)
			require.NotEmpty(t, f.Advice)
		})
	}
	for kind := range judge.Thresholds() {
		t.Run(kind, func(t *testing.T) {
			require.Positive(t, tested[kind], "%s is not tested", kind)
		})
	}
}

// TestStartUpsWithATrend: latencies that fall for a part of the hundred ticks and then stay are a
// start-up, whether the trend is of all ticks or only of the first half.
func TestStartUpsWithATrend(t *testing.T) {
	for _, c := range []struct {
		falls, slope, noise float64
		want                bool
	}{
		{40, 0.02, 0, true},     // a trend of the first half
		{60, 0.01, 0.3, true},   // a trend of all
		{100, 0.01, 0.3, false}, // a drift
		{0, 0, 0.3, false},
	} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			r, sum := quiet(), 0.0
			for i := range r.Timeline.Cells {
				mean := 1.5 - c.slope*min(float64(i), c.falls) + c.noise*float64(i%2) // in ms
				r.Timeline.Cells[i].Sum, sum = 1e9*mean, sum+mean
			}
			r.Moments.Mean = 1e6 * sum / 100
			require.Equal(t, c.want, slices.Contains(kinds(r), "start-up"), kinds(r))
		})
	}
}

// TestSlowOperationsAtIntervals are stalls from ten times the median of 1 ms on.
func TestSlowOperationsAtIntervals(t *testing.T) {
	for latency, want := range map[time.Duration]bool{9: false, 11: true} {
		r := quiet()
		for i := range time.Duration(64) {
			r.Slowest = append(r.Slowest,
				result.Slow{From: i * 790 * time.Millisecond, Latency: latency * time.Millisecond})
		}
		require.Equal(t, want, slices.Contains(kinds(r), "periodic stalls"), "%d ms", latency)
	}
}

// TestUnknownIsNoReasonToWarn uses a machine with unknown State.
func TestUnknownIsNoReasonToWarn(t *testing.T) {
	r := quiet()
	r.Before = host.State{GOMAXPROCS: 4, Governor: host.Unknown}
	r.After = r.Before
	require.Empty(t, judge.Findings(r))
}

// TestPrecisionOfNothing: operations that take no time have no precision that could be missed.
func TestPrecisionOfNothing(t *testing.T) {
	r := replay(t, result.Config{Workers: 1, Ops: 500}, func(int, time.Duration) time.Duration { return 0 })
	r.Config.Precision = 0.01
	require.NotContains(t, kinds(r), "precision missed")
}

// TestUnbatchedOperationsAreReported: without a warm-up the length of an
// operation is not known in time.
func TestUnbatchedOperationsAreReported(t *testing.T) {
	r, err := runner.Run(t.Context(), result.Config{Workers: 1, Ops: 10_000, WarmUp: -1},
		runner.Func(func(context.Context) error { return nil }))
	require.NoError(t, err)
	require.Equal(t, 1, r.Config.Batch)
	require.Contains(t, kinds(r), "coarse clock")
}
