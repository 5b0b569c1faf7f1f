package runner

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// Usage is what the runtime did from the start of the window until the last
// operation that began in it was over.
type Usage struct {
	BytesPerOp, AllocsPerOp float64 // without the runner's own share

	GCCycles     uint64
	GCShare      float64       // of the processor time that was available
	AssistShare  float64       // likewise, of which operations did themselves
	GCPauses     time.Duration // the world stopped for collections, in all
	GCPauseMax   time.Duration // the longest of these, to within a bucket of the runtime
	HeapBytes    uint64        // live at the end
	MutexWait    time.Duration // of all goroutines
	SchedP50     time.Duration // from runnable to running
	SchedP99     time.Duration
	Scheduled    uint64  // how often that happened
	Goroutines   uint64  // created
	ProcessorUse float64 // share of the processor time that was available
}

// readings of the runtime at one moment.
type readings struct {
	bytes, allocs uint64
	samples       []metrics.Sample
}

// The metrics that are read; the order is that of the constants.
var metricNames = [...]string{
	"/gc/cycles/total:gc-cycles",
	"/cpu/classes/gc/total:cpu-seconds",
	"/cpu/classes/gc/mark/assist:cpu-seconds",
	"/cpu/classes/total:cpu-seconds",
	"/cpu/classes/idle:cpu-seconds",
	"/sched/pauses/total/gc:seconds",
	"/gc/heap/live:bytes",
	"/sync/mutex/wait/total:seconds",
	"/sched/latencies:seconds",
	"/sched/goroutines-created:goroutines",
}

const (
	gcCycles = iota
	gcSeconds
	assistSeconds
	allSeconds
	idleSeconds
	gcPauses
	heapLive
	mutexSeconds
	schedLatencies
	goroutinesCreated
)

// read reads the runtime. It stops the world, so it is for the ends of the
// window, when no worker runs.
func read() readings {
	r := readings{samples: make([]metrics.Sample, len(metricNames))}
	for i, name := range metricNames {
		r.samples[i].Name = name
	}
	metrics.Read(r.samples)
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	r.bytes, r.allocs = m.TotalAlloc, m.Mallocs
	return r
}

func (r readings) number(i int) float64 {
	switch v := r.samples[i].Value; v.Kind() {
	case metrics.KindUint64:
		return float64(v.Uint64())
	case metrics.KindFloat64:
		return v.Float64()
	}
	return 0
}

// usage is what happened between two readings, in which calls were made. What
// a reading itself takes is known from an earlier one, directly before.
func usage(earlier, before, after readings, calls uint64) (u Usage) {
	delta := func(i int) float64 { return after.number(i) - before.number(i) }
	if calls > 0 {
		u.BytesPerOp = without(after.bytes-before.bytes, before.bytes-earlier.bytes) / float64(calls)
		u.AllocsPerOp = without(after.allocs-before.allocs, before.allocs-earlier.allocs) / float64(calls)
	}
	u.GCCycles, u.HeapBytes = uint64(delta(gcCycles)), uint64(after.number(heapLive))
	if all := delta(allSeconds); all > 0 {
		u.GCShare, u.AssistShare = delta(gcSeconds)/all, delta(assistSeconds)/all
		u.ProcessorUse = 1 - delta(idleSeconds)/all
	}
	u.MutexWait = time.Duration(delta(mutexSeconds) * 1e9)
	u.Goroutines = uint64(delta(goroutinesCreated))
	pauses := between(before.samples[gcPauses], after.samples[gcPauses])
	u.GCPauses, u.GCPauseMax = pauses.total(), pauses.quantile(1)
	latencies := between(before.samples[schedLatencies], after.samples[schedLatencies])
	u.SchedP50, u.SchedP99, u.Scheduled = latencies.quantile(0.5), latencies.quantile(0.99), latencies.count()
	return u
}

func without(all, own uint64) float64 { return float64(all - min(all, own)) }

// spread is a histogram of the runtime, in seconds.
type spread struct {
	counts []uint64
	bounds []float64
}

func between(before, after metrics.Sample) (s spread) {
	if after.Value.Kind() != metrics.KindFloat64Histogram || before.Value.Kind() != metrics.KindFloat64Histogram {
		return s
	}
	a, b := before.Value.Float64Histogram(), after.Value.Float64Histogram()
	s.bounds = b.Buckets
	for i := range b.Counts {
		s.counts = append(s.counts, b.Counts[i]-a.Counts[i])
	}
	return s
}

// upper is the end of bucket i, or its start if it has no end.
func (s spread) upper(i int) time.Duration {
	v := s.bounds[i+1]
	if math.IsInf(v, 1) {
		v = s.bounds[i]
	}
	return time.Duration(max(0, v) * 1e9)
}

func (s spread) total() (d time.Duration) {
	for i, c := range s.counts {
		d += time.Duration(c) * s.upper(i)
	}
	return d
}

func (s spread) count() (n uint64) {
	for _, c := range s.counts {
		n += c
	}
	return n
}

func (s spread) quantile(q float64) time.Duration {
	n, seen := s.count(), uint64(0)
	for i, c := range s.counts {
		if seen += c; c > 0 && float64(seen) >= q*float64(n) {
			return s.upper(i)
		}
	}
	return 0
}

// blame finds the collections that stopped the world during slow operations.
// The runtime remembers the last 256, each with both of its stops as one at
// the end of the cycle. Of k operations that were timed as one, latencies are
// means.
func blame(slow []Slow, k int, origin time.Time) {
	var s debug.GCStats
	debug.ReadGCStats(&s)
	for i := range slow {
		from := origin.Add(slow[i].From)
		till := from.Add(slow[i].Latency * time.Duration(k))
		for k, end := range s.PauseEnd {
			start := end.Add(-s.Pause[k])
			if start.Before(from) {
				start = from
			}
			if end.After(till) {
				end = till
			}
			slow[i].GCPause += max(0, end.Sub(start))
		}
	}
}
