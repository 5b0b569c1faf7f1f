package runner

import (
	"context"
	"errors"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

// TestEndsOfPhases decide by the counts of all workers.
func TestEndsOfPhases(t *testing.T) {
	p := newPhase(Config{Workers: 9, Stall: 5 * time.Second}, nil, time.Second, 0)
	require.EqualValues(t, time.Second, p.till.Load())
	require.Equal(t, time.Second, p.every)
	require.Equal(t, int64(math.MaxInt64), newPhase(Config{Workers: 1, Stall: 300}, nil, 0, 0).till.Load())
	require.EqualValues(t, 300, newPhase(Config{Workers: 1, Stall: 300}, nil, 0, 0).every)
	var ws []*worker
	for i := range 9 {
		ws = append(ws, newWorker(i, p, bound{}))
		ws[i].Failed, ws[i].Calls = 2, uint64(i)
	}
	ws[8].Failed = 4
	p.window = true
	require.True(t, p.failing(failingTime, ws))
	require.False(t, p.failing(failingTime-1, ws))
	ws[8].Failed--
	require.False(t, p.failing(failingTime, ws), "19 failures")
	ws[8].Failed, ws[8].Done = 9, 1
	require.False(t, p.failing(failingTime, ws), "one operation succeeded")
	ws[8].Done, p.window = 0, false
	require.False(t, p.failing(failingTime, ws), "the warm-up goes on")
	require.EqualValues(t, 36, callsOf(ws))
	require.False(t, idle(ws))
	for i := range ws {
		ws[i].Exited = true
	}
	require.True(t, idle(ws))
	ws[8].Exited = false
	require.False(t, idle(ws))
	ws[8].waiting.Store(true)
	require.True(t, idle(ws))
	d := watchdog{limit: 10}
	require.False(t, d.stalled(5, false, ws), "operations ended")
	require.False(t, d.stalled(14, false, ws))
	require.True(t, d.stalled(15, false, ws))
	require.False(t, d.stalled(16, true, ws), "all wait")
	require.False(t, d.stalled(25, false, ws))
	require.True(t, d.stalled(26, false, ws))
	ws[8].Calls++
	require.False(t, d.stalled(27, false, ws))
	for end, want := range map[string]bool{result.EndTime: false, result.EndOps: false,
		result.EndPrecision: false, result.EndSteady: false, result.EndInterrupted: true,
		result.EndDeadline: true, result.EndStalled: true, result.EndFailing: true} {
		require.Equal(t, want, early(end), end)
	}
	abandon(ws)
	for i, w := range ws {
		require.Equal(t, i == 8, w.Abandoned)
	}
	g := gather(ws)
	require.Equal(t, 1, g.Abandoned)
	require.EqualValues(t, 16+9, g.Failed)
	require.Equal(t, []uint64{0, 1, 2, 3, 4, 5, 6, 7, 9}, g.PerWorker)
	synctest.Test(t, func(t *testing.T) {
		p := newPhase(Config{Workers: 1}, nil, time.Second, 0)
		p.origin = time.Now()
		time.Sleep(300 * time.Millisecond)
		p.stop()
		require.EqualValues(t, 300*time.Millisecond, p.till.Load())
		time.Sleep(time.Hour)
		p.stop()
		require.EqualValues(t, 300*time.Millisecond, p.till.Load(), "once")
		<-p.stopped
		late := newPhase(Config{Workers: 1}, nil, time.Second, 0)
		late.origin = time.Now().Add(-time.Hour)
		late.stop()
		require.EqualValues(t, time.Second, late.till.Load(), "not after the end")
		begun := time.Now()
		late.cancel = func() {}
		late.abort(make(chan struct{}))
		require.Equal(t, grace, time.Since(begun))
		done := make(chan struct{})
		close(done)
		late.abort(done)
		require.Equal(t, grace, time.Since(begun))
	})
}

// TestControlsBetweenOperations run on the first worker, at intervals, up to a number.
func TestControlsBetweenOperations(t *testing.T) {
	p := newPhase(Config{Workers: 1}, nil, time.Second, 0)
	p.origin, p.controlEvery = time.Now(), time.Hour
	other, w := newWorker(1, p, bound{}), newWorker(0, p, bound{})
	require.EqualValues(t, 5, other.maybeControl(5))
	require.Empty(t, other.Control)
	end := w.maybeControl(5)
	require.Len(t, w.Control, 1)
	require.InDelta(t, float64(end-5), w.Control[0], 0)
	require.Equal(t, end+time.Hour, w.nextControl)
	require.Equal(t, w.nextControl-1, w.maybeControl(w.nextControl-1))
	require.Len(t, w.Control, 1)
	w.maybeControl(w.nextControl)
	require.Len(t, w.Control, 2)
	w.nextControl = 0
	w.Control = w.Control[:maxControls]
	require.EqualValues(t, 7, w.maybeControl(7))
	w.Control, p.controlEvery = w.Control[:0], 0
	require.EqualValues(t, 7, w.maybeControl(7))
	require.Empty(t, w.Control)
}

// TestStartsOfOperations wait for their plan, and count the lateness of the timer.
func TestStartsOfOperations(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPhase(Config{Workers: 1}, &schedule.Plan{Rate: 1}, time.Second, 0)
		p.origin = time.Now()
		w := newWorker(0, p, bound{})
		start, ok := w.begin(5, 5)
		require.True(t, ok)
		require.EqualValues(t, 5, start)
		require.Zero(t, w.Lag.N)
		start, ok = w.begin(20*time.Millisecond, 0)
		require.True(t, ok)
		require.EqualValues(t, 20*time.Millisecond, start)
		require.Equal(t, result.Lag{N: 1}, w.Lag)
		w.p.origin = w.p.origin.Add(-3) // the clock is 3 ns further
		_, ok = w.begin(30*time.Millisecond, 20*time.Millisecond)
		require.True(t, ok)
		require.Equal(t, result.Lag{N: 2, Sum: 3, Max: 3}, w.Lag)
		require.False(t, w.waiting.Load())
		close(p.stopped)
		_, ok = w.begin(time.Hour, 0)
		require.False(t, ok)
		require.EqualValues(t, 1, w.quotaLeft())
		closed := newWorker(0, newPhase(Config{Workers: 1}, nil, 100, 3), bound{})
		closed.p.origin = time.Now()
		for now, want := range map[moment]bool{7: true, 99: true, 100: false} {
			_, ok := closed.begin(7, now)
			require.Equal(t, want, ok, now)
		}
		for range 3 {
			planned, ok := closed.next(50)
			require.True(t, ok)
			require.EqualValues(t, 50, planned)
			require.EqualValues(t, 1, closed.quotaLeft())
			closed.quota--
		}
		_, ok = closed.next(50)
		require.False(t, ok, "all are taken")
		closed.quota = 1
		_, ok = closed.next(100)
		require.False(t, ok, "the window has ended")
		require.EqualValues(t, 1, closed.quota)
	})
}

