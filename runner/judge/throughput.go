package judge

import (
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// LeastCounted is the least number of operations for an interval of the throughput and for
// a rating of the spread.
const LeastCounted = 30

// ThroughputInterval returns the interval that contains the throughput of the
// operation, in operations a second, with 95 % confidence. It is the interval of
// the mean over the ticks of the window, widened for autocorrelation, and holds the
// throughput of the whole window; ok is false if there are too few ticks, or fewer
// than LeastCounted operations.
func ThroughputInterval(r *result.Result) (stats.Interval, bool) {
	if r.Done < LeastCounted {
		return stats.Interval{}, false
	}
	_, i, ok := stats.Mean(r.Ticks(), confidence(r))
	if !ok {
		return stats.Interval{}, false
	}
	i.Low, i.High = min(i.Low, r.Throughput()), max(i.High, r.Throughput())
	return i, true
}
