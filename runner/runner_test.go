package runner_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

func run(t *testing.T, c runner.Config, op runner.Operation) *result.Result {
	t.Helper()
	r, err := runner.Run(context.Background(), c, op)
	require.NoError(t, err)
	require.NoError(t, judge.Check(r))
	return r
}

// replay runs operations that take given times.
func replay(t *testing.T, c runner.Config,
	service func(i int, start time.Duration) time.Duration) *result.Result {
	t.Helper()
	r, err := runner.Replay(c, service)
	require.NoError(t, err)
	require.NoError(t, judge.Check(r))
	return r
}

// virtual runs op in virtual time.
func virtual(t *testing.T, c runner.Config, op runner.Operation) (r *result.Result) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { r = run(t, c, op) })
	return r
}

// sleeper takes d, exactly in the virtual time of synctest.
func sleeper(d time.Duration) runner.Operation {
	return runner.Func(func(context.Context) error { time.Sleep(d); return nil })
}

// TestThroughputIsUnbiased uses operation times that do not divide the window.
func TestThroughputIsUnbiased(t *testing.T) {
	for _, workers := range []int{1, 3, 8} {
		for _, op := range []time.Duration{3 * ms, 70 * ms, 300 * ms, 1700 * ms} {
			t.Run(fmt.Sprintf("%d workers, %v", workers, op), func(t *testing.T) {
				r := virtual(t, runner.Config{Workers: workers, Duration: time.Second}, sleeper(op))
				require.InEpsilon(t, float64(workers)/op.Seconds(), r.Throughput(), 0.005)
				require.GreaterOrEqual(t, r.PureThroughput()*(1+1e-9), r.Throughput())
			})
		}
	}
}

func TestFailuresAreCountedApart(t *testing.T) {
	calls := 0
	r := virtual(t, runner.Config{Workers: 1, Duration: time.Second},
		runner.Func(func(context.Context) error {
			calls++
			switch {
			case calls%10 == 0:
				time.Sleep(ms)
				return errors.New("boom")
			case calls == 55:
				panic("unexpected")
			case calls == 57:
				runtime.Goexit()
			}
			time.Sleep(10 * ms)
			return nil
		}))
	require.InEpsilon(t, 1e7, r.Moments.Max, 0.001, "failures are not in the latencies")
	require.Positive(t, r.Errors["boom"])
	require.EqualValues(t, 1, r.Errors["operation panicked: unexpected"])
	require.EqualValues(t, 1, r.Errors["operation ended its goroutine"])
	require.Contains(t, r.Stack, "runner_test.go")
	require.Contains(t, kindsOf(r), "failures")
}

// TestFailuresTakeTheirTimeFromThePlan: ten operations of 30 ms are planned 10 ms apart.
func TestFailuresTakeTheirTimeFromThePlan(t *testing.T) {
	for name, end := range map[string]func() error{
		"error": func() error { return errors.New("no") }, "panic": func() error { panic("no") },
		"exit": func() error { runtime.Goexit(); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			op := runner.Func(func(context.Context) error { time.Sleep(30 * ms); return end() })
			c := runner.Config{Workers: 1, Ops: 10, WarmUp: -1}
			r := virtual(t, c, op)
			require.Equal(t, []float64{300e6, 30e6}, []float64{r.Failures.Sum, r.Failures.Most})
			c.Plan = constant(100)
			r = virtual(t, c, op)
			require.Equal(t, []float64{1200e6, 210e6}, []float64{r.Failures.Sum, r.Failures.Most})
		})
	}
}

// TestCancelledRunSaysSoAndLeavesHangingOperations cancels an operation that takes a minute.
func TestCancelledRunSaysSoAndLeavesHangingOperations(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		defer time.AfterFunc(500*ms, cancel).Stop()
		calls, started, reported := 0, time.Now(), time.Duration(0)
		r, err := runner.Run(ctx, runner.Config{Workers: 1, Duration: time.Hour, WarmUp: time.Millisecond,
			Slower: func(s result.Slow) { reported = s.Latency }},
			runner.Func(func(context.Context) error {
				if calls++; calls > 30 {
					time.Sleep(time.Minute)
				}
				time.Sleep(10 * ms)
				return nil
			}))
		require.NoError(t, err)
		require.NoError(t, judge.Check(r))
		require.True(t, r.Interrupted)
		require.Equal(t, "interrupted", r.End)
		require.Equal(t, 1, r.Abandoned)
		require.Positive(t, r.Done)
		require.LessOrEqual(t, time.Since(started), 2500*ms,
			"two seconds after it was cancelled")
		time.Sleep(2 * time.Minute) // until the abandoned operation ends
		require.Equal(t, 10*ms, reported, "the abandoned operation is not reported")
	})
}

