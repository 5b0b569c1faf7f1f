package runner

import (
	"errors"
	"fmt"
	"time"

	"github.com/zkatbench/zkatbench/runner/result"
)

// Config describes a run. A Result holds it, so its fields are in package result.
type Config = result.Config

// ErrConfig reports an invalid Config.
var ErrConfig = errors.New("runner configuration")

const (
	maxWorkers      = 4096 // a worker takes 0.3 MB, in an open loop 0.9 MB
	maxWarmUp       = time.Second
	maxSteadyWarmUp = 10 * time.Second
	defaultStall    = 30 * time.Second
	minWindow       = time.Millisecond
)

// complete checks c and fills in the defaults.
func complete(c *Config) error {
	switch _, known := result.PrecisionQuantiles[c.PrecisionOf]; {
	case c.Workers < 1 || c.Workers > maxWorkers:
		return fmt.Errorf("%w: %d workers are outside [1, %d]", ErrConfig, c.Workers, maxWorkers)
	case c.MaxWorkers != 0 &&
		(c.MaxWorkers < 1 || c.MaxWorkers > maxWorkers || c.Workers != 1 || c.Plan == nil):
		return fmt.Errorf("%w: at most %d workers: that needs a plan, one worker at the start, and a "+
			"number in [1, %d]", ErrConfig, c.MaxWorkers, maxWorkers)
	case c.Duration < 0 || c.Duration > 0 && c.Duration < minWindow:
		return fmt.Errorf("%w: a duration of %v is below %v", ErrConfig, c.Duration, minWindow)
	case c.Ops < 0 || c.Batch < 0 || c.Timeout < 0 || c.Stall < 0:
		return fmt.Errorf("%w: operations %d, batch %d, timeout %v, stall %v: negative values are not "+
			"allowed",
			ErrConfig, c.Ops, c.Batch, c.Timeout, c.Stall)
	case c.Duration == 0 && c.Ops == 0:
		return fmt.Errorf("%w: neither a duration nor a number of operations", ErrConfig)
	case c.Plan != nil && c.Batch > 1:
		return fmt.Errorf("%w: a batch of %d, but a plan starts operations one at a time", ErrConfig, c.Batch)
	case !(c.Precision >= 0 && c.Precision < 1):
		return fmt.Errorf("%w: a precision of %g is outside [0, 1)", ErrConfig, c.Precision)
	case c.Precision > 0 && c.HalfWidth == nil:
		return fmt.Errorf("%w: a precision without HalfWidth, such as judge.HalfWidth", ErrConfig)
	case !known:
		return fmt.Errorf("%w: precision of %q, which is not one of mean, p50, p90, p95, p99", ErrConfig,
			c.PrecisionOf)
	}
	if c.Plan != nil {
		if err := c.Plan.Check(); err != nil {
			return fmt.Errorf("%w: %w", ErrConfig, err)
		}
	}
	choose(c)
	return nil
}

func choose(c *Config) {
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
