package runner_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

// TestAnOpenLoopGrowsToItsRate: an open loop takes n = 2b + 4√b + 1 workers for b operations in
// progress on average at its greatest rate. They take a second each if the warm-up does not say it.
func TestAnOpenLoopGrowsToItsRate(t *testing.T) {
	for _, c := range []struct {
		rate          float64
		arrival       string
		warmUp, takes time.Duration
		most, want    int
	}{
		{100, "poisson", time.Second, 20 * ms, 256, 11},
		{100, "poisson", time.Second, 20 * ms, 5, 5},
		{100, "poisson", -1, 20 * ms, 16, 16},
		{500, "poisson", time.Second, 20 * ms, 256, 34},
		{9.95, "constant", -1, 10 * ms, 4096, 34},
		{99.5, "constant,rate:400", time.Second, 9900 * time.Microsecond, 256, 17},
		{99.5, "ramp:400/10s,ramp:1/10s", time.Second, 9900 * time.Microsecond, 256, 17},
		{99.5, "constant,constant:19600ms,rate:400", time.Second, 9900 * time.Microsecond, 256, 12},
	} {
		t.Run(fmt.Sprintf("%g of %s, at most %d", c.rate, c.arrival, c.most), func(t *testing.T) {
			plan, err := schedule.Parse(c.rate, c.arrival)
			require.NoError(t, err)
			plan.Seed = 1
			inputs := 0
			r := virtual(t, runner.Config{Workers: 1, MaxWorkers: c.most, Duration: 20 * time.Second,
				WarmUp: c.warmUp, Plan: &plan},
				runner.PerWorker(func(context.Context, int) (int, error) { inputs++; return inputs, nil },
					func(context.Context, int) error { time.Sleep(c.takes); return nil }))
			require.Equal(t, c.want, r.Config.Workers)
			require.Equal(t, c.want, inputs, "each worker has one input")
			if c.most == 256 {
				require.Less(t, judge.Quantile(r, 0.99).Value, 40e6)
				require.EqualValues(t, r.Open.Offered, r.Open.Started)
			}
		})
	}
}

// TestARunOfFailuresEndsEarly: a window in which every operation fails ends after a
// second and twenty operations; one success, or fewer operations, keep it.
func TestARunOfFailuresEndsEarly(t *testing.T) {
	for name, c := range map[string]struct {
		succeeds int // call
		takes    time.Duration
		end      string
		within   time.Duration
	}{
		"quick": {0, 10 * ms, "failing", 1100 * ms}, "slow": {0, 130 * ms, "failing", 3100 * ms},
		"one success": {1, 10 * ms, "time", 10 * time.Second},
		"few":         {0, 600 * ms, "time", 10*time.Second + 200*ms},
	} {
		t.Run(name, func(t *testing.T) {
			calls := 0
			r := virtual(t, runner.Config{Workers: 1, Duration: 10 * time.Second, WarmUp: -1},
				runner.Func(func(context.Context) error {
					time.Sleep(c.takes)
					if calls++; calls == c.succeeds {
						return nil
					}
					return errors.New("refused")
				}))
			require.Equal(t, c.end, r.End)
			require.Equal(t, c.end == "failing", r.Interrupted)
			require.LessOrEqual(t, r.Elapsed, c.within)
			require.Positive(t, r.Errors["refused"])
		})
	}
}
