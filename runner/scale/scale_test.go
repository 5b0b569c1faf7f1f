package scale_test

import (
	"context"
	"runtime"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/scale"
)

// locked works for 10 ms and holds a lock for the given share. The lock is a
// channel, since virtual time stops while goroutines wait for a sync.Mutex.
func locked(share float64) runner.Operation {
	lock := make(chan struct{}, 1)
	inside := time.Duration(share * 1e7)
	return runner.Func(func(context.Context) error {
		time.Sleep(10*time.Millisecond - inside)
		lock <- struct{}{}
		time.Sleep(inside)
		<-lock
		return nil
	})
}

// TestLockedShareLimitsTheSpeedUp checks that with a share s under a lock,
// throughput reaches 1/s times the throughput of one worker and does not exceed
// it.
func TestLockedShareLimitsTheSpeedUp(t *testing.T) {
	shares := []float64{0.1, 0.25, 0.5}
	for _, share := range nightly.Pick(shares[:1], shares, shares) {
		synctest.Test(t, func(t *testing.T) {
			r, err := scaled(context.Background(), runner.Config{Duration: 5 * time.Second}, locked(share),
				[]int{1, 2, 4, 8, 16, 32})
			require.NoError(t, err)
			require.InEpsilon(t, 1/share, r.SpeedUp(r.Runs[5]), 0.03)
			require.InEpsilon(t, 1/share/32, r.Efficiency(r.Runs[5]), 0.03)
			require.NotNil(t, r.Universal)
			require.NotEqual(t, "scales well", r.Findings()[0].Kind)
			require.True(t, r.Universal.Misfit, "throughput grows with the workers and stops at once")
		})
	}
}

// slowed takes 10 ms times the slow-down that the Universal Scalability Law
// gives for n workers.
func slowed(sigma, kappa float64) runner.Operation {
	var n float64
	return runner.PerWorker(func(_ context.Context, worker int) (struct{}, error) {
		n = float64(worker + 1) // set-up runs from the first worker to the last
		return struct{}{}, nil
	}, func(context.Context, struct{}) error {
		time.Sleep(time.Duration(1e7 * (1 + sigma*(n-1) + kappa*n*(n-1))))
		return nil
	})
}

func TestWhatLimitsScalingIsNamed(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2)) // with one processor, no other limit is named
	for _, c := range []struct {
		sigma, kappa float64
		kind         string
	}{{0.1, 0, "contention"}, {0.001, 0.02, "coherence"}, {0.001, 0.0001, "scales well"}} {
		t.Run(c.kind, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r, err := scaled(context.Background(), runner.Config{Duration: 5 * time.Second},
					slowed(c.sigma, c.kappa), []int{1, 2, 4, 8})
				require.NoError(t, err)
				require.InDelta(t, c.sigma, r.Universal.Sigma, 0.002)
				require.InDelta(t, c.kappa, r.Universal.Kappa, 0.0002)
				require.Contains(t, kinds(r), c.kind)
				many := &scale.Result{Runs: append(slices.Repeat(r.Runs[:1], 8), r.Runs...)}
				many.Fit()
				require.NotNil(t, many.Universal)
				require.InDelta(t, c.sigma, many.Universal.Sigma, 0.002, "all runs count")
			})
		})
	}
}

// TestAFitNeedsMorePointsThanParameters: three points fit three parameters
// without any error.
func TestAFitNeedsMorePointsThanParameters(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, err := scaled(context.Background(), runner.Config{Duration: 5 * time.Second}, locked(0.5),
			[]int{1, 2, 4})
		require.NoError(t, err)
		require.NotNil(t, r.Amdahl)
		require.True(t, r.Amdahl.Misfit,
			"two workers of which one holds a lock lose nothing, so no law holds")
		require.Nil(t, r.Amdahl.Bounds)
		require.Nil(t, r.Universal)
		require.NotContains(t, kinds(r), "contention")
		two := &scale.Result{Runs: r.Runs[:2]}
		two.Fit()
		require.Nil(t, two.Amdahl)
	})
}

// TestOneProcessorBlamesNoLock: the limit of a program on one processor looks the same
// as a lock.
func TestOneProcessorBlamesNoLock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, err := scaled(context.Background(), runner.Config{Duration: 5 * time.Second}, slowed(0.5, 0),
			[]int{1, 2, 4, 8})
		require.NoError(t, err)
		for procs, want := range map[int]string{1: "one processor", 8: "contention"} {
			for _, run := range r.Runs {
				run.Before.GOMAXPROCS = procs
				run.Usage.MutexWait = time.Duration(procs-1) * time.Second / 10
			}
			require.Equal(t, []string{want}, kinds(r), "%d processors", procs)
		}
	})
}

// TestMoreWorkersThanProcessorsAreNoLaw: the throughput grows up to four
// processors and then stays.
func TestMoreWorkersThanProcessorsAreNoLaw(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		processors := make(chan struct{}, 4)
		r, err := scaled(context.Background(), runner.Config{Duration: 1000 * time.Second},
			runner.Func(func(context.Context) error {
				processors <- struct{}{}
				time.Sleep(10 * time.Second)
				<-processors
				return nil
			}), []int{1, 2, 3, 4, 8, 16})
		require.NoError(t, err)
		for _, run := range r.Runs {
			run.Before.GOMAXPROCS = 4
		}
		require.Equal(t, []string{"processors"}, kinds(r))
	})
}

func kinds(r *scale.Result) (ks []string) {
	for _, f := range r.Findings() {
		ks = append(ks, f.Kind)
	}
	return ks
}

func TestInterruptLeavesOutLaterRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		defer time.AfterFunc(1500*time.Millisecond, cancel).Stop()
		r, err := scaled(ctx, runner.Config{Duration: time.Second}, locked(0), []int{1, 2, 4, 8})
		require.NoError(t, err)
		require.Len(t, r.Runs, 2)
		require.True(t, r.Runs[1].Interrupted)
	})
}

func TestRepeatedRunsFollowEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		rs, err := scale.Repeat(context.Background(), runner.Config{Workers: 1, Ops: 100, WarmUp: -1},
			runner.Func(func(context.Context) error {
				calls++
				time.Sleep(time.Duration(1+(calls-1)/100) * time.Millisecond)
				return nil
			}), 3)
		require.NoError(t, err)
		require.Len(t, rs, 3)
		for i, r := range rs {
			require.InDelta(t, float64(1+i)*1e6, r.Moments.Mean, 1)
		}
	})
}

// scaled runs op with each number of workers, as on a machine of eight processors.
func scaled(ctx context.Context, c runner.Config, op runner.Operation, workers []int) (*scale.Result, error) {
	s := &scale.Result{}
	for _, n := range workers {
		c.Workers = n
		r, err := runner.Run(ctx, c, op)
		if err != nil {
			return s, err
		}
		r.Before.GOMAXPROCS = 8 // however many this machine has
		if s.Runs = append(s.Runs, r); r.Interrupted {
			break
		}
	}
	s.Fit()
	return s, nil
}
