package runner_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/result"
)

// TestBatchesHaveTimeouts times ten operations as one. One in 20 takes longer
// than the timeout, and one in 20 fails; both are single failures, and the others
// keep their latency.
func TestBatchesHaveTimeouts(t *testing.T) {
	calls := 0
	r := virtual(t, runner.Config{Workers: 1, Ops: 1000, WarmUp: -1, Batch: 10, Timeout: 20 * ms},
		runner.Func(func(ctx context.Context) error {
			switch calls++; calls % 20 {
			case 7:
				<-ctx.Done()
				return ctx.Err()
			case 15:
				return errors.New("one of ten")
			}
			time.Sleep(ms)
			return nil
		}))
	require.EqualValues(t, 900, r.Done)
	require.EqualValues(t, 100, r.Failed)
	require.EqualValues(t, 50, r.Errors[context.DeadlineExceeded.Error()])
	require.Equal(t, 50*20e6, r.Failures.Sum, "the others of a batch are no part of a failure")
	require.Equal(t, 1e6, r.Moments.Max)
	require.Equal(t, 1e6, r.Moments.Min)
}

// TestInputsHaveNoBatches: a batch is never silently ignored.
func TestInputsHaveNoBatches(t *testing.T) {
	_, err := runner.Run(t.Context(), runner.Config{Workers: 1, Ops: 10, Batch: 5},
		runner.Each(func(context.Context, int) (int, error) { return 0, nil },
			func(context.Context, int) error { return nil }))
	require.ErrorIs(t, err, runner.ErrConfig)
}

// TestTimeoutsKeepTheirErrors: an error of the operation is reported even after its
// time.
func TestTimeoutsKeepTheirErrors(t *testing.T) {
	own := errors.New("own")
	for name, c := range map[string]struct {
		took time.Duration
		err  error
		want map[string]uint64
	}{
		"error in time":   {2 * ms, own, map[string]uint64{"own": 3}},
		"error":           {2*ms + 1, own, map[string]uint64{"own": 3}},
		"success in time": {2 * ms, nil, map[string]uint64{}},
		"success":         {2*ms + 1, nil, map[string]uint64{"operation timed out": 3}},
	} {
		t.Run(name, func(t *testing.T) {
			r := virtual(t, runner.Config{Workers: 1, Ops: 3, WarmUp: -1, Timeout: 2 * ms},
				runner.Func(func(ctx context.Context) error {
					deadline, ok := ctx.Deadline()
					if !ok || time.Until(deadline) != 2*ms {
						return errors.New("no deadline")
					}
					time.Sleep(c.took)
					return c.err
				}))
			require.Equal(t, c.want, r.Errors)
		})
	}
}

// TestPanicsInABatch: the operations before it count, in the time until it.
func TestPanicsInABatch(t *testing.T) {
	n := 0
	r := virtual(t, runner.Config{Workers: 1, Ops: 3, Batch: 3, WarmUp: -1},
		runner.Func(func(context.Context) error {
			if n++; n == 3 {
				panic("third")
			}
			time.Sleep(ms)
			return nil
		}))
	require.Equal(t, result.Moments{Mean: 1e6, Min: 1e6, Max: 1e6}, r.Moments)
	require.Equal(t, map[string]uint64{"operation panicked: third": 1}, r.Errors)
	require.Contains(t, r.Stack, "TestPanicsInABatch")
	require.EqualValues(t, 2, r.Done)
	require.InDelta(t, 2, r.Weighted, 1e-9)
}

// TestMeansOfBatchesAreNotRounded times 1000 operations of 3.4 ns as 3400 ns.
func TestMeansOfBatchesAreNotRounded(t *testing.T) {
	tl := result.NewTally(ms)
	for i := range time.Duration(5) {
		tl.Add(3400, 1000, 3400*(i+1), 0)
	}
	m := tl.Moments()
	require.InEpsilon(t, 3.4, m.Mean, 1e-9)
	require.InEpsilon(t, 3.4, m.Min, 1e-9)
	require.InEpsilon(t, 3.4, m.Max, 1e-9)
	require.Zero(t, m.StdDev)
	require.Zero(t, m.Jitter)
	require.InEpsilon(t, 5*3.4, tl.Timeline.Cells[0].Sum, 1e-9)
	require.Equal(t, 3.0, tl.Hist.Quantile(0.5))
	require.Equal(t, result.Slow{From: 0, Latency: 3}, tl.Slow[0])
}

func TestClockSaysHowManyToTimeAsOne(t *testing.T) {
	c := run(t, runner.Config{Workers: 1, Ops: 1, WarmUp: -1}, nothing).Clock
	require.Positive(t, c.Step)
	require.Positive(t, c.Record)
	require.Equal(t, 1, c.Batch(1e9))
	require.Equal(t, 1, result.Clock{}.Batch(1))
	require.Equal(t, 1001, result.Clock{Step: 1}.Batch(1))
	require.Equal(t, 201, result.Clock{Step: 20}.Batch(100))
	require.Equal(t, 1, result.Clock{Step: 20}.Batch(20_000))
	require.Equal(t, 1<<20, result.Clock{Step: 1 << 20}.Batch(1))
}
