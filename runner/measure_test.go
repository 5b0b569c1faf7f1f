package runner_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

// allocate allocates nine objects of 1000 bytes and a slice that refers to them.
func allocate() {
	sink := make([][]byte, 0, 9)
	for range 9 {
		sink = append(sink, make([]byte, 1000))
	}
	runtime.KeepAlive(sink)
}

func TestKnownAllocationsAreFound(t *testing.T) {
	const calls = 1000
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range calls {
		allocate()
	}
	runtime.ReadMemStats(&after)
	for _, workers := range []int{1, 3} {
		r := run(t, runner.Config{Workers: workers, Ops: 500, Batch: 1},
			runner.Func(func(context.Context) error {
				allocate()
				time.Sleep(100 * time.Microsecond)
				return nil
			}))
		require.InEpsilon(t, float64(after.Mallocs-before.Mallocs)/calls, r.Usage.AllocsPerOp, 0.01)
		require.InEpsilon(t, float64(after.TotalAlloc-before.TotalAlloc)/calls, r.Usage.BytesPerOp, 0.01)
	}
}

// disturbances is the number of consecutive runs that the machine may disturb:
// a fault of the runner would affect all of them.
const disturbances = 20

// TestRunnersOwnAllocationsAreNotTheOperations runs few operations, so
// allocations of the runner, or of threads that the runtime starts meanwhile,
// would show.
func TestRunnersOwnAllocationsAreNotTheOperations(t *testing.T) {
	for _, plan := range []*schedule.Plan{nil, constant(1000)} {
		allocs, bytes := math.Inf(1), math.Inf(1)
		for try := 0; try < disturbances && (allocs > 0.5 || bytes > 100); try++ {
			r := run(t, runner.Config{Workers: 2, Ops: 20, Batch: 1, Plan: plan}, sleeper(ms))
			allocs, bytes = min(allocs, r.Usage.AllocsPerOp), min(bytes, r.Usage.BytesPerOp)
		}
		require.LessOrEqual(t, allocs, 0.5, "%v", plan)
		require.LessOrEqual(t, bytes, 100.0, "%v", plan)
	}
}

func TestControlRunsInBothLoops(t *testing.T) {
	for _, plan := range []*schedule.Plan{nil, constant(100)} {
		share := math.Inf(1)
		for try := 0; try < disturbances && share > 0.05; try++ {
			r := run(t, runner.Config{Workers: 2, Ops: 50, WarmUp: -1, Plan: plan},
				sleeper(10*ms))
			require.Positive(t, r.Control.N, "%v", plan)
			require.Positive(t, r.Control.Median)
			share = r.Control.Median * float64(r.Control.N) / float64(r.Elapsed)
		}
		require.Less(t, share, 0.05, "%v", plan)
	}
}

// TestNothingStopsTheWorldInsideTheWindow counts stop-the-world pauses other
// than collections, from the first operation of the window to the last one.
func TestNothingStopsTheWorldInsideTheWindow(t *testing.T) {
	stops := func() (n uint64) {
		s := []metrics.Sample{{Name: "/sched/pauses/total/other:seconds"}}
		metrics.Read(s)
		for _, c := range s[0].Value.Float64Histogram().Counts {
			n += c
		}
		return n
	}
	var first, last uint64
	calls := 0
	run(t,
		runner.Config{Workers: 1, Ops: 300, WarmUp: -1, Precision: 1e-9, HalfWidth: judge.HalfWidth,
			Progress: func(result.Progress) {}}, runner.Func(func(context.Context) error {
			time.Sleep(ms)
			last = stops()
			if calls == 0 {
				first = last
			}
			calls++
			return nil
		}))
	require.Positive(t, first, "pauses before the window are counted")
	require.Equal(t, first, last)
}

