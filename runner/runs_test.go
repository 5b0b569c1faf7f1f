package runner_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/result"
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

// fed has an input for each call. Of ten, one fails and one panics.
func fed(work func(context.Context) error) runner.Operation {
	made := 0
	return runner.Each(func(context.Context, int) (int, error) {
		time.Sleep(700 * time.Microsecond)
		switch made++; made % 10 {
		case 0:
			return 0, errors.New("no input")
		case 5:
			panic("input")
		}
		return made, nil
	}, func(ctx context.Context, _ int) error { return work(ctx) })
}

// hangs takes 3 ms, and from the hundredth call on until the run ends.
func hangs() func(context.Context) error {
	calls := 0
	return func(ctx context.Context) error {
		if calls++; calls < 100 {
			time.Sleep(3001003)
			return nil
		}
		<-ctx.Done()
		return ctx.Err()
	}
}

// TestLawsOfRuns runs operations in virtual time, to each end, and checks the laws of their results.
func TestLawsOfRuns(t *testing.T) {
	work := func() runner.Operation { return runner.Func(varied(1, 3e6)) } // rows run in any order
	mixed := runner.Mix(share("read", 3, runner.Func(varied(6, 1e6))), share("write", 1, fed(varied(9, 4e6))))
	for name, c := range map[string]struct {
		c      runner.Config
		op     runner.Operation
		cancel time.Duration // 0: never
		end    string
	}{
		"batches": {runner.Config{Ops: 333, Batch: 7, Timeout: 5 * ms}, work(), 0, result.EndOps},
		"inputs":  {runner.Config{Duration: time.Second}, fed(varied(5, 2e6)), 0, result.EndTime},
		"planned": {runner.Config{Duration: 3 * time.Second, Plan: poisson(150)}, work(), 0,
			result.EndTime},
		"planned operations": {runner.Config{Ops: 200, Duration: time.Minute, Plan: constant(150)}, work(), 0,
			result.EndOps},
		"planned mix": {runner.Config{Duration: 2 * time.Second, Seed: 6, Batch: 1, Plan: constant(100)},
			mixed, 0, result.EndTime},
		"planned, precise": {runner.Config{Duration: time.Minute, Precision: 0.05, PrecisionOf: "p90",
			HalfWidth: judge.HalfWidth, Plan: poisson(60)}, work(), 0, result.EndPrecision},
		"waiting for the plan": {runner.Config{Duration: 50 * time.Second, Stall: time.Second, WarmUp: -1,
			Plan: constant(0.13)}, work(), 0, result.EndTime},
		"interrupted mix": {runner.Config{Duration: time.Minute, WarmUp: -1},
			runner.Mix(share("hang", 1, runner.Func(hangs()))), time.Second, result.EndInterrupted},
		"interrupted plan": {runner.Config{Duration: time.Hour, WarmUp: -1, Plan: constant(0.1)}, work(),
			25 * time.Second, result.EndInterrupted},
		"deadline": {runner.Config{Duration: 2 * time.Second, WarmUp: -1}, work(), time.Second,
			result.EndDeadline},
		"stalled": {runner.Config{Duration: time.Minute, WarmUp: -1, Stall: 2 * time.Second},
			runner.Func(hangs()), 0, result.EndStalled},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				if c.end == result.EndDeadline {
					ctx, cancel = context.WithTimeout(t.Context(), c.cancel+1)
				} else if c.cancel > 0 {
					time.AfterFunc(c.cancel+1, cancel)
				}
				defer cancel()
				c.c.Workers = 1
				r, err := runner.Run(ctx, c.c, c.op)
				require.NoError(t, err)
				require.NoError(t, judge.Check(r))
				require.Equal(t, c.end, r.End)
				require.Positive(t, r.Done)
				require.LessOrEqual(t, r.Abandoned, 1)
				early := c.cancel > 0 || c.end == result.EndStalled
				require.Equal(t, early, r.Interrupted)
				for _, part := range r.Parts {
					require.Equal(t, early, part.Result.Interrupted)
				}
				require.Equal(t, early, c.c.Ops == 0 && c.c.Precision == 0 && r.Elapsed < c.c.Duration)
			})
		})
	}
}
