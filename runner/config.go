package runner

import (
	"errors"
	"fmt"
	"time"

	"github.com/zkatbench/zkatbench/runner/schedule"
)

// Config describes a run. Workers and one of Duration and Ops are required; the
// zero value of every other field is a sensible default.
type Config struct {
	Workers int // at least 1
	// MaxWorkers, unless 0, lets an open loop of one worker grow after the warm-up, up
	// to this number, to as many as the plan needs with the service times of the
	// warm-up; without one, as if operations took a second.
	MaxWorkers int `json:",omitempty"`

	// The window ends at the first of three limits: after Duration; when Ops
	// operations have started; or when the half width of the interval of
	// PrecisionOf, relative to its value, is at most Precision. 0 means no
	// limit.
	Duration    time.Duration
	Ops         int64
	Precision   float64 // 0.01 for ±1 %
	PrecisionOf string  // "mean" (also if empty), "p50", "p90", "p95", "p99"

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

// ErrConfig reports an invalid Config.
var ErrConfig = errors.New("runner configuration")

const (
	maxWorkers      = 4096 // a worker takes 0.3 MB, in an open loop 0.9 MB
	maxWarmUp       = time.Second
	maxSteadyWarmUp = 10 * time.Second
	defaultStall    = 30 * time.Second
	minWindow       = time.Millisecond
)

// metricQuantile maps the values of PrecisionOf to quantiles; 0 is the mean.
var metricQuantile = map[string]float64{"": 0, "mean": 0, "p50": 0.5, "p90": 0.9, "p95": 0.95, "p99": 0.99}

// complete checks c and fills in the defaults.
func (c *Config) complete() error {
	switch _, known := metricQuantile[c.PrecisionOf]; {
	case c.Workers < 1 || c.Workers > maxWorkers:
		return fmt.Errorf("%w: %d workers are outside [1, %d]", ErrConfig, c.Workers, maxWorkers)
	case c.MaxWorkers != 0 && (c.MaxWorkers < 1 || c.MaxWorkers > maxWorkers || c.Workers != 1 || c.Plan == nil):
		return fmt.Errorf("%w: at most %d workers: that needs a plan, one worker at the start, and a number in [1, %d]", ErrConfig, c.MaxWorkers, maxWorkers)
	case c.Duration < 0 || c.Duration > 0 && c.Duration < minWindow:
		return fmt.Errorf("%w: a duration of %v is below %v", ErrConfig, c.Duration, minWindow)
	case c.Ops < 0 || c.Batch < 0 || c.Timeout < 0 || c.Stall < 0:
		return fmt.Errorf("%w: operations %d, batch %d, timeout %v, stall %v: negative values are not allowed",
			ErrConfig, c.Ops, c.Batch, c.Timeout, c.Stall)
	case c.Duration == 0 && c.Ops == 0:
		return fmt.Errorf("%w: neither a duration nor a number of operations", ErrConfig)
	case c.Plan != nil && c.Batch > 1:
		return fmt.Errorf("%w: a batch of %d, but a plan starts operations one at a time", ErrConfig, c.Batch)
	case !(c.Precision >= 0 && c.Precision < 1):
		return fmt.Errorf("%w: a precision of %g is outside [0, 1)", ErrConfig, c.Precision)
	case !known:
		return fmt.Errorf("%w: precision of %q, which is not one of mean, p50, p90, p95, p99", ErrConfig, c.PrecisionOf)
	}
	if c.Plan != nil {
		if err := c.Plan.Check(); err != nil {
			return fmt.Errorf("%w: %w", ErrConfig, err)
		}
	}
	c.choose()
	return nil
}

func (c *Config) choose() {
	if c.WarmUp == 0 {
		c.WarmUp = min(c.Duration/10, maxWarmUp)
		if c.Steady {
			c.WarmUp = min(c.Duration, maxSteadyWarmUp)
		}
		if c.Duration == 0 {
			c.WarmUp = maxWarmUp / 10
		}
	}
	if c.Stall == 0 {
		c.Stall = defaultStall
	}
	if c.PrecisionOf == "" {
		c.PrecisionOf = "mean"
	}
}
