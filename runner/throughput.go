package runner

import "github.com/zkatbench/zkatbench/runner/stats"

// ThroughputInterval returns the interval that contains the throughput of the
// operation, in operations a second, with 95 % confidence. It is the interval of
// the mean over the ticks of the window, widened for autocorrelation; ok is
// false if there are too few ticks.
func (r *Result) ThroughputInterval() (stats.Interval, bool) {
	var ticks []stats.Cluster
	for k, c := range r.Timeline.Cells {
		length := min(r.Timeline.Tick, r.Elapsed-r.Timeline.Tick*moment(k))
		if length > 0 {
			ticks = append(ticks, stats.Cluster{N: length.Seconds(), Sum: c.Ops})
		}
	}
	_, i, ok := stats.Mean(ticks, r.confidence())
	return i, ok
}