// TestSetUpIsDoneWhenItShould: set-ups run once, once for each worker before all of them, or before
// each operation, and never in a latency.
func TestSetUpIsDoneWhenItShould(t *testing.T) {
	c := runner.Config{Workers: 3, Ops: 300, WarmUp: -1}
	var once, worker, each, calls atomic.Int64
	work := func(_ context.Context, in int64) error {
		time.Sleep(ms)
		if in == 0 {
			return errors.New("no input")
		}
		return nil
	}
	r := virtual(t, c,
		runner.Once(func(context.Context) (int64, error) { return once.Add(1), nil }, work))
	require.EqualValues(t, 1, once.Load())
	require.Zero(t, r.Failed)
	require.Equal(t, "once", r.SetUp)

	r = virtual(t, c, runner.PerWorker(func(_ context.Context, w int) (int64, error) {
		require.EqualValues(t, worker.Load(), w)
		require.Zero(t, calls.Load(), "before any worker starts")
		time.Sleep(time.Second)
		return worker.Add(1), nil
	}, func(ctx context.Context, in int64) error { calls.Add(1); return work(ctx, in) }))
	require.EqualValues(t, 3, worker.Load())
	require.Zero(t, r.Failed)
	require.Equal(t, 100*ms, r.Elapsed, "set-up is not in the window")

	r = virtual(t, c, runner.Each(func(context.Context, int) (int64, error) {
		time.Sleep(time.Second)
		return each.Add(1), nil
	}, work))
	require.EqualValues(t, 300, each.Load())
	require.Zero(t, r.Failed)
	require.InDelta(t, 1e6, r.Moments.Max, 1, "set-up is not timed")
}

// TestSetUpIsDoneWhileThereIsTime checks that set-up runs between planned
// starts, so that no latency contains it.
func TestSetUpIsDoneWhileThereIsTime(t *testing.T) {
	made := 0
	r := virtual(t, runner.Config{Workers: 1, Duration: time.Second, WarmUp: -1, Plan: constant(100)},
		runner.Each(
			func(context.Context, int) (int, error) {
				if made++; made > 1 { // the first start leaves no time for it
					time.Sleep(5 * ms)
				}
				return 0, nil
			},
			func(context.Context, int) error { time.Sleep(ms); return nil }))
	require.EqualValues(t, 100, r.Done)
	require.Equal(t, 100, made)
	require.InDelta(t, 1e6, r.Moments.Max, 1)
	require.Zero(t, r.Open.Late)
}

// TestSetUpThatOutlastsTheWindowStartsNothing makes an input for 400 ms in a
// window of 500 ms.
func TestSetUpThatOutlastsTheWindowStartsNothing(t *testing.T) {
	r := virtual(t, runner.Config{Workers: 2, Duration: 500 * ms, WarmUp: -1}, runner.Each(
		func(context.Context, int) (int, error) { time.Sleep(400 * ms); return 0, nil },
		func(context.Context, int) error { time.Sleep(20 * ms); return nil }))
	require.EqualValues(t, 2, r.Done)
}

// TestFailingSetUp: a set-up before the run that fails is an error, and of an operation a failure.
func TestFailingSetUp(t *testing.T) {
	bad := errors.New("no database")
	work := func(context.Context, int) error { time.Sleep(ms); return nil }
	perWorker := func(setUp func(worker int) (int, error)) runner.Operation {
		return runner.PerWorker(func(_ context.Context, w int) (int, error) { return setUp(w) }, work)
	}
	c := runner.Config{Workers: 2, Ops: 10, WarmUp: -1}
	for want, op := range map[string]runner.Operation{
		"set-up: no database": runner.Once(func(context.Context) (int, error) { return 0, bad }, work),
		"set-up of worker 1: no database": perWorker(func(w int) (int, error) {
			return 0, []error{nil, bad}[w]
		}),
		"set-up panicked: oh": perWorker(func(int) (int, error) { panic("oh") }),
		"set-up ended its goroutine": perWorker(func(int) (int, error) {
			runtime.Goexit()
			return 0, nil
		}),
		"set-up of worker 0: runner configuration": runner.Pool(nil, work),
	} {
		t.Run(want, func(t *testing.T) {
			_, err := runner.Run(context.Background(), c, op)
			require.ErrorContains(t, err, want)
			require.Equal(t, strings.Contains(want, bad.Error()), errors.Is(err, bad))
			require.Equal(t, strings.Contains(want, "configuration"), errors.Is(err, runner.ErrConfig))
		})
	}
	r := run(t, c, runner.Each(func(context.Context, int) (int, error) { return 0, bad }, work))
	require.EqualValues(t, 10, r.Failed)
	require.EqualValues(t, 10, r.Errors["set-up of an operation: no database"])
}

