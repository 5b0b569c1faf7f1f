package result

import (
	"time"

	"github.com/zkatbench/zkatbench/runner/schedule"
)

// Config describes a run. Workers and one of Duration and Ops are required; the
// zero value of every other field is a sensible default.
type Config struct {
	Workers int // at least 1
	// MaxWorkers, unless 0, lets an open loop of one worker grow after the warm-up, up
	// to this number, to as many as the plan needs with the service times of the
	// warm-up; without a warm-up, as if operations took a second.
	MaxWorkers int `json:",omitempty"`

	// The window ends at the first of three limits: after Duration; when Ops
	// operations have started; or when the half width of the interval of
	// PrecisionOf, relative to its value, is at most Precision. 0 means no
	// limit.
	Duration    time.Duration
	Ops         int64
	Precision   float64 // 0.01 for ±1 %
	PrecisionOf string  // "mean" (also if empty), "p50", "p90", "p95", "p99"
	// HalfWidth is half the length of the interval of PrecisionOf, relative to its value;
	// known is false without an interval. A Precision needs it: judge.HalfWidth.
	HalfWidth func(*Result) (relative float64, known bool) `json:"-"`

	// WarmUp is the time to run before recording; 0 means a tenth of Duration,
	// at most 1 s; a negative value means no warm-up. If Steady is set, the
	// warm-up ends as soon as the latency is steady, and after WarmUp at the
	// latest (0: Duration, at most 10 s).
	WarmUp time.Duration
	Steady bool

	// Plan gives the planned starts; nil means back to back.
	Plan *schedule.Plan
	// Ceiling is the number of operations a second that this program reaches against a
	// target without work; 0 is unknown.
	Ceiling float64 `json:",omitempty"`

	// Batch is the number of operations timed as one. 0 selects it by the
	// resolution of the clock: 1 for operations that take longer than 1000
	// steps of the clock. The selection needs a warm-up. Operations of a Plan or
	// with an input for Each are timed alone.
	Batch int

	// Timeout bounds one operation: its context ends then, and the operation
	// has failed regardless of its result. 0 means no limit. A run where no
	// operation finishes for Stall (0: 30 s) ends, and its Result contains a
	// dump of all goroutines.
	Timeout time.Duration
	Stall   time.Duration

	// Seed determines the order of the inputs of a Pool.
	Seed uint64

	// Requirements is recorded in the Result and not judged: a text that package
	// require reads, such as "p99<2ms".
	Requirements string `json:",omitempty"`

	// Progress, unless nil, is called ten times a second with the progress of
	// the run. The calls come from one goroutine besides the workers.
	Progress func(Progress) `json:"-"`

	// Slower, unless nil, is called by a worker after each operation of the
	// window that was slower than all its earlier ones. The call takes time of
	// the worker, so it is for passes that are not measured.
	Slower func(Slow) `json:"-"`
}

// Progress is the progress of a run.
type Progress struct {
	Phase   string // "warm-up" or "window"
	Elapsed time.Duration
	Limit   time.Duration // 0 if no time limit is set
	Done    uint64        // operations finished in this phase
}

// PrecisionQuantiles maps the values of PrecisionOf to quantiles; 0 is the mean.
var PrecisionQuantiles = map[string]float64{"": 0, "mean": 0, "p50": 0.5, "p90": 0.9, "p95": 0.95,
	"p99": 0.99}
