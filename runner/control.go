package runner

import (
	"math"
	"slices"
	"time"
)

// Control is what a known operation took that ran between the measured ones:
// if it varies, the machine is noisy, whatever the operation does.
type Control struct {
	N      int
	Median float64 // ns
	// Spread is 1.4826 times the median distance from the median over the
	// median: for a normal distribution the coefficient of variation.
	Spread float64
	// Disturbed is the share that took over 1.5 times the median.
	Disturbed float64
}

// Noise is the share by which a known operation varies: its Spread, or half the
// share of its runs that were disturbed.
func (c Control) Noise() float64 { return max(c.Spread, c.Disturbed/2) }

const (
	mostControls = 256
	controlSteps = 30_000 // some 30 to 60 µs
	// controlShare is at most so much of one worker's time: throughput is to be
	// true to 0.5 %.
	controlShare = 0.001
	// controlSlack is how long a worker must have to wait for a planned start
	// to run it meanwhile.
	controlSlack = 2 * time.Millisecond
)

var controlSink uint64

// control is arithmetic that needs no memory and no system call.
func control() {
	x := controlSink | 1
	for range controlSteps {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	controlSink = x
}

// controlInterval is how often to run it in a window of length d.
func controlInterval(d time.Duration) time.Duration {
	start := time.Now()
	control()
	cost := time.Since(start)
	return max(d/mostControls, time.Duration(float64(cost)/controlShare), time.Millisecond)
}

func summary(ns []float64) (c Control) {
	if c.N = len(ns); c.N == 0 {
		return c
	}
	sorted := slices.Sorted(slices.Values(ns))
	c.Median = sorted[len(sorted)/2]
	if c.Median == 0 {
		return Control{}
	}
	var away []float64
	for _, x := range sorted {
		away = append(away, math.Abs(x-c.Median))
		if x > 1.5*c.Median {
			c.Disturbed += 1 / float64(c.N)
		}
	}
	slices.Sort(away)
	c.Spread = 1.4826 * away[len(away)/2] / c.Median
	return c
}
