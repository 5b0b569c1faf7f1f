package runner // worker and queue are private: what they share and allocate shows in their memory

import (
	"context"
	"runtime"
	"slices"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/schedule"
)

// alone returns a worker without a watching goroutine, limited by operations.
func alone(ops int64, work func(context.Context) error) *worker {
	p := newPhase(Config{Workers: 1, Stall: time.Minute}, nil, 0, ops)
	p.origin, p.ctx = time.Now(), context.Background()
	return newWorker(0, p, bound{work: work})
}

// BenchmarkRecord measures the cost of recording one operation without the
// clock reading.
func BenchmarkRecord(b *testing.B) {
	w := alone(1, nil)
	b.ReportAllocs()
	var now moment
	for b.Loop() {
		w.record(now, now, now+1000, 1, nil)
		now += 1000
	}
}

// BenchmarkLoop also includes the clock, the call and the queue.
func BenchmarkLoop(b *testing.B) {
	w := alone(int64(b.N), func(context.Context) error { return nil })
	b.ReportAllocs()
	b.ResetTimer()
	w.loop()
}

func TestRecordingAllocatesNothing(t *testing.T) {
	w := alone(1, nil)
	var now moment
	require.Zero(t, testing.AllocsPerRun(5000, func() {
		w.record(now, now, now+12345678, 1, nil)
		now += 12345678
	}))
}

// TestLoopReadsTheClockOncePerOperation checks that the end of one operation is
// the start of the next: the latencies sum to the time from the first start to
// the last end.
func TestLoopReadsTheClockOncePerOperation(t *testing.T) {
	var w *worker
	first := moment(-1)
	w = alone(1000, func(context.Context) error {
		if first < 0 {
			first = w.start
		}
		return nil
	})
	w.loop()
	require.EqualValues(t, 1000, w.Done)
	require.InDelta(t, float64(w.LastEnd-first), w.Response.Moments().Mean*1000, 1)
}

// TestPacerLagIsPartOfTheResponse checks that latencies, which run from the
// plan, include the lateness of the timer.
func TestPacerLagIsPartOfTheResponse(t *testing.T) {
	plan := schedule.Plan{Arrival: schedule.Constant, Rate: 1000}
	p := newPhase(Config{Workers: 1, Stall: time.Minute}, &plan, 0, 50)
	p.origin, p.ctx = time.Now(), context.Background()
	w := newWorker(0, p, bound{work: func(context.Context) error { return nil }})
	w.loop()
	require.EqualValues(t, 50, w.Done)
	require.Positive(t, w.Lag.Sum)
	require.GreaterOrEqual(t, 50*(w.Response.Moments().Mean-w.Service.Moments().Mean), float64(w.Lag.Sum)-1)
}

// TestWorkersWriteNoCacheLineTogether checks the addresses of the fields that
// successively created workers write on every operation.
func TestWorkersWriteNoCacheLineTogether(t *testing.T) {
	const line = 64
	p := newPhase(Config{Workers: 8, Stall: time.Minute}, nil, time.Minute, 0)
	writer := map[uintptr]int{}
	for i := range 8 {
		w := newWorker(i, p, bound{})
		from := uintptr(unsafe.Pointer(w))
		till := uintptr(unsafe.Pointer(&w.Record)) + unsafe.Sizeof(w.Record)
		for at := from / line; at <= (till-1)/line; at++ {
			other, taken := writer[at]
			require.False(t, taken, "workers %d and %d", other, i)
			writer[at] = i
		}
		defer runtime.KeepAlive(w)
	}
}

// TestOperationsWriteNothingShared compares the shared state before and after
// operations of one worker.
func TestOperationsWriteNothingShared(t *testing.T) {
	calls, before := 0, []byte(nil)
	var w *worker
	shared := func() []byte {
		phase := unsafe.Slice((*byte)(unsafe.Pointer(w.p)), unsafe.Sizeof(*w.p))
		queue := unsafe.Slice((*byte)(unsafe.Pointer(w.p.queue)), unsafe.Sizeof(*w.p.queue))
		return slices.Concat(phase, queue)
	}
	w = alone(0, func(context.Context) error {
		switch calls++; calls {
		case 1:
			before = shared()
		case 1000:
			require.Equal(t, before, shared())
			w.p.till.Store(0)
		}
		return nil
	})
	w.loop()
	require.Equal(t, 1000, calls)
	// With a limit on operations, workers take portions from one counter.
	q := newQueue(nil, 1_000_000, 8)
	claims := 0
	for q.claim() > 0 {
		claims++
	}
	require.LessOrEqual(t, claims, 800)
}
