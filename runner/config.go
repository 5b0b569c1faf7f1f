package runner

import (
	"errors"
	"fmt"
	"time"

	"github.com/zkatbench/zkatbench/runner/schedule"
)

// Config says how to run an Operation. The zero value of every field but
// Workers, and one of Duration and Ops, is a sensible choice.
type Config struct {
	Workers int // at least 1

	// The window ends after Duration, or when Ops operations were started, or
	// when the relative width of the interval of PrecisionOf is Precision to
	// either side, whichever is first. 0 is no limit.
	Duration    time.Duration
	Ops         int64
	Precision   float64 // 0.01 for ±1 %
	PrecisionOf string  // "mean" (also if empty), "p50", "p90", "p95", "p99"

	// WarmUp is how long to run before recording; 0 is a tenth of Duration, at
	// most a second; negative is none. If Steady is set, warming up ends as
	// soon as the latency is steady, WarmUp (0: Duration, at most 10 s) at most.
	WarmUp time.Duration
	Steady bool

	// Plan says when operations start; nil for back to back.
	Plan *schedule.Plan

	// Batch is how many operations are timed as one; 0 is as many as the
	// clock's resolution asks for, one for anything that takes longer than
	// 1000 steps of the clock.
	Batch int

	// Timeout is how long one operation may take: its context ends then, and
	// it has failed, whatever it returns. 0 is for ever. A run in which no
	// operation finishes for Stall (0: 30 s) ends, and the Result has a dump
	// of all goroutines. Deadline, unless zero, ends the run with a Result.
	Timeout  time.Duration
	Stall    time.Duration
	Deadline time.Time

	// Exact keeps up to so many latencies as they are, beside the histogram,
	// in 8 bytes each for every worker.
	Exact int

	// Seed orders the inputs of a Pool.
	Seed uint64

	// Progress, unless nil, is told ten times a second how far the run is. It
	// is called by one goroutine that is no worker.
	Progress func(Progress) `json:"-"`

	// Slower, unless nil, is called by a worker after an operation of the
	// window that was slower than all that the worker called before. It takes
	// part of the worker's time, so it is for a pass that is not measured.
	Slower func(Slow) `json:"-"`
}

// Progress is how far a run is.
type Progress struct {
	Phase   string // "warm-up" or "window"
	Elapsed time.Duration
	Of      time.Duration // 0 if no time limit is set
	Done    uint64        // operations finished in this phase
}

// ErrConfig says that a Config cannot be run.
var ErrConfig = errors.New("runner configuration")

const (
	mostWorkers    = 4096 // each takes 0.3 MB, in an open loop 0.9 MB
	longestWarmUp  = time.Second
	longestSteady  = 10 * time.Second
	defaultStall   = 30 * time.Second
	shortestWindow = time.Millisecond
)

// metrics are what PrecisionOf can name, with their quantiles; 0 is the mean.
var metricQuantile = map[string]float64{"": 0, "mean": 0, "p50": 0.5, "p90": 0.9, "p95": 0.95, "p99": 0.99}

// complete checks c and fills in what was left to choose.
func (c *Config) complete() error {
	switch _, known := metricQuantile[c.PrecisionOf]; {
	case c.Workers < 1 || c.Workers > mostWorkers:
		return fmt.Errorf("%w: %d workers are outside [1, %d]", ErrConfig, c.Workers, mostWorkers)
	case c.Duration < 0 || c.Duration > 0 && c.Duration < shortestWindow:
		return fmt.Errorf("%w: a duration of %v is below %v", ErrConfig, c.Duration, shortestWindow)
	case c.Ops < 0 || c.Batch < 0 || c.Exact < 0 || c.Timeout < 0 || c.Stall < 0:
		return fmt.Errorf("%w: operations %d, batch %d, exact %d, timeout %v, stall %v: none can be negative",
			ErrConfig, c.Ops, c.Batch, c.Exact, c.Timeout, c.Stall)
	case c.Duration == 0 && c.Ops == 0:
		return fmt.Errorf("%w: neither a duration nor a number of operations", ErrConfig)
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
		c.WarmUp = min(c.Duration/10, longestWarmUp)
		if c.Steady {
			c.WarmUp = min(c.Duration, longestSteady)
		}
		if c.Duration == 0 {
			c.WarmUp = longestWarmUp / 10
		}
	}
	if c.Stall == 0 {
		c.Stall = defaultStall
	}
	if c.PrecisionOf == "" {
		c.PrecisionOf = "mean"
	}
}
