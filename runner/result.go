package runner

import (
	"math"
	"time"

	"github.com/zkatbench/zkatbench/runner/hist"
	"github.com/zkatbench/zkatbench/runner/host"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// Version is the version of the JSON form of a Result.
const Version = 1

// Result is the outcome of a run in numbers. It can be saved as JSON and read
// back. Latencies of a closed loop run from the start of an operation.
// Latencies of an open loop run from its planned start, and Service contains
// the latencies from the true start.
type Result struct {
	Version     int
	Config      Config // with defaults filled in
	Started     time.Time
	Begun       time.Time     // start of the window
	Elapsed     time.Duration // of the window
	End         string        // time, operations, precision, interrupted, deadline, stalled, failing
	Interrupted bool          // the run ended before its limits; the figures cover the time until then
	SetUp       string        // none, once, per worker, per operation, pool
	Inputs      int           // number of distinct inputs of a pool that were used
	WarmUp      WarmUp

	Done      uint64            // operations that started in the window and returned nil
	Weighted  float64           // operations in the window; an operation across its end counts by its share inside
	Failed    uint64            // operations that returned an error, panicked or timed out
	Abandoned int               // operations still in progress when the run gave up on them
	Errors    map[string]uint64 // number of failures by message
	Stack     string            // of the first panic
	Dump      string            // of all goroutines, if the run stalled

	Records    uint64         // latencies: operations, or batches of them
	Latency    hist.Histogram // of the Records
	Service    *hist.Histogram
	Moments    Moments
	Busy       time.Duration // workers' time in operations that succeeded, in the window
	Timeline   Timeline
	Slowest    []Slow
	Open       *Open // of an open loop
	Control    Control
	Clock      Clock
	Usage      Usage
	Looks      int     // number of looks of Precision at the growing sample
	Confidence float64 // of intervals after these looks; 0 or 0.95 without looks

	Parts []Part `json:",omitempty"` // of a Mix, one for each operation

	// The machine before and after, Apart from each other.
	Before, After host.State
	Apart         time.Duration

	idle float64 // processor time of the idle program, in seconds a second
}

// WarmUp describes the time before the window.
type WarmUp struct {
	Took       time.Duration
	Operations uint64
	Wanted     bool // the warm-up was to last until the latency is steady
	Steady     bool // the latency became steady
}

// Moments are exact figures of the latencies in nanoseconds.
type Moments struct {
	Mean, StdDev float64
	Min, Max     float64
	// Jitter is the mean absolute change between successive operations of one
	// worker.
	Jitter float64
}

// Open describes how an open loop kept to its plan.
type Open struct {
	Offered int64 // planned starts in the window
	Started int64 // planned starts that were taken
	Late    uint64
	Backlog int64 // planned starts not taken at the end
	// Present is the number of starts that were due and had not ended, at the end of
	// each tenth of the window; nil in results of older versions.
	Present []int64 `json:",omitempty"`
	// Crowd are the service times by the number of other operations in progress.
	Crowd []company `json:",omitempty"`
	// Lateness of the timer that wakes workers; it is the pacer's own delay.
	LagMean, LagMax time.Duration
	// ServiceMean and ServiceStdDev are the mean and the standard deviation of the
	// time from the true start, in ns. ServiceStdErr is the standard error of the
	// mean; it accounts for autocorrelation.
	ServiceMean, ServiceStdDev, ServiceStdErr float64
}

// gathered sums the records of all workers.
type gathered struct {
	recorded
	abandoned int
	perWorker []uint64
	control   []float64
}

func newGathered(tick time.Duration) *gathered {
	return &gathered{recorded: recorded{errors: map[string]uint64{}, response: newTally(tick), service: newTally(tick)}}
}

// gather sums the records of the workers so far.
func gather(ws []*worker) *gathered {
	g := newGathered(ws[0].p.tick)
	for _, w := range ws {
		w.mu.Lock()
		g.add(&w.recorded)
		w.mu.Unlock()
	}
	return g
}

// add adds the record of one worker; the caller holds its lock.
func (g *gathered) add(o *recorded) {
	if !o.exited {
		g.abandoned++
	}
	g.response.merge(&o.response)
	g.service.merge(&o.service)
	g.perWorker = append(g.perWorker, o.calls)
	for i, c := range o.crowd {
		g.addCompany(i, c)
	}
	g.calls, g.done, g.failed, g.late = g.calls+o.calls, g.done+o.done, g.failed+o.failed, g.late+o.late
	g.weighted, g.busy = g.weighted+o.weighted, g.busy+o.busy
	for message, n := range o.errors {
		g.errors[message] += n
	}
	if g.stack == "" {
		g.stack = o.stack
	}
	g.lag.n, g.lag.sum, g.lag.max = g.lag.n+o.lag.n, g.lag.sum+o.lag.sum, max(g.lag.max, o.lag.max)
	g.lastEnd = max(g.lastEnd, o.lastEnd)
	g.control = append(g.control, o.control...)
}

// abandon stops the recording of workers that are still in an operation.
func abandon(ws []*worker) {
	for _, w := range ws {
		w.mu.Lock()
		w.abandoned = !w.exited
		w.mu.Unlock()
	}
}

// fill copies the records of the window into r.
func (r *Result) fill(g *gathered, p *phase) {
	till := moment(p.till.Load())
	r.Begun = p.origin.Round(0)
	r.Elapsed = till
	if r.End == endOps {
		r.Elapsed = min(till, g.lastEnd)
	}
	r.Abandoned = g.abandoned + int(p.cut.Load())
	r.Control = summary(g.control)
	if p.queue.plan != nil {
		r.Open = p.queue.openStats(till)
	}
	r.take(g)
	if r.Open != nil {
		r.Open.Present = p.queue.present(&r.Timeline, r.Elapsed, r.Open.Offered)
	}
}

// take copies the records of operations into r.
func (r *Result) take(g *gathered) {
	r.Done, r.Weighted, r.Failed, r.Errors, r.Stack = g.done, g.weighted, g.failed, mostErrors(g.errors), g.stack
	t := &g.response
	r.Records, r.Latency, r.Moments, r.Slowest = t.n, t.hist, t.moments(), t.slow
	r.Busy = time.Duration(g.busy)
	r.Timeline = t.timeline
	r.Timeline.trim()
	if r.Open != nil {
		r.Service = &g.service.hist
		r.Open.Crowd = trimmed(g.crowd)
		r.Open.Late = g.late
		r.Open.service(&g.service)
		r.Open.LagMax = g.lag.max
		r.Open.LagMean = g.lag.sum / time.Duration(max(1, g.lag.n))
	}
}

// service fills in the figures of the service times.
func (o *Open) service(t *tally) {
	m := t.moments()
	values, _ := t.timeline.clusters()
	inflation := stats.MemoryOf(values, m.StdDev*m.StdDev).Inflation
	o.ServiceMean, o.ServiceStdDev = m.Mean, m.StdDev
	o.ServiceStdErr = m.StdDev * math.Sqrt(inflation/float64(max(1, t.n)))
}
