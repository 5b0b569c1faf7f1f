package judge

import (
	"math"
	"slices"

	"github.com/zkatbench/zkatbench/runner/hist"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// Inflation returns the factor that autocorrelation of the latencies
// increases the variance of estimates. It is measured on the logarithms of the
// latencies, so outliers do not dominate it.
func Inflation(r *result.Result) float64 { return memory(r).Inflation }

func memory(r *result.Result) stats.Memory {
	_, logs := r.Timeline.Clusters()
	var n, sum, squares float64
	r.Latency.Each(func(i int, c uint64) { n, sum = n+float64(c), sum+float64(i)*float64(c) })
	r.Latency.Each(func(i int, c uint64) { d := float64(i) - sum/n; squares += d * d * float64(c) })
	variance := squares / max(1, n-1)
	if dependent(r, variance) {
		return stats.DependentMemory(logs, variance)
	}
	return stats.MemoryOf(logs, variance)
}

// dependentScore is the normal score of the correlation of successive latencies that one of a
// hundred series of independent ones has.
const dependentScore = 2.33

// dependent reports whether successive latencies of a worker are positively correlated (von
// Neumann, Annals of Mathematical Statistics 12, 1941); variance is of their logarithms.
func dependent(r *result.Result, variance float64) bool {
	if r.Moments.Steps == 0 || variance == 0 {
		return false
	}
	correlation := 1 - r.Moments.Steps/(2*variance)
	return correlation*math.Sqrt(float64(r.Records)) > dependentScore
}

// minTail is the least number of latencies on either side of a bound for a test
// of their clustering.
const minTail = 10

// memoryAt returns the memory of the event that a latency exceeds the quantile
// q. Stalls and bursts lie in the tail, where logarithms hardly show them, so it
// is interpolated between the bounds of the heatmap row that contains the
// quantile, by the logarithm of the share of latencies above them.
func memoryAt(r *result.Result, q float64) stats.Memory {
	row, all := hist.Row(uint64(r.Latency.Quantile(q))), memory(r)
	below, belowShare, known := memoryAbove(r, row, all)
	above, aboveShare, knownAbove := memoryAbove(r, row+1, all)
	switch {
	case known && knownAbove:
		weight := math.Log(belowShare/(1-q)) / math.Log(belowShare/aboveShare)
		weight = min(max(weight, 0), 1)
		m := stats.Memory{Freedom: max(below.Freedom, above.Freedom)}
		m.Inflation = math.Pow(below.Inflation, 1-weight) * math.Pow(above.Inflation, weight)
		return m
	case knownAbove:
		below = above
	case !known:
		return all
	}
	if all.Inflation >= below.Inflation {
		return all
	}
	return below
}

// memoryAbove returns the memory of the event that a latency lies in the given
// row or above, and the share of such latencies; known is false if there are too
// few of them or too few others. all is the memory of the latencies.
func memoryAbove(r *result.Result, row int, all stats.Memory) (m stats.Memory, share float64, known bool) {
	clusters, tail := r.Timeline.TailFrom(row)
	if min(float64(r.Records)-tail, tail) < minTail {
		return m, 0, false
	}
	share = tail / float64(r.Records)
	if all.Freedom > 0 {
		return stats.DependentMemory(clusters, share*(1-share)), share, true
	}
	return stats.MemoryOf(clusters, share*(1-share)), share, true
}

// settleStarts is the least number of planned starts of an M/M/1 queue, times
// the square of its idle share, for an interval: by simulation, intervals of
// batch means hold from there on. The correlation of a queue decays over a
// number of starts in proportion to (ca² + cs²)/2 / (1-ρ)², with the coefficients
// of variation of arrivals and services (Whitt, Management Science 35, 1989).
// settleTail is the same for each latency beyond a quantile.
const (
	settleStarts = 600
	settleTail   = 50
)

// queueNeeds returns the window that the queue of an open loop needs for an
// interval of the quantile q (0: the mean), relative to the window that it had;
// 0 in a closed loop, and +Inf for a queue without a steady state.
func queueNeeds(r *result.Result, q float64) float64 {
	queue, ok := QueueOf(r)
	switch {
	case !ok:
		return 0
	case queue.Load >= 1 || queue.Growing:
		return math.Inf(1)
	}
	least := float64(settleStarts)
	if q > 0 {
		least = max(least, settleTail/min(q, 1-q))
	}
	// At a low load hardly any start waits for an earlier one.
	least *= min(1, 2*queue.Load)
	return least * queue.Memory / max(1, r.Config.Plan.Expected(r.Elapsed))
}

// The limits of a heavy tail.
const (
	// tailShare of the latencies, at least minTailIndex, are the tail with the estimated
	// index.
	tailShare    = 0.01
	minTailIndex = 50
	// The index of the far end of the tail, an eighth of it, is rougher.
	minFarIndex = 10
	farIndex    = 3
	// A mean has a normal distribution only if its variance is finite, which
	// takes a tail index above 2.
	finiteVariance = 2
	// The mean of latencies that vary little does not depend on a few of them.
	leastHeavyCV = 0.5
	// maxSkewness is the greatest skewness of the mean, which falls with the
	// square root of the sample size, where intervals by Student's t hold.
	maxSkewness = 0.25
)

// heavyTail reports whether the mean depends on a few latencies, so that its
// interval is not reliable.
func heavyTail(r *result.Result) bool {
	if r.CV() < leastHeavyCV {
		return false
	}
	var values []stats.Weighted
	r.Latency.Values(func(v float64, c uint64) {
		values = append(values, stats.Weighted{Value: v, N: float64(c)})
	})
	slices.Reverse(values)
	n := float64(r.Records)
	if math.Abs(stats.Skewness(values))/math.Sqrt(n) > maxSkewness {
		return true
	}
	// Stalls of equal length lie far out, too, but not beyond each other.
	k := max(minTailIndex, math.Floor(n*tailShare))
	far := max(minFarIndex, math.Floor(k/8))
	return n > 10*k && stats.TailIndex(values, k) < finiteVariance && stats.TailIndex(values, far) < farIndex
}
