package runner_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/render"
)

func run(t *testing.T, c runner.Config, op runner.Operation) *runner.Result {
	t.Helper()
	r, err := runner.Run(context.Background(), c, op)
	require.NoError(t, err)
	return r
}

// sleeper takes d, in the virtual time of synctest exactly.
func sleeper(d time.Duration) runner.Operation {
	return func(int) error { time.Sleep(d); return nil }
}

// TestThroughputIsUnbiased has operations that fit the window badly.
func TestThroughputIsUnbiased(t *testing.T) {
	for _, workers := range []int{1, 3, 8} {
		for _, op := range []time.Duration{3 * time.Millisecond, 70 * time.Millisecond, 300 * time.Millisecond, 1700 * time.Millisecond} {
			synctest.Test(t, func(t *testing.T) {
				r := run(t, runner.Config{Workers: workers, Duration: time.Second}, sleeper(op))
				want := float64(workers) / op.Seconds()
				require.InEpsilon(t, want, r.Throughput(), 0.005, "%d workers, %v", workers, op)
			})
		}
	}
}

func TestLatenciesAreThoseOfTheOperation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := run(t, runner.Config{Workers: 4, Duration: time.Second}, sleeper(10*time.Millisecond))
		require.InEpsilon(t, 1e7, r.Moments.Mean, 1e-6)
		require.InEpsilon(t, 1e7, r.Latency.Quantile(0.5), 0.001)
		require.Zero(t, r.Moments.StdDev)
		require.Zero(t, r.Moments.Jitter)
		require.Equal(t, r.Done, r.Latency.Total())
		require.InDelta(t, 0, r.Overhead(), 1e-9)
	})
}

func TestFailuresAreCountedApart(t *testing.T) {
	boom := errors.New("boom")
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		r := run(t, runner.Config{Workers: 1, Duration: time.Second}, func(int) error {
			calls++
			switch {
			case calls%10 == 0:
				time.Sleep(time.Millisecond)
				return boom
			case calls == 55:
				panic("lost it")
			}
			time.Sleep(10 * time.Millisecond)
			return nil
		})
		require.InEpsilon(t, 1e7, r.Latency.Quantile(0.999), 0.001, "failures are not in the percentiles")
		require.Positive(t, r.Errors["boom"])
		require.EqualValues(t, 1, r.Errors["operation panicked: lost it"])
		require.Contains(t, r.Stack, "runner_test.go")
	})
}

func TestOperationThatEndsItsGoroutineIsAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		r := run(t, runner.Config{Workers: 1, Duration: time.Second}, func(int) error {
			time.Sleep(10 * time.Millisecond)
			if calls++; calls%20 == 0 {
				runtime.Goexit()
			}
			return nil
		})
		require.Positive(t, r.Errors[runner.ErrExited.Error()])
		require.Greater(t, r.Done, uint64(80), "the worker goes on")
	})
}

func TestNothingDoneIsAFinding(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := run(t, runner.Config{Workers: 2, Duration: 10 * time.Millisecond}, func(int) error {
			time.Sleep(time.Millisecond)
			return errors.New("never")
		})
		require.Equal(t, []runner.Finding{{Kind: runner.NothingDone, Value: float64(r.Failed)}}, r.Findings())
	})
}

func TestCancelledRunSaysSoAndLeavesHangingOperations(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
		defer cancel()
		calls, started := 0, time.Now()
		r, err := runner.Run(ctx, runner.Config{Workers: 1, Duration: time.Hour, WarmUp: time.Millisecond}, func(int) error {
			if calls++; calls > 30 {
				time.Sleep(time.Minute)
			}
			time.Sleep(10 * time.Millisecond)
			return nil
		})
		require.NoError(t, err)
		require.True(t, r.Interrupted)
		require.Equal(t, 1, r.Abandoned)
		require.Positive(t, r.Done)
		require.Less(t, time.Since(started), 3*time.Second)
		var b bytes.Buffer
		require.NoError(t, render.Text(&b, r, render.Options{}))
		require.Contains(t, b.String(), "INTERRUPTED")
		time.Sleep(2 * time.Minute) // the operation left behind ends
	})
}

func TestQuantilesAgreeWithSortedValues(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for name, draw := range map[string]func() float64{
		"constant": func() float64 { return 12345 },
		"uniform":  func() float64 { return 1e9 * random.Float64() },
		"pareto":   func() float64 { return 1e4 / (1 - random.Float64()) },
	} {
		var values []float64
		h := runner.NewHistogram()
		for range 20000 {
			v := float64(uint64(draw()))
			values = append(values, v)
			h.Add(uint64(v))
		}
		slices.Sort(values)
		for _, q := range []float64{0.01, 0.5, 0.9, 0.99, 0.999} {
			exact := values[int(q*float64(len(values))+0.9999999)-1]
			require.InEpsilon(t, exact+1, h.Quantile(q)+1, 0.001, "%s %v", name, q)
		}
	}
}

func TestBadConfigIsAnError(t *testing.T) {
	for _, c := range []runner.Config{{}, {Workers: 1}, {Workers: -1, Duration: time.Second}} {
		_, err := runner.Run(context.Background(), c, sleeper(0))
		require.ErrorIs(t, err, runner.ErrConfig)
	}
}

func TestTextHasEveryPartInOrderAndNoEscapeInAPipe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := run(t, runner.Config{Workers: 2, Duration: time.Second}, sleeper(time.Millisecond))
		var b bytes.Buffer
		require.NoError(t, render.Text(&b, r, render.Options{}))
		text, at := b.String(), 0
		for _, part := range []string{"Workers", "Total Ops", "Duration", "Real Throughput", "Pure Throughput", "Min", "P50",
			"Average", "P95", "P99", "P99.9", "Max", "Std Dev", "IQR", "Jitter", "CV", "Errors", "B/op", "allocs/op",
			"GC", "Latency heatmap", "Throughput over time", "Analysis"} {
			i := strings.Index(text[at:], part)
			require.GreaterOrEqual(t, i, 0, "%q is missing after %q", part, text[:at])
			at += i
		}
		require.NotContains(t, text, "\x1b")
		b.Reset()
		require.NoError(t, render.Text(&b, r, render.Options{Colour: true}))
		require.Contains(t, b.String(), "\x1b")
	})
}
