package runner

import (
	"time"

	"github.com/zkatbench/zkatbench/runner/hist"
	"github.com/zkatbench/zkatbench/runner/host"
)

// Version is that of the JSON form of a Result.
const Version = 1

// Result is what happened, in numbers. It can be saved as JSON and read back.
// Latencies of a closed loop run from the start of an operation; those of an
// open loop from its planned start, and Service has those from the true one.
type Result struct {
	Version     int
	Config      Config // with what was left to choose filled in
	Started     time.Time
	Elapsed     time.Duration // of the window
	End         string        // time, operations, precision, interrupted, deadline, stalled
	Interrupted bool          // it ended before it was over; the figures cover what was measured
	SetUp       string        // none, once, per worker, per operation, pool
	Inputs      int           // of a pool: distinct ones that were used
	WarmUp      WarmUp

	Done      uint64            // operations that started in the window and returned nil
	Weighted  float64           // operations in the window, those across its end by their share
	Failed    uint64            // operations that returned an error, panicked or timed out
	Abandoned int               // operations still in progress when the run gave up on them
	Errors    map[string]uint64 // messages of failures with their counts
	Stack     string            // of the first panic
	Dump      string            // of all goroutines, if no operation finished for too long

	Records    uint64         // latencies: operations, or batches of them
	Latency    hist.Histogram // these latencies
	Service    *hist.Histogram
	Exact      []uint64 // the latencies in ns, sorted; nil if not asked for, or too many
	Moments    Moments
	Busy       time.Duration // workers' time in operations that succeeded, in the window
	Timeline   Timeline
	Slowest    []Slow
	Open       *Open // of an open loop
	Control    Control
	Clock      Clock
	Usage      Usage
	Looks      int     // of Precision at the growing sample
	Confidence float64 // that intervals must use because of it; 0 or 0.95 without

	// The machine, read so long apart.
	Before, After host.State
	Apart         time.Duration
}

// WarmUp is what came before the window.
type WarmUp struct {
	Took       time.Duration
	Operations uint64
	Wanted     bool // it was to last until the latency is steady
	Steady     bool // and the latency was
}

// Moments are exact figures of the latencies in nanoseconds.
type Moments struct {
	Mean, StdDev float64
	Min, Max     float64
	// Jitter is the mean change between consecutive operations of one worker.
	Jitter float64
}

// Open is how an open loop kept to its plan.
type Open struct {
	Offered     int64 // planned starts in the window
	Started     int64 // of these
	Late        uint64
	Backlog     int64 // planned starts that nobody had taken at the end
	BacklogHalf int64 // and half-way
	// How late the timer woke waiting workers: the pacer's own fault.
	LagMean, LagMax time.Duration
	// ServiceMean is from the true start, in ns.
	ServiceMean float64
}

// gathered is what all workers recorded.
type gathered struct {
	recorded
	abandoned int
	perWorker []uint64
	control   []float64
}

// gather adds up what the workers recorded so far.
func gather(ws []*worker) *gathered {
	g := &gathered{recorded: recorded{errors: map[string]uint64{}}}
	g.response, g.service = newTally(ws[0].p.tick, 0), newTally(ws[0].p.tick, 0)
	for _, w := range ws {
		w.mu.Lock()
		g.add(&w.recorded)
		w.mu.Unlock()
	}
	return g
}

// add adds one worker's part, whose lock the caller holds.
func (g *gathered) add(o *recorded) {
	if !o.left {
		g.abandoned++
	}
	g.response.merge(&o.response)
	g.service.merge(&o.service)
	g.perWorker = append(g.perWorker, o.calls)
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

// leaveBehind has workers that are still in an operation record no more.
func leaveBehind(ws []*worker) {
	for _, w := range ws {
		w.mu.Lock()
		w.gone = !w.left
		w.mu.Unlock()
	}
}

// fill takes over what the workers of the window recorded.
func (r *Result) fill(g *gathered, p *phase) {
	till := moment(p.till.Load())
	r.Elapsed = till
	if r.End == endOps {
		r.Elapsed = min(till, g.lastEnd)
	}
	r.Done, r.Weighted, r.Failed, r.Errors, r.Stack = g.done, g.weighted, g.failed, g.errors, g.stack
	r.Abandoned = g.abandoned + int(p.cut.Load())
	t := &g.response
	r.Records, r.Latency, r.Moments, r.Slowest = t.n, t.hist, t.moments(), t.slow
	r.Busy = time.Duration(g.busy)
	r.Timeline = t.timeline
	r.Timeline.trim()
	r.Exact = t.sorted(p.exact)
	r.Control = summary(g.control)
	if p.queue.plan != nil {
		r.Service = &g.service.hist
		r.Open = p.queue.kept(till)
		r.Open.Late, r.Open.ServiceMean = g.late, g.service.moments().Mean
		r.Open.LagMax = g.lag.max
		if g.lag.n > 0 {
			r.Open.LagMean = g.lag.sum / time.Duration(g.lag.n)
		}
	}
}