// upTo returns the numbers below n.
func upTo(n int) (numbers []int) {
	for i := range n {
		numbers = append(numbers, i)
	}
	return numbers
}

// TestPoolIsWalkedEvenly counts the inputs used and compares with the Result.
func TestPoolIsWalkedEvenly(t *testing.T) {
	for _, c := range []struct{ inputs, workers, ops, distinct int }{
		{100, 1, 30, 30}, {100, 1, 250, 100}, {100, 4, 40, 40}, {100, 4, 400, 100}, {3, 8, 80, 3},
		{1, 2, 10, 1},
	} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			used := make([]int, c.inputs)
			var mu sync.Mutex
			r := virtual(t, runner.Config{Workers: c.workers, Ops: int64(c.ops), WarmUp: -1, Seed: 9},
				runner.Pool(upTo(c.inputs), func(_ context.Context, i int) error {
					time.Sleep(ms)
					mu.Lock()
					used[i]++
					mu.Unlock()
					return nil
				}))
			require.LessOrEqual(t, slices.Max(used)-slices.Min(used), c.workers)
			distinct := len(slices.DeleteFunc(used, func(n int) bool { return n == 0 }))
			require.Equal(t, c.distinct, distinct)
			require.Equal(t, c.distinct, r.Inputs)
		})
	}
}

// TestInputsAreThoseOfTheWindow runs a warm-up where one worker got further
// than the other. In the window both walk the same inputs, which the test also
// counts.
func TestInputsAreThoseOfTheWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		last := map[int]time.Duration{}
		var mu sync.Mutex
		begun, calls := time.Now(), 0
		r := run(t, runner.Config{Workers: 2, Duration: 10 * time.Second, WarmUp: time.Second},
			runner.Pool(upTo(100), func(_ context.Context, i int) error {
				mu.Lock()
				calls++
				first := calls == 1
				last[i] = time.Since(begun)
				mu.Unlock()
				if !first && time.Since(begun) < time.Second {
					time.Sleep(10 * ms)
				} else {
					time.Sleep(500 * ms)
				}
				return nil
			}))
		used := 0
		for _, at := range last {
			if at >= time.Second {
				used++
			}
		}
		require.EqualValues(t, 40, r.Done)
		require.Equal(t, used, r.Inputs)
		require.Less(t, used, 40)
	})
}

// TestSeedOrdersThePool checks that equal seeds give equal orders, and
// different seeds different ones.
func TestSeedOrdersThePool(t *testing.T) {
	order := func(seed uint64) (used []int) {
		virtual(t, runner.Config{Workers: 1, Ops: 50, WarmUp: -1, Batch: 1, Seed: seed},
			runner.Pool(upTo(50), func(_ context.Context, i int) error {
				used = append(used, i)
				return nil
			}))
		return used
	}
	require.Equal(t, order(1), order(1))
	require.NotEqual(t, order(1), order(2))
	require.ElementsMatch(t, order(1), order(2))
}

// TestFiguresOfKnownLatencies has latencies of 1, 2, … 99 ms, once each in this order.
func TestFiguresOfKnownLatencies(t *testing.T) {
	calls := 0
	r := virtual(t, runner.Config{Workers: 1, Ops: 99, WarmUp: -1}, runner.Func(func(context.Context) error {
		calls++
		time.Sleep(time.Duration(calls) * ms)
		return nil
	}))
	deviation := math.Sqrt(99 * 100 / 12.0) // the deviation of 1 … n is √(n(n+1)/12)
	require.InEpsilon(t, 50e6, r.Moments.Mean, 1e-9)
	require.InEpsilon(t, deviation*1e6, r.Moments.StdDev, 1e-9)
	require.InEpsilon(t, deviation/50, r.CV(), 1e-9)
	require.InEpsilon(t, 1e6, r.Moments.Jitter, 1e-9)
	require.InEpsilon(t, 50e6, r.IQR(), 0.02)
	require.InEpsilon(t, 25e6, r.MAD(), 0.02)
	require.InDelta(t, 0, r.Overhead(), 1e-9)
	low, mild, high, severe := r.Outliers()
	require.Zero(t, low+mild+high+severe)
	require.Len(t, r.Slowest, 64)
	for i, s := range r.Slowest {
		n := time.Duration(99 - i)
		require.Equal(t, n*ms, s.Latency)
		require.Equal(t, (n-1)*n/2*ms, s.From)
	}
}

