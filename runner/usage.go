package runner

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"github.com/zkatbench/zkatbench/runner/cputime"
	"github.com/zkatbench/zkatbench/runner/result"
)

// readings are the metrics of the runtime at one moment.
type readings struct {
	bytes, allocs uint64
	cpu           time.Duration
	at            time.Time
	values        map[string]metrics.Value
}

// The names of the metrics.
const (
	gcCycles          = "/gc/cycles/total:gc-cycles"
	gcSeconds         = "/cpu/classes/gc/total:cpu-seconds"
	assistSeconds     = "/cpu/classes/gc/mark/assist:cpu-seconds"
	allSeconds        = "/cpu/classes/total:cpu-seconds"
	idleSeconds       = "/cpu/classes/idle:cpu-seconds"
	gcPauses          = "/sched/pauses/total/gc:seconds"
	heapLive          = "/gc/heap/live:bytes"
	mutexSeconds      = "/sync/mutex/wait/total:seconds"
	schedLatencies    = "/sched/latencies:seconds"
	goroutinesCreated = "/sched/goroutines-created:goroutines"
)

// read reads the runtime. It stops the world, so it is called only at the ends
// of the window, when no worker runs.
func read() readings {
	r := readings{values: map[string]metrics.Value{}}
	var samples []metrics.Sample
	for _, name := range []string{gcCycles, gcSeconds, assistSeconds, allSeconds, idleSeconds, gcPauses,
		heapLive, mutexSeconds, schedLatencies, goroutinesCreated} {
		samples = append(samples, metrics.Sample{Name: name})
	}
	metrics.Read(samples)
	for _, s := range samples {
		r.values[s.Name] = s.Value
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	r.bytes, r.allocs = m.TotalAlloc, m.Mallocs
	r.cpu, r.at = cputime.Process(), time.Now()
	return r
}

func (r readings) number(name string) float64 {
	switch v := r.values[name]; v.Kind() {
	case metrics.KindUint64:
		return float64(v.Uint64())
	case metrics.KindFloat64:
		return v.Float64()
	}
	return 0
}

// usage returns the difference between two readings where calls were made.
// The cost of a reading itself is subtracted; it is the difference between
// before and earlier, the reading directly before it.
func usage(earlier, before, after readings, calls uint64) (u result.Usage) {
	delta := func(name string) float64 { return after.number(name) - before.number(name) }
	if calls > 0 {
		u.BytesPerOp = saturatingSub(after.bytes-before.bytes, before.bytes-earlier.bytes) / float64(calls)
		u.AllocsPerOp = saturatingSub(after.allocs-before.allocs, before.allocs-earlier.allocs) /
			float64(calls)
	}
	u.GCCycles, u.HeapBytes = uint64(delta(gcCycles)), uint64(after.number(heapLive))
	if all := delta(allSeconds); all > 0 {
		u.GCShare, u.AssistShare = delta(gcSeconds)/all, delta(assistSeconds)/all
		u.ProcessorUse = 1 - delta(idleSeconds)/all
	}
	u.MutexWait = time.Duration(delta(mutexSeconds) * 1e9)
	u.Goroutines = uint64(delta(goroutinesCreated))
	pauses := between(before.values[gcPauses], after.values[gcPauses])
	u.GCPauses, u.GCPauseMax = pauses.total(), pauses.quantile(1)
	latencies := between(before.values[schedLatencies], after.values[schedLatencies])
	u.SchedP50, u.SchedP99, u.Scheduled = latencies.quantile(0.5), latencies.quantile(0.99), latencies.count()
	return u
}

// cpuPerOp returns the processor time in ns of one of calls operations between
// two readings; idle is the processor time that the program takes in a second
// without them.
func cpuPerOp(before, after readings, calls uint64, idle float64) float64 {
	if calls == 0 || !cputime.Available() {
		return 0
	}
	spent, known := cputime.Without(idle, after.cpu-before.cpu, after.at.Sub(before.at))
	if !known {
		return 0
	}
	return float64(spent) / float64(calls)
}

func saturatingSub(all, own uint64) float64 { return float64(all - min(all, own)) }

// spread is a histogram of the runtime in seconds.
type spread struct {
	counts []uint64
	bounds []float64
}

func between(before, after metrics.Value) (s spread) {
	if after.Kind() != metrics.KindFloat64Histogram || before.Kind() != metrics.KindFloat64Histogram {
		return s
	}
	a, b := before.Float64Histogram(), after.Float64Histogram()
	s.bounds = b.Buckets
	for i := range b.Counts {
		s.counts = append(s.counts, b.Counts[i]-a.Counts[i])
	}
	return s
}

// upper is the upper bound of bucket i, or its lower bound if it is unbounded.
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
		seen += c
		if c > 0 && float64(seen) >= q*float64(n) {
			return s.upper(i)
		}
	}
	return 0
}

// attributePauses finds the collections that stopped the world during slow
// operations. The runtime keeps the last 256 collections, with the two pauses
// of each cycle as one at its end. Latencies of k operations timed as one are
// means.
func attributePauses(slow []result.Slow, k int, origin time.Time) {
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
