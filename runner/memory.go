package runner

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// Memory is what one operation allocates, measured alone and serially before
// the run, after its first calls.
type Memory struct {
	BytesPerOp, AllocsPerOp float64
}

// memoryCalls bounds the calls that measure memory, and memoryTime the time.
const (
	memoryCalls = 20
	memoryTime  = 200 * time.Millisecond
)

// measureMemory runs in a goroutine of its own, which an operation may end.
func measureMemory(op Operation) (m Memory) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		m = memoryOf(op)
	}()
	<-done
	return m
}

func memoryOf(op Operation) (m Memory) {
	call := func() (ok bool) {
		defer func() { ok = recover() == nil && ok }()
		return op(0) == nil
	}
	for range 2 { // the first calls fill pools and caches
		if !call() {
			return m
		}
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // pools are emptied by collections
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	n, start := 0, time.Now()
	for n < memoryCalls && (n == 0 || time.Since(start) < memoryTime) {
		if !call() {
			return m
		}
		n++
	}
	runtime.ReadMemStats(&after)
	m.BytesPerOp = float64(after.TotalAlloc-before.TotalAlloc) / float64(n)
	m.AllocsPerOp = float64(after.Mallocs-before.Mallocs) / float64(n)
	return m
}

// GC is what the garbage collector did during the run.
type GC struct {
	Cycles     uint64
	CPUShare   float64 // of the processor time that was available
	HeapBytes  uint64  // live at the end
	Goroutines uint64  // created
	gcSeconds  float64
	allSeconds float64
}

var gcNames = []string{
	"/gc/cycles/total:gc-cycles", "/cpu/classes/gc/total:cpu-seconds", "/cpu/classes/total:cpu-seconds",
	"/gc/heap/live:bytes", "/sched/goroutines-created:goroutines",
}

func readGC() (g GC) {
	samples := make([]metrics.Sample, len(gcNames))
	for i, name := range gcNames {
		samples[i].Name = name
	}
	metrics.Read(samples)
	number := func(i int) uint64 {
		if samples[i].Value.Kind() != metrics.KindUint64 {
			return 0
		}
		return samples[i].Value.Uint64()
	}
	seconds := func(i int) float64 {
		if samples[i].Value.Kind() != metrics.KindFloat64 {
			return 0
		}
		return samples[i].Value.Float64()
	}
	return GC{Cycles: number(0), gcSeconds: seconds(1), allSeconds: seconds(2), HeapBytes: number(3), Goroutines: number(4)}
}

func (g GC) since(before GC) GC {
	d := GC{Cycles: g.Cycles - before.Cycles, HeapBytes: g.HeapBytes, Goroutines: g.Goroutines - before.Goroutines}
	if all := g.allSeconds - before.allSeconds; all > 0 {
		d.CPUShare = (g.gcSeconds - before.gcSeconds) / all
	}
	return d
}
