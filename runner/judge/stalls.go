package judge

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// stalled operations take over stallRatio times the median, and over twice P99,
// which shows the others; fewer than leastStalls of them are accidents.
const (
	stallRatio  = 10
	leastStalls = 3
)

// hiddenStalls is the share of the time of a closed loop in stalled operations:
// percentiles up to P99 do not show them, although requests that arrive at that
// time would wait.
func hiddenStalls(r *result.Result) (float64, bool) {
	var n, slow, all, time float64
	limit := max(stallRatio*r.Latency.Quantile(0.5), 2*r.Latency.Quantile(0.99))
	r.Latency.Values(func(v float64, c uint64) {
		count := float64(c)
		n, all = n+count, all+count*v
		if v > limit {
			slow, time = slow+count, time+count*v
		}
	})
	return time / max(1, all), r.Open == nil && slow >= leastStalls && slow < n/100
}

// stalls are times at regular intervals when operations hang.
type stalls struct {
	period time.Duration // from the start of one to the start of the next
	length time.Duration // median
}

// Parameters of stalls. Of stalls at random times, leastPeriodic or more
// have all their distances within the tolerance of a multiple of one period, and
// half of them at the period itself, in less than one of 500 runs.
const (
	leastPeriodic = 5
	tolerance     = 0.12
	// stallStep separates the latencies of stalls from the latencies of other slow
	// operations.
	stallStep = 1.25
)

// stallsOf finds stalls at regular intervals among the slowest operations.
func stallsOf(r *result.Result) (s stalls, ok bool) {
	limit := time.Duration(stallRatio * serviceMedian(r))
	slow := slices.Clone(r.Slowest)
	slices.SortFunc(slow, func(a, b result.Slow) int { return cmp.Compare(b.Latency, a.Latency) })
	for n, at := range slow {
		last := n == len(slow)-1
		if at.Latency <= limit || limit == 0 {
			break
		}
		if n+1 < leastPeriodic || !last && float64(at.Latency) < stallStep*float64(slow[n+1].Latency) &&
			slow[n+1].Latency > limit {
			continue
		}
		s, ok = periodic(slow[:n+1])
		if ok {
			return s, true
		}
	}
	return s, false
}

// serviceMedian is the median time of an operation in ns, without waiting for its
// start.
func serviceMedian(r *result.Result) float64 {
	if r.Service != nil {
		return float64(r.Service.Quantile(0.5))
	}
	return r.Latency.Quantile(0.5)
}

// periodic joins operations that overlap, and judges the distances of the others.
func periodic(slow []result.Slow) (s stalls, ok bool) {
	slow = slices.Clone(slow)
	slices.SortFunc(slow, func(a, b result.Slow) int { return cmp.Compare(a.From, b.From) })
	var starts, lengths []float64
	end := time.Duration(math.MinInt64)
	for _, at := range slow {
		if at.From > end {
			starts, lengths = append(starts, float64(at.From)), append(lengths, 0)
		}
		end = max(end, at.From+at.Latency)
		k := len(lengths) - 1
		lengths[k] = max(lengths[k], float64(at.Latency))
	}
	if len(starts) < leastPeriodic {
		return s, false
	}
	var gaps []float64
	for i := range starts[1:] {
		gaps = append(gaps, starts[i+1]-starts[i])
	}
	period, steps, single := stats.Median(gaps), 0.0, 0
	for _, gap := range gaps {
		times := math.Round(gap / period)
		if times < 1 || math.Abs(gap/period-times) > tolerance {
			return s, false
		}
		steps += times
		if times == 1 {
			single++
		}
	}
	period = (starts[len(starts)-1] - starts[0]) / steps
	s = stalls{time.Duration(period), time.Duration(stats.Median(lengths))}
	return s, 2*single >= len(gaps)
}

// periodicStalls is the part of the window that stalls at regular intervals take.
func periodicStalls(r *result.Result) (float64, bool) {
	s, ok := stallsOf(r)
	return s.length.Seconds() / s.period.Seconds(), ok
}
