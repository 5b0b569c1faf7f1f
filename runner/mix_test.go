package runner_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

// TestMixReportsApartAndTogether mixes reads of 1 ms, writes of 5 ms, and pings
// that fail, in closed and busy open loops in virtual time: the parts have their own
// latencies, weights and failures, and sum to the whole.
func TestMixReportsApartAndTogether(t *testing.T) {
	sleeping := func(d time.Duration) runner.Operation {
		return runner.Func(func(context.Context) error { time.Sleep(d); return nil })
	}
	var written atomic.Int64
	mix := runner.Mix(
		runner.Share{Name: "read", Weight: 6, Op: sleeping(time.Millisecond)},
		runner.Share{Name: "write", Weight: 3, Op: runner.Each(
			func(context.Context, int) (int64, error) { return written.Add(1), nil },
			func(_ context.Context, n int64) error {
				if n == 0 {
					return errors.New("an input of another operation")
				}
				time.Sleep(5 * time.Millisecond)
				return nil
			})},
		runner.Share{Name: "ping", Weight: 1,
			Op: runner.Func(func(context.Context) error {
				time.Sleep(time.Millisecond)
				return errors.New("lost")
			})},
	)
	for _, plan := range []*schedule.Plan{nil, {Rate: 1500}} {
		synctest.Test(t, func(t *testing.T) {
			r, err := runner.Run(t.Context(),
				runner.Config{Workers: 4, Duration: 20 * time.Second, Plan: plan, Seed: 1}, mix)
			require.NoError(t, err)
			require.NoError(t, judge.Check(r))
			require.Len(t, r.Parts, 3)
			read, write, ping := r.Parts[0].Result, r.Parts[1].Result, r.Parts[2].Result
			require.Equal(t, 1e6, read.ServiceMean())
			require.Equal(t, 5e6, write.ServiceMean())
			require.Zero(t, ping.Done)
			require.Equal(t, r.Failed, ping.Failed)
			all := float64(r.Done + r.Failed)
			require.InDelta(t, 0.6, float64(read.Done)/all, 0.02)
			require.InDelta(t, 0.3, float64(write.Done)/all, 0.02)
			require.InDelta(t, r.Throughput(), read.Throughput()+write.Throughput(), 1e-6)
			require.Equal(t, map[string]uint64{"lost": r.Failed}, ping.Errors)
			total := func(r *result.Result) float64 { return r.Moments.Mean * float64(r.Records) }
			require.InEpsilon(t, total(r), total(read)+total(write), 1e-9)
			require.Equal(t, plan != nil, total(read) > 1.01e6*float64(read.Done),
				"a planned operation waits")
			if plan != nil {
				require.Equal(t, [2]int64{int64(read.Done), int64(read.Done)},
					[2]int64{read.Open.Offered, read.Open.Started})
			}
		})
	}
}

func TestMixIsChecked(t *testing.T) {
	op := runner.Func(func(context.Context) error { return nil })
	for _, bad := range [][]runner.Share{
		nil,
		{{Name: "", Weight: 1, Op: op}},
		{{Name: "a", Weight: 0, Op: op}},
		{{Name: "a", Weight: 1}},
		{{Name: "a", Weight: 1, Op: op}, {Name: "a", Weight: 1, Op: op}},
		{{Name: "a", Weight: 1, Op: runner.Mix(runner.Share{Name: "b", Weight: 1, Op: op})}},
	} {
		_, err := runner.Run(t.Context(), runner.Config{Workers: 1, Ops: 1}, runner.Mix(bad...))
		require.ErrorIs(t, err, runner.ErrConfig)
	}
}
