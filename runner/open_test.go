package runner_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

const ms = time.Millisecond

func constant(rate float64) *schedule.Plan {
	return &schedule.Plan{Arrival: schedule.Constant, Rate: rate}
}

func poisson(rate float64) *schedule.Plan {
	return &schedule.Plan{Arrival: schedule.Poisson, Rate: rate, Seed: 3}
}

// TestStallIsChargedToAllThatWaited has one operation of 500 ms among
// operations of 1 ms at 100/s. The k-th operation planned behind it starts k-1
// ms after its end, and so ends 500 - 9k ms after its plan.
func TestStallIsChargedToAllThatWaited(t *testing.T) {
	calls := 0
	r := virtual(t, runner.Config{Workers: 1, Duration: 10 * time.Second, WarmUp: -1, Plan: constant(100)},
		runner.Func(func(context.Context) error {
			if calls++; calls == 300 {
				time.Sleep(500 * ms)
			} else {
				time.Sleep(ms)
			}
			return nil
		}))
	require.EqualValues(t, 1000, r.Done)
	require.Equal(t, "time", r.End)
	for q, want := range map[float64]time.Duration{0.99: (500 - 9*10) * ms, 0.95: (500 - 9*50) * ms} {
		e := judge.Quantile(r, q)
		require.True(t, e.Shown())
		require.InDelta(t, float64(want), e.Value, float64(ms), "quantile %v", q)
	}
	require.InDelta(t, 1e6, r.Service.Quantile(0.99), 1e3,
		"the service times do not show the stall: coordinated omission")
	require.EqualValues(t, 55, r.Open.Late)
	require.Zero(t, r.Open.Backlog)
}

func TestStartsAreStaggered(t *testing.T) {
	var mu sync.Mutex
	var starts []time.Time
	r := virtual(t, runner.Config{Workers: 8, Duration: 2 * time.Second, WarmUp: -1, Plan: constant(80)},
		runner.Func(func(context.Context) error {
			mu.Lock()
			starts = append(starts, time.Now())
			mu.Unlock()
			time.Sleep(95 * ms)
			return nil
		}))
	require.EqualValues(t, 160, r.Done)
	slices.SortFunc(starts, time.Time.Compare)
	for i := range starts[1:] {
		require.Equal(t, 12500*time.Microsecond, starts[i+1].Sub(starts[i]))
	}
	others := 0.0
	for _, c := range r.Open.Crowd {
		others += c.Others
	}
	require.Equal(t, 0.0+1+2+3+4+5+6+7*153, others, "operations in progress beside each")
	require.Zero(t, r.Open.Late)
}

// TestOverloadIsFlagged: one worker starts 500 of the planned operations, and the others are a
// backlog, also if they are many or limited.
func TestOverloadIsFlagged(t *testing.T) {
	for name, c := range map[string]struct {
		rate    float64
		ops     int64
		offered int
	}{"few": {100, 0, 1000}, "limited": {100, 600, 600}, "many": {10_000, 0, 100_000}} {
		t.Run(name, func(t *testing.T) {
			r := virtual(t, runner.Config{Workers: 1, Duration: 10 * time.Second, Ops: c.ops, WarmUp: -1,
				Plan: constant(c.rate)}, sleeper(20*ms))
			require.Contains(t, kindsOf(r), "overloaded")
			require.EqualValues(t, 500, r.Open.Started)
			require.EqualValues(t, c.offered, r.Open.Offered, "all planned starts are counted")
			require.EqualValues(t, c.offered-500, r.Open.Backlog)
		})
	}
	r := virtual(t, runner.Config{Workers: 2, Duration: 10 * time.Second, WarmUp: -1, Plan: constant(100)},
		sleeper(19*ms))
	require.NotContains(t, kindsOf(r), "overloaded")
}

func kindsOf(r *result.Result) (kinds []string) {
	for _, f := range judge.Findings(r) {
		kinds = append(kinds, f.Kind)
	}
	return kinds
}

// TestQueueOfRandomServices compares with M/M/1: the response time is
// exponential with rate μ-λ (Kleinrock, Queueing Systems I, §5.12).
func TestQueueOfRandomServices(t *testing.T) {
	both := []float64{0.5, 0.8}
	for _, load := range nightly.Pick(both[:1], both, both) {
		t.Run(fmt.Sprintf("load %g", load), func(t *testing.T) {
			random := rand.New(rand.NewPCG(5, 6))
			window := time.Duration(15/(1-load)/(1-load)) * time.Second
			r := virtual(t, runner.Config{Workers: 1, Duration: window, Plan: poisson(load * 1000)},
				runner.Func(func(context.Context) error {
					time.Sleep(time.Duration(random.ExpFloat64() * float64(ms)))
					return nil
				}))
			for _, q := range []float64{0.5, 0.99} {
				e := judge.Quantile(r, q)
				require.True(t, e.Shown())
				require.InEpsilon(t, -math.Log(1-q)/(1-load)*float64(ms), e.Value, 0.10, "quantile %v", q)
			}
		})
	}
}

func TestIdleWorkersTakeWhatAStalledOneWouldHaveDone(t *testing.T) {
	var calls atomic.Int64
	r := virtual(t, runner.Config{Workers: 4, Duration: 10 * time.Second, WarmUp: -1, Plan: constant(100)},
		runner.Func(func(context.Context) error {
			if calls.Add(1) == 10 {
				time.Sleep(5 * time.Second)
			}
			time.Sleep(ms)
			return nil
		}))
	require.EqualValues(t, 1000, r.Done)
	require.Zero(t, r.Open.Late)
}
