package runner

import (
	"time"
)

// Result is what happened, in numbers. Durations of operations are in
// nanoseconds. It can be saved as JSON and read back.
type Result struct {
	Config      Config
	Elapsed     time.Duration // of the window that was recorded
	Interrupted bool
	Done        uint64            // operations that returned nil and started in the window
	Weighted    float64           // operations in the window, those across its ends by their share
	Failed      uint64            // operations that returned an error or panicked
	Abandoned   int               // operations still in progress when an interrupted run ended
	Errors      map[string]uint64 // messages of failures with their counts
	Stack       string            // of the first panic
	Latency     Histogram         // of the operations in Done
	Moments     Moments           // likewise, exact
	Ticks       []float64         // operations in each sixtieth of the window
	Memory      Memory
	GC          GC
}

// Moments are exact sums over the latencies.
type Moments struct {
	Mean, StdDev float64
	Min, Max     float64
	// Jitter is the mean change between consecutive operations of one worker.
	Jitter float64
}

// collect adds up what the workers recorded between from and end.
func collect(workers []*worker, from, end time.Time) *Result {
	r := &Result{Elapsed: max(0, end.Sub(from)), Errors: map[string]uint64{}, Latency: NewHistogram(), Ticks: make([]float64, tickCount)}
	var sum, sumSq, changes float64
	var pairs uint64
	least, most := ^uint64(0), uint64(0)
	for _, w := range workers {
		w.mu.Lock()
		if w.busy {
			r.Abandoned++
		}
		r.Done += w.done
		r.Weighted += w.weighted
		r.Failed += w.failed
		for message, n := range w.errors {
			r.Errors[message] += n
		}
		if r.Stack == "" {
			r.Stack = w.stack
		}
		r.Latency.merge(w.latency)
		for i, n := range w.ticks {
			r.Ticks[i] += n
		}
		sum, sumSq, changes, pairs = sum+w.sum, sumSq+w.sumSq, changes+w.changes, pairs+w.pairs
		least, most = min(least, w.least), max(most, w.most)
		w.mu.Unlock()
	}
	r.Moments = moments(r.Done, sum, sumSq)
	if r.Done > 0 {
		r.Moments.Min, r.Moments.Max = float64(least), float64(most)
	}
	if pairs > 0 {
		r.Moments.Jitter = changes / float64(pairs)
	}
	return r
}
