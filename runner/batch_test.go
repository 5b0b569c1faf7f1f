package runner

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/result"
)

var errTenth = errors.New("one of ten")

// TestBatchesHaveTimeouts times ten operations as one. One in 20 takes longer
// than the timeout, and one in 20 fails; both are single failures, and the others
// keep their latency.
func TestBatchesHaveTimeouts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		r, err := Run(context.Background(),
			Config{Workers: 1, Ops: 1000, WarmUp: -1, Batch: 10, Timeout: 20 * time.Millisecond},
			Func(func(ctx context.Context) error {
				switch calls++; calls % 20 {
				case 7:
					<-ctx.Done()
					return ctx.Err()
				case 15:
					return errTenth
				}
				time.Sleep(time.Millisecond)
				return nil
			}))
		require.NoError(t, err)
		require.NoError(t, judge.Check(r))
		require.EqualValues(t, 900, r.Done)
		require.EqualValues(t, 100, r.Failed)
		require.EqualValues(t, 50, r.Errors[context.DeadlineExceeded.Error()])
		require.Equal(t, 50*20e6, r.Failures.Sum, "the others of a batch are no part of a failure")
		require.Equal(t, 1e6, r.Moments.Max)
		require.Equal(t, 1e6, r.Moments.Min)
	})
}

// TestTimeoutsDoNotSwitchBatchesOff chooses the batch after a warm-up.
func TestTimeoutsDoNotSwitchBatchesOff(t *testing.T) {
	for _, timeout := range []time.Duration{0, time.Second} {
		r, err := Run(context.Background(),
			Config{Workers: 1, Ops: 100_000, WarmUp: 10 * time.Millisecond, Timeout: timeout},
			Func(func(context.Context) error { return nil }))
		require.NoError(t, err)
		require.Greater(t, r.Config.Batch, 1, "timeout %v", timeout)
	}
}

// TestInputsHaveNoBatches: a batch is never silently ignored.
func TestInputsHaveNoBatches(t *testing.T) {
	_, err := Run(context.Background(), Config{Workers: 1, Ops: 10, Batch: 5},
		Each(func(context.Context, int) (int, error) { return 0, nil }, func(context.Context, int) error {
			return nil
		}))
	require.ErrorIs(t, err, ErrConfig)
}

// TestTimeoutsKeepTheirErrors: an error of the operation is reported even after its
// time.
func TestTimeoutsKeepTheirErrors(t *testing.T) {
	own := errors.New("own")
	for _, c := range []struct {
		took time.Duration
		err  error
		want map[string]uint64
	}{
		{2 * time.Millisecond, own, map[string]uint64{"own": 3}},
		{2*time.Millisecond + 1, own, map[string]uint64{"own": 3}},
		{2 * time.Millisecond, nil, map[string]uint64{}},
		{2*time.Millisecond + 1, nil, map[string]uint64{"operation timed out": 3}},
	} {
		synctest.Test(t, func(t *testing.T) {
			r, err := Run(context.Background(),
				Config{Workers: 1, Ops: 3, WarmUp: -1, Timeout: 2 * time.Millisecond},
				Func(func(ctx context.Context) error {
					deadline, ok := ctx.Deadline()
					if !ok || time.Until(deadline) != 2*time.Millisecond {
						return errors.New("no deadline")
					}
					time.Sleep(c.took)
					return c.err
				}))
			require.NoError(t, err)
			require.Equal(t, c.want, r.Errors)
		})
	}
}

// TestPanicsInABatch: the operations before it count, in the time until it.
func TestPanicsInABatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		r, err := Run(context.Background(), Config{Workers: 1, Ops: 3, Batch: 3, WarmUp: -1},
			Func(func(context.Context) error {
				if n++; n == 3 {
					panic("third")
				}
				time.Sleep(time.Millisecond)
				return nil
			}))
		require.NoError(t, err)
		require.Equal(t, result.Moments{Mean: 1e6, Min: 1e6, Max: 1e6}, r.Moments)
		require.Equal(t, map[string]uint64{"operation panicked: third": 1}, r.Errors)
		require.Contains(t, r.Stack, "TestPanicsInABatch")
		require.EqualValues(t, 2, r.Done)
		require.InDelta(t, 2, r.Weighted, 1e-9)
	})
}