// looping is a B that loops n times.
type looping struct {
	B
	ctx     context.Context
	n       int
	timing  int // Start less Stop
	metrics map[string]float64
	failure []any
	allocs  bool
}

func (b *looping) Helper() {}

func (b *looping) Context() context.Context { return b.ctx }

func (b *looping) Loop() bool { b.n--; return b.n >= 0 }

func (b *looping) StartTimer() { b.timing++ }

func (b *looping) StopTimer() { b.timing-- }

func (b *looping) ReportAllocs() { b.allocs = true }

func (b *looping) ReportMetric(v float64, u string) { b.metrics[u] = v }

func (b *looping) Fatal(args ...any) { b.failure = args }

// TestBenchExactly counts calls, inputs and batches, and fails at each place.
func TestBenchExactly(t *testing.T) {
	bad := errors.New("bad")
	for _, c := range []struct {
		loops, fails, failsInput int // the call that fails; 0: none
		each                     bool
		calls, inputs            int
	}{
		{3000, 0, 0, false, 3005, 0}, {3000, 0, 0, true, 3005, 3005}, {0, 0, 0, false, 5, 0},
		{9, 3, 0, false, 3, 0}, {9, 5, 0, true, 5, 5}, {9, 6, 0, false, 6, 0}, {9, 14, 0, true, 14, 14},
		{9, 0, 1, true, 0, 1}, {9, 0, 5, true, 4, 5}, {9, 0, 6, true, 5, 6}, {9, 0, 15, true, 14, 14},
	} {
		b := &looping{ctx: t.Context(), n: c.loops, metrics: map[string]float64{}}
		calls, inputs := 0, 0
		work := func(context.Context) error {
			if calls++; calls == c.fails {
				return bad
			}
			return nil
		}
		op := Func(work)
		if c.each {
			op = Each(func(context.Context, int) (int, error) {
				if inputs++; inputs == c.failsInput {
					return 0, bad
				}
				return inputs, nil
			}, func(ctx context.Context, n int) error {
				require.Equal(t, inputs, n)
				return work(ctx)
			})
		}
		Bench(b, op)
		require.Equal(t, []int{c.calls, c.inputs}, []int{calls, inputs}, "%+v", c)
		require.True(t, b.allocs)
		if c.fails > 0 || c.failsInput > 0 && c.failsInput < 15 {
			require.Equal(t, []any{bad}, b.failure, "%+v", c)
			require.Empty(t, b.metrics)
			continue
		}
		require.Nil(t, b.failure, "%+v", c)
		require.Zero(t, b.timing)
		_, p50 := b.metrics["p50-ns/op"]
		require.True(t, p50 || !c.each, "each operation with an input is timed alone")
	}
	b := &looping{ctx: t.Context()}
	Bench(b, Pool([]int{}, func(context.Context, int) error { return nil }))
	require.ErrorIs(t, b.failure[0].(error), ErrConfig)
	m := &benching{B: &looping{ctx: t.Context()}, tally: result.NewTally(time.Second), batch: 1,
		op: bound{work: func(context.Context) error { return nil }}}
	require.NoError(t, m.try())
	require.Greater(t, m.batch, 1, "an operation of nothing is timed with others")
	m.op.before, m.batch = func(context.Context) error { return nil }, 1
	require.NoError(t, m.try())
	require.Equal(t, 1, m.batch)
	m.op.before = nil
	m.op.work = func(context.Context) error { time.Sleep(20 * time.Millisecond); return nil }
	require.NoError(t, m.try())
	require.Equal(t, 1, m.batch)
	m = &benching{B: &looping{ctx: t.Context(), n: 23}, tally: result.NewTally(time.Second), batch: 5,
		cpu: newBenchTime(), op: bound{work: func(context.Context) error { return nil }}}
	require.NoError(t, m.loop())
	require.Equal(t, 23, m.calls)
	require.EqualValues(t, 4, m.tally.N)
	require.Less(t, m.tally.Moments().Max, float64(time.Hour), "from the start of each batch")
	m.cpu.close()
}

// TestFirstTick: repeated doubling ends at a hundredth of the window.
func TestFirstTick(t *testing.T) {
	for d, want := range map[time.Duration]time.Duration{0: time.Millisecond, 99: time.Millisecond, 100: 1,
		100 * time.Millisecond: time.Millisecond, 101 * time.Millisecond: 505 * time.Microsecond,
		time.Second: 625 * time.Microsecond} {
		require.Equal(t, want, firstTick(d), d)
	}
}
