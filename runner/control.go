package runner

import (
	"math"
	"sync/atomic"
	"time"

	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/stats"
)

const (
	maxControls  = 256
	controlSteps = 30_000 // some 30 to 60 µs
	// controlShare bounds the share of one worker's time: throughput must be
	// accurate to 0.5 %.
	controlShare = 0.001
	// controlSlack is the least time before a planned start when a worker
	// runs the control operation.
	controlSlack = 2 * time.Millisecond
)

// controlSink is atomic since several runs may measure at once.
var controlSink atomic.Uint64

// control is arithmetic without system calls, and hardly any memory accesses.
func control() {
	x := controlSink.Load() | 1
	for range controlSteps {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	controlSink.Store(x)
}

// controlInterval is the time between control operations in a window of length
// d; 0 in virtual time, where they take none.
func controlInterval(d time.Duration) time.Duration {
	start := time.Now()
	control()
	cost := time.Since(start)
	if cost == 0 {
		return 0
	}
	return max(d/maxControls, time.Duration(float64(cost)/controlShare), time.Millisecond)
}

func summary(ns []float64) (c result.Control) {
	c.N = len(ns)
	if c.N == 0 {
		return c
	}
	c.Median = stats.Median(ns)
	if c.Median == 0 {
		return result.Control{}
	}
	var deviations []float64
	for _, x := range ns {
		deviations = append(deviations, math.Abs(x-c.Median))
		if x > 1.5*c.Median {
			c.Disturbed += 1 / float64(c.N)
		}
	}
	c.Spread = 1.4826 * stats.Median(deviations) / c.Median
	return c
}
