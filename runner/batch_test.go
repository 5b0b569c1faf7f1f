package runner

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/schedule"
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

// TestImpossibleBatchesAreRefused: a batch is never silently ignored.
func TestImpossibleBatchesAreRefused(t *testing.T) {
	noop := Func(func(context.Context) error { return nil })
	plan := &schedule.Plan{Arrival: schedule.Constant, Rate: 10}
	_, err := Run(context.Background(), Config{Workers: 1, Ops: 10, Batch: 5, Plan: plan}, noop)
	require.ErrorIs(t, err, ErrConfig)
	each := Each(func(context.Context, int) (int, error) { return 0, nil }, func(context.Context, int) error {
		return nil
	})
	_, err = Run(context.Background(), Config{Workers: 1, Ops: 10, Batch: 5}, each)
	require.ErrorIs(t, err, ErrConfig)
}
