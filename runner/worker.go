package runner

import (
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"
)

// ErrPanicked wraps what a panicking operation said.
var ErrPanicked = errors.New("operation panicked")

// ErrExited says that an operation ended its goroutine (runtime.Goexit, or
// FailNow of a test).
var ErrExited = errors.New("operation ended its goroutine")

// worker calls the operation and records in memory of its own. The lock is
// taken by nobody else until the run is over, so it costs a few nanoseconds.
type worker struct {
	id  int
	run *run

	mu       sync.Mutex
	latency  Histogram
	weighted float64 // operations in the window, those across its ends by their share
	done     uint64
	sum      float64 // of latencies in ns, and of their squares
	sumSq    float64
	least    uint64
	most     uint64
	last     uint64 // latency before this one, for the jitter
	changes  float64
	pairs    uint64
	ticks    [tickCount]float64
	failed   uint64
	errors   map[string]uint64
	stack    string
	busy     bool
	_        [64]byte // keeps workers' counters on cache lines of their own
}

func newWorker(id int, r *run) *worker {
	return &worker{id: id, run: r, latency: NewHistogram(), errors: map[string]uint64{}, least: ^uint64(0)}
}

// loop runs until the window is over or the run is stopped.
func (w *worker) loop() {
	start := time.Now()
	for start.Before(w.run.till) && !w.run.stopped.Load() {
		w.setBusy(true)
		err := w.call()
		end := time.Now()
		w.record(start, end, err)
		start = end
	}
}

func (w *worker) setBusy(b bool) {
	w.mu.Lock()
	w.busy = b
	w.mu.Unlock()
}

// call turns a panic into an error.
func (w *worker) call() (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%w: %v", ErrPanicked, v)
			w.keepStack(string(debug.Stack()))
		}
	}()
	return w.run.op(w.id)
}

// keepGoing runs the loop until it ends by itself. An operation that ends its
// goroutine takes the loop along: that is a failure, and the loop goes on in
// another goroutine.
func (w *worker) keepGoing() {
	for ended := false; !ended; {
		returned := make(chan struct{})
		go func() {
			defer close(returned)
			w.loop()
			ended = true
		}()
		<-returned
		if !ended {
			w.record(time.Now(), time.Now(), ErrExited)
		}
	}
}

func (w *worker) keepStack(s string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stack == "" {
		w.stack = s
	}
}

// record counts one operation that ran from start to end. Its latency counts if
// it started in the window; its share of the throughput is the part of it that
// lies inside.
func (w *worker) record(start, end time.Time, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.busy = false
	if end.Before(w.run.from) {
		return
	}
	ns := end.Sub(start)
	if err != nil {
		w.failed++
		if len(w.errors) < maxErrors {
			w.errors[err.Error()]++
		}
		return
	}
	w.spread(start, end)
	if !start.Before(w.run.from) {
		w.measure(uint64(ns))
	}
}

// maxErrors is how many distinct messages a worker keeps.
const maxErrors = 20

func (w *worker) measure(ns uint64) {
	w.latency.Add(ns)
	w.sum += float64(ns)
	w.sumSq += float64(ns) * float64(ns)
	w.least, w.most = min(w.least, ns), max(w.most, ns)
	if w.done > 0 {
		change := float64(ns) - float64(w.last)
		w.changes += max(change, -change)
		w.pairs++
	}
	w.last = ns
	w.done++
}

// spread adds the shares of the operation to the window and its ticks.
func (w *worker) spread(start, end time.Time) {
	from, till := start.Sub(w.run.from), end.Sub(w.run.from)
	length := float64(max(1, till-from))
	window := w.run.till.Sub(w.run.from)
	from, till = max(0, from), min(window, till)
	if till <= from {
		return
	}
	w.weighted += float64(till-from) / length
	for i := int(from / w.run.tick); i < tickCount && time.Duration(i)*w.run.tick < till; i++ {
		lo, hi := max(from, time.Duration(i)*w.run.tick), min(till, time.Duration(i+1)*w.run.tick)
		w.ticks[i] += float64(hi-lo) / length
	}
}