// TestUsageIsThatOfTheWindow collects garbage, and lets 200 goroutines wait for
// a lock for 10 ms, in the warm-up and in the window. The runtime samples one
// wait of eight.
func TestUsageIsThatOfTheWindow(t *testing.T) {
	calls, waits := 0, 0
	var waiting atomic.Int64
	work := runner.Func(func(context.Context) error {
		calls++
		runtime.GC()
		var mu sync.Mutex
		var wg sync.WaitGroup
		mu.Lock()
		waiting.Store(0)
		for range 200 {
			wg.Go(func() {
				waiting.Add(1)
				mu.Lock()
				defer mu.Unlock()
				waits++
			})
		}
		for waiting.Load() < 200 {
			time.Sleep(ms)
		}
		time.Sleep(10 * ms)
		mu.Unlock()
		wg.Wait()
		return nil
	})
	var r *result.Result
	// on a busy machine the warm-up may end before the first call
	for warmUp := 50 * time.Millisecond; calls <= 5; warmUp *= 2 {
		calls, waits = 0, 0
		r = run(t, runner.Config{Workers: 1, Ops: 5, WarmUp: warmUp, Batch: 1}, work)
	}
	require.Equal(t, 200*calls, waits)
	require.InDelta(t, 5, float64(r.Usage.GCCycles), 1)
	require.Positive(t, r.Usage.GCShare)
	require.Positive(t, r.Usage.GCPauses)
	require.LessOrEqual(t, r.Usage.GCPauseMax, r.Usage.GCPauses)
	require.Greater(t, r.Usage.MutexWait, 5*time.Second, "5 × 200 × 10 ms")
	require.Positive(t, r.Usage.HeapBytes)
	require.Positive(t, r.Usage.SchedP99)
	require.InDelta(t, 1000, float64(r.Usage.Goroutines), 30)
}

// TestShortOperationsAreBatched, also with a timeout.
func TestShortOperationsAreBatched(t *testing.T) {
	var calls atomic.Int64
	work := runner.Func(func(context.Context) error {
		if calls.Add(1)%100_000 == 0 {
			return errors.New("sometimes fails")
		}
		return nil
	})
	r := &result.Result{}
	timeout := time.Hour
	if nightly.Racing() {
		timeout = 0 // a context for each call makes it too long for batches under the race detector
	}
	// a busy machine needs longer
	for d := 200 * time.Millisecond; min(r.WarmUp.Operations, r.Done) < 10_000; d *= 2 {
		r = run(t, runner.Config{Workers: 2, Duration: d, Timeout: timeout}, work)
	}
	require.Greater(t, r.Config.Batch, 1)
	require.Less(t, r.Records, r.Done)
	batch := uint64(r.Config.Batch)
	require.LessOrEqual(t, r.Done, r.Records*batch)
	require.GreaterOrEqual(t, r.Done, (r.Records-r.Failed)*batch, "only a failure ends a batch early")
	slow := run(t, runner.Config{Workers: 1, Ops: 50}, sleeper(2*ms))
	require.Equal(t, 1, slow.Config.Batch)
}

