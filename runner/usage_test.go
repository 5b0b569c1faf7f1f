package runner // readings are private: the counters of the runtime are those of the machine

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/zkatbench/zkatbench/runner/result"
)

// TestSpreadOfTheRuntime: a histogram with five values, one of them without a bound.
func TestSpreadOfTheRuntime(t *testing.T) {
	s := spread{counts: []uint64{1, 0, 3, 1}, bounds: []float64{0, 1e-6, 2e-6, 4e-6, math.Inf(1)}}
	require.EqualValues(t, 5, s.count())
	require.Equal(t, time.Microsecond, s.quantile(0.2))
	require.Equal(t, 4*time.Microsecond, s.quantile(0.21))
	require.Equal(t, 4*time.Microsecond, s.quantile(1), "the last bucket has no upper bound")
	require.Equal(t, 17*time.Microsecond, s.total())
	require.Zero(t, spread{}.count())
	require.Zero(t, spread{}.quantile(0.5))
}

// metricOf returns a metric of the runtime with the value n.
func metricOf(n int) metrics.Value {
	defer debug.SetGCPercent(debug.SetGCPercent(n))
	s := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(s)
	return s[0].Value
}

// histogram returns a histogram of the runtime with these counts.
func histogram(counts ...uint64) metrics.Value {
	s := []metrics.Sample{{Name: schedLatencies}}
	metrics.Read(s)
	*s[0].Value.Float64Histogram() = metrics.Float64Histogram{Counts: counts,
		Buckets: []float64{math.Inf(-1), 0, 1e-6, 3e-6, math.Inf(1)}}
	return s[0].Value
}

// TestUsageIsTheDifferenceOfReadings subtracts readings of known values.
func TestUsageIsTheDifferenceOfReadings(t *testing.T) {
	begun := time.Unix(0, 0)
	values := func(k int, pauses, latencies metrics.Value) map[string]metrics.Value {
		return map[string]metrics.Value{
			gcCycles: metricOf(10 * k), gcSeconds: metricOf(3 * k), assistSeconds: metricOf(k),
			allSeconds: metricOf(20 * k), idleSeconds: metricOf(5 * k),
			heapLive: metricOf(77 * k), mutexSeconds: metricOf(2 * k), goroutinesCreated: metricOf(9 * k),
			gcPauses: pauses, schedLatencies: latencies,
		}
	}
	before := readings{bytes: 1100, allocs: 110, cpu: time.Second, at: begun,
		values: values(1, histogram(1, 1, 1, 1), histogram(0, 0, 0, 0))}
	after := readings{bytes: 2000, allocs: 180, cpu: 3 * time.Second, at: begun.Add(4 * time.Second),
		values: values(3, histogram(2, 3, 1, 2), histogram(0, 98, 1, 1))}
	u := usage(readings{bytes: 1000, allocs: 100}, before, after, 10)
	require.Equal(t, result.Usage{
		BytesPerOp: 80, AllocsPerOp: 6, GCCycles: 20, GCShare: 0.15, AssistShare: 0.05, HeapBytes: 231,
		MutexWait: 4 * time.Second, Goroutines: 18, ProcessorUse: 0.75,
		GCPauses: 2*time.Microsecond + 3*time.Microsecond, GCPauseMax: 3 * time.Microsecond,
		SchedP50: time.Microsecond, SchedP99: 3 * time.Microsecond, Scheduled: 100,
	}, u)
	require.Zero(t, usage(readings{}, before, after, 0).BytesPerOp)
	require.InDelta(t, 2e9/8, cpuPerOp(before, after, 8, 0), 1e-3)
	require.InDelta(t, (2e9-0.08e9)/8, cpuPerOp(before, after, 8, 0.02), 1e-3)
	require.Zero(t, cpuPerOp(before, after, 8, 0.03), "over a twentieth")
	require.Zero(t, cpuPerOp(before, after, 0, 0))
}

// TestPausesOfSlowOperations: a pause counts where it overlaps with an operation.
func TestPausesOfSlowOperations(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // no other collections
	var s debug.GCStats
	far := func() bool { return len(s.Pause) > 1 && s.PauseEnd[0].Sub(s.PauseEnd[1]) > 10*s.Pause[0] }
	for wait := time.Millisecond; !far(); wait *= 2 { // from the pause before
		time.Sleep(wait)
		runtime.GC()
		debug.ReadGCStats(&s)
	}
	end, pause := s.PauseEnd[0], s.Pause[0]
	require.Positive(t, pause)
	slow := []result.Slow{{From: pause / 2, Latency: pause / 4}, {From: -pause, Latency: pause + pause/2},
		{From: -pause, Latency: 3 * pause}, {From: pause + 1, Latency: 1}, {From: -5, Latency: 5}}
	attributePauses(slow, 1, end.Add(-pause))
	for i, want := range []time.Duration{pause / 4, pause / 2, pause, 0, 0} {
		require.Equal(t, want, slow[i].GCPause)
	}
	runtime.GC()
	slow = []result.Slow{{From: 0, Latency: pause / 8}, {From: 0, Latency: pause / 8}}
	attributePauses(slow, 3, end.Add(-pause))
	require.Equal(t, []time.Duration{3 * (pause / 8), 3 * (pause / 8)},
		[]time.Duration{slow[0].GCPause, slow[1].GCPause})
}