// TestRunThatEndsInItsWarmUpStartsNoWindow hangs in the warm-up, is cancelled
// or detected as stalled there, and must not start again.
func TestRunThatEndsInItsWarmUpStartsNoWindow(t *testing.T) {
	for end, within := range map[string]time.Duration{"interrupted": 2500 * ms, "stalled": 33 * time.Second} {
		t.Run(end, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				if end == "interrupted" {
					defer time.AfterFunc(500*ms, cancel).Stop()
				}
				var calls atomic.Int64
				started := time.Now()
				r, err := runner.Run(ctx, runner.Config{Workers: 3, Duration: time.Hour, WarmUp: time.Minute},
					runner.Func(func(context.Context) error {
						calls.Add(1)
						time.Sleep(time.Hour)
						return nil
					}))
				require.NoError(t, err)
				require.NoError(t, judge.Check(r))
				require.LessOrEqual(t, time.Since(started), within, end)
				require.EqualValues(t, 3, calls.Load(), "one for each worker")
				require.Equal(t, end, r.End)
				require.True(t, r.Interrupted)
				require.Equal(t, 3, r.Abandoned)
				require.Zero(t, r.Elapsed)
				require.Zero(t, r.Throughput())
				require.Equal(t, end == "stalled",
					strings.Contains(r.Dump, "TestRunThatEndsInItsWarmUpStartsNoWindow"))
				time.Sleep(2 * time.Hour) // until the abandoned operations end
			})
		})
	}
}

func TestHangingSetUpCanBeCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		defer time.AfterFunc(500*ms, cancel).Stop()
		started := time.Now()
		_, err := runner.Run(ctx, runner.Config{Workers: 1, Duration: time.Second}, runner.Once(
			func(context.Context) (int, error) { time.Sleep(time.Minute); return 0, nil },
			func(context.Context, int) error { return nil }))
		require.ErrorIs(t, err, context.Canceled)
		require.Less(t, time.Since(started), 2500*ms)
		time.Sleep(2 * time.Minute) // until the abandoned set-up ends
	})
}

func TestStalledRunEndsWithADump(t *testing.T) {
	calls := 0
	r := virtual(t, runner.Config{Workers: 1, Duration: time.Hour, WarmUp: -1},
		runner.Func(func(ctx context.Context) error {
			if calls++; calls > 3 {
				<-ctx.Done()
				return ctx.Err()
			}
			time.Sleep(time.Second)
			return nil
		}))
	require.Equal(t, "stalled", r.End)
	require.True(t, r.Interrupted)
	require.EqualValues(t, 3, r.Done)
	require.Zero(t, r.Failed, "operations cut by the end of the run are not failures")
	require.Equal(t, 1, r.Abandoned)
	require.InDelta(t, 33, r.Elapsed.Seconds(), 1.01)
	require.Contains(t, r.Dump, "TestStalledRunEndsWithADump")
}

func TestOperationsAreLimitedExactly(t *testing.T) {
	for _, ops := range []int64{1, 7, 1000, 12345} {
		t.Run(fmt.Sprint(ops), func(t *testing.T) {
			r := virtual(t, runner.Config{Workers: 4, Ops: ops, WarmUp: -1}, sleeper(ms))
			replayed := replay(t, runner.Config{Workers: 11, Ops: ops},
				func(i int, _ time.Duration) time.Duration { return time.Duration(i%37) * ms })
			for _, r := range []*result.Result{r, replayed} {
				require.NoError(t, judge.Check(r))
				require.EqualValues(t, ops, r.Done)
				require.Equal(t, "operations", r.End)
				require.InDelta(t, float64(ops), r.Weighted, 1e-6*float64(ops))
			}
		})
	}
}

