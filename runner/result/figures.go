package result

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/zkatbench/zkatbench/runner/stats"
)

// Confidence is the level of every interval, unless repeated looks require
// more.
const Confidence = 0.95

// Throughput is the number of operations a second by the wall clock. A closed loop counts
// each operation by its share inside the window. The window of an open loop begins without
// operations in progress, so it counts operations that end after the first one could.
// Merged results add up, each over its own window.
func (r *Result) Throughput() (perSecond float64) {
	for _, w := range r.Windows {
		perSecond += w.Throughput
	}
	if len(r.Windows) > 0 {
		return perSecond
	}
	var seconds, ops float64
	if r.Open != nil {
		for _, t := range r.Ticks() {
			seconds, ops = seconds+t.N, ops+t.Sum
		}
	}
	if seconds == 0 {
		seconds, ops = r.Elapsed.Seconds(), r.Weighted
	}
	if seconds <= 0 {
		return 0
	}
	return ops / seconds
}

// steadyQuantile is the quantile of latencies after which the ends of operations of an open
// loop show its throughput.
const steadyQuantile = 0.99

// Ticks returns the operations and the seconds of each tick that shows the throughput: of
// merged results, the ticks when all generators ran.
func (r *Result) Ticks() (ticks []stats.Cluster) {
	from, till := time.Duration(0), r.Elapsed
	if r.Open != nil && r.Records > 0 {
		from = min(time.Duration(r.Latency.Quantile(steadyQuantile)), r.Elapsed/2)
	}
	for _, w := range r.Windows {
		from, till = max(from, w.From), min(till, w.From+w.Length)
	}
	for k, c := range r.Timeline.Cells {
		begin := r.Timeline.Tick * time.Duration(k)
		length := min(r.Timeline.Tick, till-begin)
		// its operations are not known
		part := length < r.Timeline.Tick && (r.Open != nil || till < r.Elapsed)
		if begin < from || length <= 0 || part {
			continue
		}
		ops := c.Ops
		if r.Open != nil {
			ops = float64(c.N)
		}
		ticks = append(ticks, stats.Cluster{N: length.Seconds(), Sum: ops})
	}
	return ticks
}

// workerTime is the time of all workers in the window.
func (r *Result) workerTime() (seconds float64) {
	for _, w := range r.Windows {
		seconds += float64(w.Workers) * w.Length.Seconds()
	}
	if len(r.Windows) > 0 {
		return seconds
	}
	return float64(r.Config.Workers) * r.Elapsed.Seconds()
}

// ServiceMean is the mean time in ns from the true start of an operation to
// its end.
func (r *Result) ServiceMean() float64 {
	if r.Open != nil {
		return r.Open.ServiceMean
	}
	return r.Moments.Mean
}

// PureThroughput is the throughput in operations a second that the workers
// would reach if they spent all their time in the operation. As in a closed loop,
// an operation that crosses the end of the window counts by its share inside.
func (r *Result) PureThroughput() float64 {
	switch {
	case r.Busy <= 0:
		return 0
	case len(r.Windows) > 0:
		return r.Throughput() * r.workerTime() / r.Busy.Seconds()
	}
	return float64(r.Config.Workers) * r.Weighted / r.Busy.Seconds()
}

// Overhead is the share of the workers' time in the window outside operations
// that succeeded.
func (r *Result) Overhead() float64 {
	all := r.workerTime()
	if r.Busy <= 0 || all <= 0 {
		return 0
	}
	return max(0, 1-r.Busy.Seconds()/all)
}

// CV is the coefficient of variation: standard deviation divided by mean.
func (r *Result) CV() float64 {
	if r.Moments.Mean == 0 {
		return 0
	}
	return r.Moments.StdDev / r.Moments.Mean
}

// Rank returns the k-th smallest latency in ns, counted from 1: near the median to within a
// bucket of Fine, elsewhere to within 0.05 %.
func (r *Result) Rank(k uint64) float64 { return r.Latency.RankIn(r.Fine, k) }

// At returns the q-quantile of the latencies in ns, as Rank.
func (r *Result) At(q float64) float64 {
	return r.Rank(uint64(math.Ceil(q * float64(r.Latency.Total()) * (1 - 1e-12))))
}

// Values calls f with the latencies in ns and their counts, in order, as Rank.
func (r *Result) Values(f func(ns float64, count uint64)) { r.Latency.ValuesIn(r.Fine, f) }

// IQR is the interquartile range of the latencies in nanoseconds.
func (r *Result) IQR() float64 { return r.At(0.75) - r.At(0.25) }

// MAD is the median absolute deviation from the median in nanoseconds.
func (r *Result) MAD() (deviation float64) {
	type weighted struct {
		distance float64
		n        uint64
	}
	var all []weighted
	median, n := r.At(0.5), uint64(0)
	r.Values(func(v float64, c uint64) {
		all, n = append(all, weighted{math.Abs(v - median), c}), n+c
	})
	slices.SortFunc(all, func(a, b weighted) int { return cmp.Compare(a.distance, b.distance) })
	for _, w := range all {
		deviation = w.distance
		if 2*w.n >= n {
			break
		}
		n -= 2 * w.n
	}
	return deviation
}

// Outliers counts the latencies outside Tukey's fences: 1.5 (mild) and 3
// (severe) interquartile ranges from the quartiles. Severe outliers are not
// counted as mild. Outliers are included in all figures.
func (r *Result) Outliers() (lowSevere, lowMild, highMild, highSevere uint64) {
	low, high, iqr := r.At(0.25), r.At(0.75), r.IQR()
	r.Values(func(v float64, c uint64) {
		switch {
		case v < low-3*iqr:
			lowSevere += c
		case v < low-1.5*iqr:
			lowMild += c
		case v > high+3*iqr:
			highSevere += c
		case v > high+1.5*iqr:
			highMild += c
		}
	})
	return
}

// Messages returns the messages of failed operations, the most frequent first.
func (r *Result) Messages() []string { return mostFrequent(r.Errors) }

func mostFrequent(messages map[string]uint64) []string {
	return slices.SortedFunc(maps.Keys(messages), func(a, b string) int {
		return cmp.Or(cmp.Compare(messages[b], messages[a]), cmp.Compare(a, b))
	})
}
