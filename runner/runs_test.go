package runner

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

// varied takes a random time, and fails, panics or ends its goroutine at times.
func varied(seed uint64, median float64) func(context.Context) error {
	random := rand.New(rand.NewPCG(seed, 2))
	return func(context.Context) error {
		time.Sleep(time.Duration(median * math.Exp(0.3*random.NormFloat64())))
		switch random.IntN(60) {
		case 0:
			return errors.New("refused")
		case 1:
			panic("broken")
		case 2:
			runtime.Goexit()
		}
		return nil
	}
}

// TestRunsOfEachKind runs operations in virtual time, to each end, and checks the laws of their results.
func TestRunsOfEachKind(t *testing.T) {
	hang := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	never := func(context.Context) error { time.Sleep(100 * time.Hour); return nil }
	always := func(takes time.Duration) Operation {
		return Func(func(context.Context) error { time.Sleep(takes); return errors.New("always") })
	}
	// each has inputs of 0.7 ms, of which every n-th fails
	each := func(n int, work func(context.Context) error) Operation {
		made := 0
		return Each(func(_ context.Context, worker int) (int, error) {
			time.Sleep(700 * time.Microsecond)
			if made++; made%n == 0 {
				return 0, errors.New("no input")
			}
			return made, nil
		}, func(ctx context.Context, _ int) error { return work(ctx) })
	}
	// calls takes the times of its calls, one after another, and then does something else
	calls := func(n int, take func(i int) time.Duration, then func(context.Context) error) Operation {
		i := 0
		return Func(func(ctx context.Context) error {
			if i++; i >= n {
				return then(ctx)
			}
			time.Sleep(take(i))
			return nil
		})
	}
	even := func(int) time.Duration { return 3001003 }
	made := 0
	for _, c := range []struct {
		name   string
		c      Config
		op     Operation
		cancel time.Duration // 0: never
		dead   bool          // by a deadline
		end    string
	}{
		{"varied", Config{Workers: 1, Duration: 2 * time.Second}, Func(varied(1, 3e6)), 0, false,
			result.EndTime},
		{"limited", Config{Workers: 1, Ops: 333, WarmUp: -1}, Func(varied(2, 3e6)), 0, false, result.EndOps},
		{"batches", Config{Workers: 1, Ops: 333, Batch: 7}, Func(varied(3, 3e6)), 0, false, result.EndOps},
		{"batches with a timeout", Config{Workers: 1, Ops: 200, Batch: 7, Timeout: 5 * time.Millisecond},
			Func(varied(3, 3e6)), 0, false, result.EndOps},
		{"planned",
			Config{Workers: 1, Duration: 3 * time.Second,
				Plan: &schedule.Plan{Arrival: schedule.Poisson, Rate: 150, Seed: 4}},
			Func(varied(4, 3e6)), 0, false, result.EndTime},
		{"planned and limited",
			Config{Workers: 1, Ops: 200, Duration: 10 * time.Second, Plan: &schedule.Plan{Rate: 150}},
			Func(varied(4, 3e6)), 0, false, result.EndOps},
		{"inputs", Config{Workers: 1, Duration: time.Second}, each(10, varied(5, 2e6)), 0, false,
			result.EndTime},
		{"inputs of a plan", Config{Workers: 1, Duration: 2 * time.Second, Plan: &schedule.Plan{Rate: 200}},
			each(10, varied(5, 2e6)), 0, false, result.EndTime},
		{"broken inputs", Config{Workers: 1, Ops: 30, WarmUp: -1},
			Each(func(context.Context, int) (int, error) {
				if made++; made%4 == 0 {
					panic("input")
				}
				return made, nil
			}, func(context.Context, int) error { time.Sleep(time.Millisecond); return nil }),
			0, false, result.EndOps},
		{"mix", Config{Workers: 1, Duration: 2 * time.Second, Seed: 6},
			Mix(Share{"read", 3, Func(varied(6, 1e6))}, Share{"write", 1, Func(varied(7, 5e6))},
				Share{"rare", 0.1, Func(varied(8, 9e6))}), 0, false, result.EndTime},
		{"mix of a plan",
			Config{Workers: 1, Duration: 2 * time.Second, Seed: 6, Batch: 1, Plan: &schedule.Plan{Rate: 100}},
			Mix(Share{"read", 3, Func(varied(6, 1e6))}, Share{"write", 1, each(5, varied(9, 4e6))}),
			0, false, result.EndTime},
		{"pool", Config{Workers: 1, Ops: 4, WarmUp: 25 * time.Millisecond, Seed: 3},
			Pool([]int{1, 2, 3, 4, 5, 6, 7}, func(_ context.Context, n int) error {
				time.Sleep(time.Duration(n) * time.Millisecond)
				return nil
			}), 0, false, result.EndOps},
		{"steady", Config{Workers: 1, Duration: 2 * time.Second, Steady: true},
			calls(1e6, func(i int) time.Duration {
				return time.Duration(1000+i*37%11)*time.Microsecond + 7
			}, hang), 0, false, result.EndTime},
		{"never steady", Config{Workers: 1, Duration: 2 * time.Second, Steady: true, WarmUp: time.Second},
			calls(1e6, func(i int) time.Duration { return time.Duration(1000003 + i*10007) }, hang),
			0, false, result.EndTime},
		{"precise", Config{Workers: 1, Duration: time.Minute, Precision: 0.02, HalfWidth: judge.HalfWidth},
			Func(varied(10, 3e6)), 0, false, result.EndPrecision},
		{"precise, planned",
			Config{Workers: 1, Duration: time.Minute, Precision: 0.05, HalfWidth: judge.HalfWidth,
				PrecisionOf: "p90", Plan: &schedule.Plan{Arrival: schedule.Poisson, Rate: 60}},
			Func(varied(10, 3e6)), 0, false, result.EndPrecision},
		{"interrupted", Config{Workers: 1, Duration: 2 * time.Second, WarmUp: -1}, calls(100, even, hang),
			time.Second, false, result.EndInterrupted},
		{"interrupted mix", Config{Workers: 1, Duration: 2 * time.Second, WarmUp: -1},
			Mix(Share{"hang", 1, calls(100, even, hang)}), time.Second, false, result.EndInterrupted},
		{"interrupted in the warm-up", Config{Workers: 1, Duration: 2 * time.Second, WarmUp: time.Second},
			Func(varied(1, 3e6)), 400 * time.Millisecond, false, result.EndInterrupted},
		{"interrupted and abandoned", Config{Workers: 1, Duration: 2 * time.Second, WarmUp: -1},
			calls(100, even, never), time.Second, false, result.EndInterrupted},
		{"interrupted in the plan",
			Config{Workers: 1, Duration: time.Hour, WarmUp: -1, Plan: &schedule.Plan{Rate: 0.1}},
			Func(varied(1, 3e6)), 25 * time.Second, false, result.EndInterrupted},
		{"deadline", Config{Workers: 1, Duration: 2 * time.Second, WarmUp: -1}, Func(varied(1, 3e6)),
			time.Second, true, result.EndDeadline},
		{"stalled", Config{Workers: 1, Duration: time.Minute, WarmUp: -1, Stall: 2 * time.Second},
			calls(100, even, hang), 0, false, result.EndStalled},
		{"stalled at once",
			Config{Workers: 2, Duration: time.Minute, WarmUp: time.Second, Stall: 300 * time.Millisecond},
			Func(hang), 0, false, result.EndStalled},
		{"waiting",
			Config{Workers: 1, Duration: 50 * time.Second, WarmUp: -1, Stall: time.Second,
				Plan: &schedule.Plan{Rate: 0.13}}, Func(varied(1, 3e6)), 0, false, result.EndTime},
		{"failing", Config{Workers: 1, Duration: time.Minute}, always(5003001), 0, false, result.EndFailing},
		{"failing slowly", Config{Workers: 1, Duration: 10 * time.Second, WarmUp: -1}, always(130007001),
			0, false, result.EndFailing},
		{"grown",
			Config{Workers: 1, MaxWorkers: 9, Duration: 2 * time.Second, Plan: &schedule.Plan{Rate: 100}},
			PerWorker(func(_ context.Context, worker int) (int, error) { return worker, nil },
				func(context.Context, int) error { time.Sleep(25003701); return nil }),
			0, false, result.EndTime},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx := t.Context()
				if c.cancel > 0 {
					var cancel context.CancelFunc
					if c.dead {
						ctx, cancel = context.WithTimeout(ctx, c.cancel+1)
					} else {
						ctx, cancel = context.WithCancel(ctx)
						time.AfterFunc(c.cancel+1, cancel)
					}
					defer cancel()
				}
				r, err := Run(ctx, c.c, c.op)
				require.NoError(t, err)
				require.NoError(t, judge.Check(r))
				require.Equal(t, c.end, r.End)
				require.LessOrEqual(t, r.Abandoned, r.Config.Workers)
				early := c.end != result.EndTime && c.end != result.EndOps && c.end != result.EndPrecision
				require.Equal(t, early, r.Interrupted)
				for _, part := range r.Parts {
					require.Equal(t, early, part.Result.Interrupted)
				}
				if early {
					require.Less(t, r.Elapsed, max(c.c.Duration, 1))
				} else {
					require.Positive(t, r.Done)
				}
				if r.Stack != "" {
					require.Contains(t, r.Stack, "panic")
				}
				if r.Dump != "" {
					require.Contains(t, r.Dump, "goroutine")
				}
				time.Sleep(101 * time.Hour) // until operations that were given up end
			})
		})
	}
}

