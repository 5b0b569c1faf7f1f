package judge

import (
	"math"
	"time"

	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// An Estimate is a figure of the latencies in nanoseconds with its interval.
type Estimate struct {
	Value float64
	// Interval contains the figure of the operation with 95 % confidence. It is
	// nil if the window supports no interval; Reason says why.
	Interval *stats.Interval
	// Reason is empty, or the reason for a missing interval: "few latencies",
	// "short window", "growing queue", "heavy tail".
	Reason string
	// Needs is the length of a window that probably supports an interval; 0 if
	// that is unknown.
	Needs time.Duration
}

// The values of Estimate.Reason.
const (
	fewLatencies = "few latencies"
	shortWindow  = "short window"
	growingQueue = "growing queue"
	tailTooHeavy = "heavy tail"
)

// Shown reports whether the value may be shown. A percentile of too few
// latencies may not: the sample hardly contains it.
func (e Estimate) Shown() bool { return e.Reason != fewLatencies }

// HalfWidth is half the length of the interval of the figure that Config.PrecisionOf
// names, relative to its value; known is false without an interval.
func HalfWidth(r *result.Result) (relative float64, known bool) {
	return metric(r, r.Config.PrecisionOf).halfWidth()
}

// halfWidth is half the length of the interval relative to the value; ok is
// false without an interval or if the value is 0.
func (e Estimate) halfWidth() (relative float64, ok bool) {
	if e.Interval == nil || e.Value == 0 {
		return 0, false
	}
	return (e.Interval.High - e.Interval.Low) / 2 / e.Value, true
}

// needs withholds the interval if the window must be longer by a factor.
func (e *Estimate) needs(r *result.Result, factor float64) {
	switch {
	case math.IsInf(factor, 1):
		e.Reason, e.Needs = growingQueue, 0
	case factor > 1 && e.Reason != growingQueue:
		e.Reason, e.Needs = shortWindow, max(e.Needs, scaled(r.Elapsed, factor))
	}
}

// scaled returns d times a factor, at most the longest Duration.
func scaled(d time.Duration, factor float64) time.Duration {
	return time.Duration(min(float64(d)*factor, math.MaxInt64/2))
}
