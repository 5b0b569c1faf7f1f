package result

import (
	"math"
	"time"

	"github.com/zkatbench/zkatbench/runner/hist"
	"github.com/zkatbench/zkatbench/runner/host"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// A Part is the outcome of one operation of a Mix. Its Result has latencies,
// counts and the timeline of that operation; figures of the whole run, such
// as Usage, is in the Result of the run only.
type Part struct {
	Name   string
	Weight float64
	Result *Result
}

// EachPolicy is the policy of Each.
const EachPolicy = "per operation"

// The ends of a phase, as in Result.End.
const (
	EndTime        = "time"
	EndOps         = "operations"
	EndPrecision   = "precision"
	EndSteady      = "steady" // only of a warm-up
	EndInterrupted = "interrupted"
	EndDeadline    = "deadline"
	EndStalled     = "stalled"
	EndFailing     = "failing"
)

// PresentMarks is the number of looks at the unfinished starts of a window.
const PresentMarks = 10

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

	Done uint64 // operations that started in the window and returned nil
	// operations in the window; an operation across its end counts by its share inside
	Weighted  float64
	Failed    uint64            // operations that returned an error, panicked or timed out
	Failures  *Failures         `json:",omitempty"` // times of the failed operations; nil without any
	Abandoned int               // operations still in progress when the run gave up on them
	Errors    map[string]uint64 // number of failures by message
	Stack     string            // of the first panic
	Dump      string            // of all goroutines, if the run stalled

	Records    uint64         // latencies: operations, or batches of them
	Latency    hist.Histogram // of the Records
	Fine       *hist.Fine     `json:",omitempty"` // the latencies near the median, in narrow buckets
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

	Windows []Window `json:",omitempty"` // of merged results, one for each generator

	Parts []Part `json:",omitempty"` // of a Mix, one for each operation

	// The machine before and after, Apart from each other.
	Before, After host.State
	Apart         time.Duration
}

// A Window is the part of a merged result that one generator measured.
type Window struct {
	From, Length time.Duration // from the start of the first window
	Workers      int
	Throughput   float64 // operations a second
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
	// Steps is the mean squared change of hist.Index, a logarithm, between successive
	// operations of one worker. Without correlation it is twice their variance.
	Steps float64 `json:",omitempty"`
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
	Crowd []Company `json:",omitempty"`
	// Lateness of the timer that wakes workers; it is the pacer's own delay.
	LagMean, LagMax time.Duration
	// ServiceMean and ServiceStdDev are the mean and the standard deviation of the
	// time from the true start, in ns. ServiceStdErr is the standard error of the
	// mean; it accounts for autocorrelation.
	ServiceMean, ServiceStdDev, ServiceStdErr float64
}

// Sum sums the records of all workers.
type Sum struct {
	Record
	Abandoned int
	PerWorker []uint64
	Control   []float64
}

// NewSum returns an empty Sum with ticks of a length.
func NewSum(tick time.Duration) *Sum {
	return &Sum{Record: Record{Errors: map[string]uint64{}, Response: NewTally(tick),
		Service: NewTally(tick)}}
}

// Add adds the record of one worker; the caller holds its lock.
func (g *Sum) Add(o *Record) {
	if !o.Exited {
		g.Abandoned++
	}
	g.Response.merge(&o.Response)
	g.Service.merge(&o.Service)
	g.PerWorker = append(g.PerWorker, o.Calls)
	for i, c := range o.Crowd {
		g.AddCompany(i, c)
	}
	g.Calls, g.Done = g.Calls+o.Calls, g.Done+o.Done
	g.Failed, g.Late = g.Failed+o.Failed, g.Late+o.Late
	g.Failures = g.Failures.merge(o.Failures)
	g.Weighted, g.Busy = g.Weighted+o.Weighted, g.Busy+o.Busy
	for message, n := range o.Errors {
		g.Errors[message] += n
	}
	if g.Stack == "" {
		g.Stack = o.Stack
	}
	g.Lag.N, g.Lag.Sum, g.Lag.Max = g.Lag.N+o.Lag.N, g.Lag.Sum+o.Lag.Sum, max(g.Lag.Max, o.Lag.Max)
	g.LastEnd = max(g.LastEnd, o.LastEnd)
	g.Control = append(g.Control, o.Control...)
}

// Take copies the records of operations into r.
func (r *Result) Take(g *Sum) {
	r.Done, r.Weighted, r.Failed = g.Done, g.Weighted, g.Failed
	r.Errors, r.Stack = MostErrors(g.Errors), g.Stack
	r.Failures = g.Failures
	t := &g.Response
	r.Records, r.Latency, r.Fine = t.N, t.Hist, t.Fine()
	r.Moments, r.Slowest = t.Moments(), t.Slow
	r.Busy = time.Duration(g.Busy)
	r.Timeline = t.Timeline
	r.Timeline.trim()
	if r.Open != nil {
		r.Service = &g.Service.Hist
		r.Open.Crowd = trimmed(g.Crowd)
		r.Open.Late = g.Late
		r.Open.Service(&g.Service)
		r.Open.LagMax = g.Lag.Max
		r.Open.LagMean = g.Lag.Sum / time.Duration(max(1, g.Lag.N))
	}
}

// Service fills in the figures of the service times.
func (o *Open) Service(t *Tally) {
	m := t.Moments()
	values, _ := t.Timeline.Clusters()
	inflation := stats.MemoryOf(values, m.StdDev*m.StdDev).Inflation
	o.ServiceMean, o.ServiceStdDev = m.Mean, m.StdDev
	o.ServiceStdErr = m.StdDev * math.Sqrt(inflation/float64(max(1, t.N)))
}