// TestConfigIsChecked has the numbers of each limit, and one beyond.
func TestConfigIsChecked(t *testing.T) {
	const second = time.Second
	plan := constant(1)
	for text, c := range map[string]runner.Config{
		"0 workers are outside [1, 4096]": {},
		"-1 workers":                      {Workers: -1, Duration: second},
		"4097 workers":                    {Workers: 4097, Duration: second},
		"at most 4097 workers":            {Workers: 1, MaxWorkers: 4097, Plan: plan, Ops: 1},
		"at most -1 workers":              {Workers: 1, MaxWorkers: -1, Plan: plan, Ops: 1},
		"needs a plan":                    {Workers: 1, MaxWorkers: 2, Ops: 1},
		"one worker at the start":         {Workers: 2, MaxWorkers: 2, Plan: plan, Ops: 1},
		"a duration of -1ns is below 1ms": {Workers: 1, Duration: -1},
		"a duration of 999.999µs":         {Workers: 1, Duration: time.Millisecond - 1, Ops: 1},
		"neither a duration nor a number": {Workers: 1},
		"operations -1, batch 0":          {Workers: 1, Ops: -1},
		"batch -1":                        {Workers: 1, Ops: 1, Batch: -1},
		"timeout -1ns":                    {Workers: 1, Ops: 1, Timeout: -1},
		"stall -1ns":                      {Workers: 1, Ops: 1, Stall: -1},
		"a batch of 2, but a plan":        {Workers: 1, Ops: 1, Batch: 2, Plan: plan},
		"a precision of 1 is outside":     {Workers: 1, Ops: 1, Precision: 1},
		"a precision of -0.1":             {Workers: 1, Ops: 1, Precision: -0.1},
		"a precision of NaN":              {Workers: 1, Ops: 1, Precision: math.NaN()},
		"without HalfWidth":               {Workers: 1, Ops: 1, Precision: 0.1},
		`precision of "p98"`:              {Workers: 1, Ops: 1, PrecisionOf: "p98"},
		"a rate of 0/s":                   {Workers: 1, Ops: 1, Plan: &schedule.Plan{}},
	} {
		t.Run(text, func(t *testing.T) {
			_, err := runner.Run(context.Background(), c, sleeper(0))
			require.ErrorIs(t, err, runner.ErrConfig)
			require.ErrorContains(t, err, text)
			_, replayed := runner.Replay(c, func(int, time.Duration) time.Duration { return 1 })
			require.Equal(t, err, replayed)
		})
	}
	for _, c := range []runner.Config{
		{Workers: 4096, Ops: 1, Batch: 2}, {Workers: 1, MaxWorkers: 4096, Plan: plan, Ops: 1, Batch: 1},
		{Workers: 1, Duration: ms, Precision: 0.999, HalfWidth: judge.HalfWidth},
	} {
		replay(t, c, func(int, time.Duration) time.Duration { return ms })
	}
	_, err := runner.Run(context.Background(), runner.Config{Workers: 1, Ops: 1}, runner.Operation{})
	require.ErrorIs(t, err, runner.ErrConfig)
}

// TestDefaults: the warm-up is a tenth of the window and at most a second, or ends when it is
// steady.
func TestDefaults(t *testing.T) {
	for _, c := range []struct {
		duration time.Duration
		steady   bool
		warmUp   time.Duration
	}{{5 * time.Second, false, 500 * ms}, {20 * time.Second, false, time.Second}, {0, true, 100 * ms},
		{5 * time.Second, true, 5 * time.Second}, {20 * time.Second, true, 10 * time.Second}} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			r := virtual(t, runner.Config{Workers: 1, Ops: 5, Duration: c.duration, Steady: c.steady},
				sleeper(ms))
			require.Equal(t, c.warmUp, r.Config.WarmUp)
			require.Equal(t, 30*time.Second, r.Config.Stall)
			require.Equal(t, "mean", r.Config.PrecisionOf)
		})
	}
}

// TestTicksAreHundredths: the first tick is short, and doubles up to a hundredth of the window.
func TestTicksAreHundredths(t *testing.T) {
	for duration, want := range map[time.Duration]time.Duration{0: ms, ms: 10 * time.Microsecond,
		100 * ms: ms, 101 * ms: 1010 * time.Microsecond, time.Second: 10 * ms} {
		t.Run(duration.String(), func(t *testing.T) {
			c := runner.Config{Workers: 1, Duration: duration, WarmUp: 1}
			if duration == 0 {
				c.Ops = 1000
			}
			r := virtual(t, c, sleeper(100*time.Microsecond))
			require.Equal(t, want, r.Timeline.Tick)
		})
	}
}

func TestMessagesAreBounded(t *testing.T) {
	calls := 0
	r := virtual(t, runner.Config{Workers: 1, Ops: 1000, WarmUp: -1},
		runner.Func(func(context.Context) error {
			calls++
			time.Sleep(ms)
			return fmt.Errorf("call %d: %s", calls, strings.Repeat("é", 5000))
		}))
	require.Len(t, r.Errors, 21)
	require.EqualValues(t, 980, r.Errors["other messages"])
	require.Contains(t, strings.Join(slices.Collect(maps.Keys(r.Errors)), "\n"), "call 20: ",
		"the first twenty are kept")
	for m := range r.Errors {
		t.Run(m, func(t *testing.T) {
			require.Less(t, len(m), 1010)
			require.True(t, utf8.ValidString(m))
		})
	}
}
