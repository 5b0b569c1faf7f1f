package runner

import (
	"math"
	"sync/atomic"
	"time"

	"github.com/zkatbench/zkatbench/runner/stats"
)

// Control is the result of a known operation that ran between the measured
// ones. If its time varies, the machine is noisy.
type Control struct {
	N      int
	Median float64 // ns
	// Spread is 1.4826 times the median distance from the median, divided by
	// the median: for a normal distribution the coefficient of variation.
	Spread float64
	// Disturbed is the share of runs that took over 1.5 times the median.
	Disturbed float64
}

// Noise is the relative variation of the known operation: its Spread, or half
// the share of disturbed runs if greater.
func (c Control) Noise() float64 { return max(c.Spread, c.Disturbed/2) }

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
// d.
func controlInterval(d time.Duration) time.Duration {
	start := time.Now()
	control()
	cost := time.Since(start)
	return max(d/maxControls, time.Duration(float64(cost)/controlShare), time.Millisecond)
}

func summary(ns []float64) (c Control) {
	if c.N = len(ns); c.N == 0 {
		return c
	}
	c.Median = stats.Median(ns)
	if c.Median == 0 {
		return Control{}
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