// TestPrecisionEndsTheWindow: a run ends if its figure is precise, and after a tenth of its duration
// and at most a second if it never varies.
func TestPrecisionEndsTheWindow(t *testing.T) {
	precise := func(t *testing.T, duration time.Duration, of string, precision float64,
		op runner.Operation) *result.Result {
		return virtual(t, runner.Config{Workers: 1, Duration: duration, Ops: 1e7, Precision: precision,
			HalfWidth: judge.HalfWidth, PrecisionOf: of}, op)
	}
	random := rand.New(rand.NewPCG(1, 1))
	noisy := runner.Func(func(context.Context) error {
		time.Sleep(time.Duration(1e6 * (1 + random.Float64())))
		return nil
	})
	for _, of := range []string{"mean", "p50", "p90"} {
		t.Run(of, func(t *testing.T) {
			r := precise(t, time.Hour, of, 0.01, noisy)
			require.Equal(t, "precision", r.End)
			require.Less(t, r.Elapsed, time.Minute)
			require.Positive(t, r.Looks)
			require.GreaterOrEqual(t, r.Confidence, 0.97)
			require.InEpsilon(t, 1/1.5e-3, r.Throughput(), 0.01)

			r = precise(t, time.Second, of, 0.0001, noisy)
			require.Equal(t, "time", r.End)
			require.Contains(t, kindsOf(r), "precision missed")
		})
	}
	for duration, least := range map[time.Duration]time.Duration{0: time.Second, 5 * time.Second: 500 * ms,
		10 * time.Second: time.Second, time.Hour: time.Second} {
		t.Run(duration.String(), func(t *testing.T) {
			r := precise(t, duration, "mean", 0.01, sleeper(ms))
			require.Equal(t, "precision", r.End)
			require.GreaterOrEqual(t, r.Elapsed, least, "a short window may be quiet by chance")
			require.Less(t, r.Elapsed, least+100*ms)
		})
	}
}

// TestPrecisionOfAQueue: at a load of 0.9, a quarter of a minute is too short for a mean to 30 %.
func TestPrecisionOfAQueue(t *testing.T) {
	random, free := rand.New(rand.NewPCG(1, 16)), time.Duration(0)
	r := replay(t, runner.Config{Workers: 1, Duration: 16 * time.Second,
		Plan: &schedule.Plan{Arrival: schedule.Poisson, Rate: 100, Seed: 1}, Precision: 0.3,
		PrecisionOf: "mean", HalfWidth: judge.HalfWidth}, func(_ int, start time.Duration) time.Duration {
		free = max(free, start) + time.Duration(0.9*1e7*random.ExpFloat64())
		return free - start
	})
	require.Equal(t, "time", r.End)
}

// TestWarmUpEndsWhenSteady: operations get faster up to the 500th call, or all the time.
func TestWarmUpEndsWhenSteady(t *testing.T) {
	settling := func(until int) *result.Result {
		random, calls := rand.New(rand.NewPCG(1, 1)), 0
		return virtual(t, runner.Config{Workers: 1, Duration: 10 * time.Second, Steady: true},
			runner.Func(func(context.Context) error {
				calls++
				time.Sleep(time.Duration(1e6*(1+0.1*random.Float64()) + 1e4*float64(max(0, until-calls))))
				return nil
			}))
	}
	r := settling(500)
	require.True(t, r.WarmUp.Steady)
	require.Greater(t, r.WarmUp.Operations, uint64(490))
	require.Less(t, r.WarmUp.Took, 9*time.Second)
	require.NotContains(t, kindsOf(r), "never steady")
	r = settling(1e6)
	require.False(t, r.WarmUp.Steady)
	require.Contains(t, kindsOf(r), "never steady")
}

func TestProgressIsTold(t *testing.T) {
	var reports []result.Progress
	virtual(t, runner.Config{Workers: 1, Duration: time.Second, Progress: func(p result.Progress) {
		reports = append(reports, p)
	}}, sleeper(ms))
	require.Greater(t, len(reports), 5)
	require.Equal(t, "warm-up", reports[0].Phase)
	last := reports[len(reports)-1]
	require.Equal(t, "window", last.Phase)
	require.Equal(t, time.Second, last.Limit)
	require.InDelta(t, last.Elapsed.Seconds()*1000, float64(last.Done), 2)
}

// TestControlsOfTheFirstWorker: the control operation runs on the first worker alone, at
// intervals of a part of the duration: once in a short beginning of an hour.
func TestControlsOfTheFirstWorker(t *testing.T) {
	var begun sync.WaitGroup // every worker begins an operation before one ends
	begun.Add(4)
	operation := runner.PerWorker(
		func(context.Context, int) (*bool, error) { return new(bool), nil },
		func(_ context.Context, before *bool) error {
			if !*before {
				*before = true
				begun.Done()
			}
			begun.Wait()
			return nil
		})
	r := run(t, runner.Config{Workers: 4, Duration: time.Hour, Ops: 4000, WarmUp: -1}, operation)
	require.Equal(t, 1, r.Control.N)
}