// TestSetUpsOfAMix run once each, and an error has the name of its operation.
func TestSetUpsOfAMix(t *testing.T) {
	for fails := range 11 {
		var shares []Share
		made := 0
		for i := range 10 {
			one := Once(func(context.Context) (int, error) {
				if made++; i+1 == fails {
					return 0, errors.New("bad")
				}
				return i, nil
			}, func(_ context.Context, in int) error {
				if in != i {
					return errors.New("wrong input")
				}
				return nil
			})
			shares = append(shares, Share{fmt.Sprint("n", i), 1, one},
				Share{fmt.Sprint("m", i), 1, Func(func(context.Context) error { return nil })})
		}
		r, err := Run(t.Context(), Config{Workers: 2, Ops: 100, WarmUp: -1}, Mix(shares...))
		if fails > 0 {
			require.EqualError(t, err, fmt.Sprintf("set-up: n%d: bad", fails-1))
			require.Equal(t, fails, made)
			continue
		}
		require.NoError(t, err)
		require.Empty(t, r.Errors)
		require.Equal(t, 10, made)
	}
}

// TestMostOperationsOfAMix are 64.
func TestMostOperationsOfAMix(t *testing.T) {
	var shares []Share
	for i := range 65 {
		shares = append(shares, Share{fmt.Sprint(i), 1, Func(func(context.Context) error { return nil })})
	}
	require.NoError(t, checkMix(shares[:64]))
	require.ErrorContains(t, checkMix(shares), "a mix of 65 operations, which are not 1 to 64")
	require.ErrorContains(t, checkMix(nil), "a mix of 0 operations")
	shares[63].Weight = 0
	require.ErrorContains(t, checkMix(shares[:64]), "the weight of 63 is 0")
}

func parsed(rate float64, text string) *schedule.Plan {
	p, err := schedule.Parse(rate, text)
	if err != nil {
		panic(err)
	}
	return &p
}
