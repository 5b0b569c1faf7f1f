package result

import (
	"cmp"
	"time"

	"github.com/zkatbench/zkatbench/runner/hist"
)

// Record is the record of one worker.
type Record struct {
	Response  Tally // latency from the planned start
	Service   Tally // latency from the true start; only in an open loop
	Calls     uint64
	Done      uint64
	Weighted  float64 // operations in the window; an operation across its end counts by its share inside
	Busy      float64 // ns in operations that succeeded, in the window
	Failed    uint64
	Failures  *Failures // nil without any
	Errors    map[string]uint64
	Stack     string
	Crowd     []Company // by CompanyOf; only in an open loop
	Late      uint64    // started more than lateThreshold after the plan
	Lag       Lag
	LastEnd   time.Duration
	Control   []float64 // ns
	Exited    bool      // the goroutine returned by itself
	Abandoned bool      // the run gave up on the worker: its records end
}

// Failures are the operations that failed, with the time that each of them took at least.
type Failures struct {
	Took hist.Histogram // from the planned start
	Sum  float64        // of these times, in ns
	Most float64        // the longest of them, in ns
	Cut  uint64         // operations that Config.Timeout ended, whose latency no limit bounds
}

// Fail counts a failed operation that took a time; cut says that Config.Timeout ended it.
func (r *Record) Fail(took time.Duration, cut bool) {
	if r.Failures == nil {
		r.Failures = &Failures{Took: hist.New()}
	}
	f := r.Failures
	took = max(0, took)
	f.Took.Add(uint64(took))
	f.Sum += float64(took)
	f.Most = max(f.Most, float64(took))
	if cut {
		f.Cut++
	}
}

// merge returns the failures of both.
func (f *Failures) merge(o *Failures) *Failures {
	if f == nil || o == nil {
		return cmp.Or(f, o)
	}
	all := &Failures{Took: hist.New(), Sum: f.Sum + o.Sum, Most: max(f.Most, o.Most), Cut: f.Cut + o.Cut}
	all.Took.Merge(f.Took)
	all.Took.Merge(o.Took)
	return all
}

// Lag is the lateness of the timer that wakes workers for a planned start.
type Lag struct {
	N        uint64
	Sum, Max time.Duration
}

const (
	// MaxErrors is the number of distinct messages that a worker keeps; others
	// are counted under OtherErrors.
	MaxErrors   = 20
	OtherErrors = "other messages"
)

// AddCompany adds service times to a class of others in progress.
func (r *Record) AddCompany(class int, c Company) {
	if r.Crowd == nil {
		r.Crowd = make([]Company, Companies)
	}
	to := &r.Crowd[class]
	to.N, to.Others, to.Sum = to.N+c.N, to.Others+c.Others, to.Sum+c.Sum
}

// trimmed leaves out empty classes at the end.
func trimmed(cs []Company) []Company {
	for len(cs) > 0 && cs[len(cs)-1].N == 0 {
		cs = cs[:len(cs)-1]
	}
	return cs
}
