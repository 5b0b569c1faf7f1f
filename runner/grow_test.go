package runner_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

// TestAnOpenLoopGrowsToItsRate: 100 starts a second of operations of 20 ms need two
// workers on average, and more while arrivals are dense.
func TestAnOpenLoopGrowsToItsRate(t *testing.T) {
	for _, c := range []struct {
		rate             float64
		warmUp           time.Duration
		most, from, upTo int
	}{{100, time.Second, 256, 8, 16}, {100, time.Second, 5, 5, 5}, {1, time.Second, 256, 2, 7},
		{100, -1, 16, 16, 16}, {5000, time.Second, 256, 241, 256}} {
		synctest.Test(t, func(t *testing.T) {
			inputs := 0
			r, err := runner.Run(t.Context(), runner.Config{
				Workers: 1, MaxWorkers: c.most, Duration: 20 * time.Second, WarmUp: c.warmUp,
				Plan: &schedule.Plan{Arrival: schedule.Poisson, Rate: c.rate, Seed: 1},
			}, runner.PerWorker(func(context.Context, int) (int, error) { inputs++; return inputs, nil },
				func(context.Context, int) error { time.Sleep(20 * time.Millisecond); return nil }))
			require.NoError(t, err)
			require.NoError(t, judge.Check(r))
			require.GreaterOrEqual(t, r.Config.Workers, c.from, "%+v", c)
			require.LessOrEqual(t, r.Config.Workers, c.upTo, "%+v", c)
			require.Equal(t, r.Config.Workers, inputs, "each worker has one input")
			if c.most == 256 {
				require.Less(t, judge.Quantile(r, 0.99).Value, 40e6)
				require.EqualValues(t, r.Open.Offered, r.Open.Started)
			}
		})
	}
}

// TestARunOfFailuresEndsEarly: a window in which every operation fails ends after a
// second; one success, or few operations, keep it.
func TestARunOfFailuresEndsEarly(t *testing.T) {
	for _, c := range []struct {
		succeeds int // call
		takes    time.Duration
		end      string
	}{{0, 10 * time.Millisecond, "failing"}, {1, 10 * time.Millisecond, "time"},
		{0, 600 * time.Millisecond, "time"}} {
		synctest.Test(t, func(t *testing.T) {
			calls := 0
			r, err := runner.Run(t.Context(),
				runner.Config{Workers: 1, Duration: 10 * time.Second, WarmUp: -1},
				runner.Func(func(context.Context) error {
					time.Sleep(c.takes)
					if calls++; calls == c.succeeds {
						return nil
					}
					return errors.New("refused")
				}))
			require.NoError(t, err)
			require.Equal(t, c.end, r.End)
			require.Equal(t, c.end == "failing", r.Interrupted)
			if r.Interrupted {
				require.LessOrEqual(t, r.Elapsed, 2500*time.Millisecond)
				require.Positive(t, r.Errors["refused"])
			}
		})
	}
}
