package judge

import (
	"math"

	"github.com/zkatbench/zkatbench/runner/hist"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// Beyond returns the share of operations above a limit in ns, and the number of
// independent latencies that tell as much about it as all of them: fewer, since
// the event is autocorrelated.
func Beyond(r *result.Result, limit float64) (share, effective float64) {
	n := float64(r.Records)
	share = shareBeyond(r.Latency, limit)
	if n < 2*minTail {
		return withFailures(r, limit, share, n)
	}
	// Where fewer latencies exceed the limit than a test of clustering needs, the
	// highest level that enough of them exceed counts.
	rare := minTail / n
	m := memoryAt(r, 1-min(max(share, rare), 1-rare))
	return withFailures(r, limit, share, m.Effective(n, result.Confidence))
}

// withFailures adds failed operations to a share of latencies: each counts as at least the
// time it took, and one that was cut off as beyond any limit.
func withFailures(r *result.Result, limit, share, effective float64) (float64, float64) {
	if r.Failures == nil || r.Records == 0 {
		return share, effective
	}
	done, failed := float64(r.Records), float64(r.Failures.Took.Total())
	cut := float64(r.Failures.Cut)
	beyond := min(failed, max(cut, shareBeyond(r.Failures.Took, limit)*failed))
	_, independent := FailedShare(r)
	worth := min(effective/done, independent/float64(r.Done+r.Failed))
	return (share*done + beyond) / (done + failed), worth * (done + failed)
}

// FailedShare returns the share of operations that failed, and the number of independent
// operations that tell as much about it as all of them: failures come in clusters.
func FailedShare(r *result.Result) (share, effective float64) {
	all := float64(r.Done + r.Failed)
	share = float64(r.Failed) / max(1, all)
	var ticks []stats.Cluster
	for _, c := range r.Timeline.Cells {
		ended := float64(c.N)*float64(max(1, r.Config.Batch)) + float64(c.Bad)
		ticks = append(ticks, stats.Cluster{N: ended, Sum: float64(c.Bad)})
	}
	return share, stats.MemoryOf(ticks, share*(1-share)).Effective(all, result.Confidence)
}

// laterBatches is the number of batches of the later half of a window.
const laterBatches = 5

// LaterBeyond reports whether every batch of the later half of the window is beyond
// a limit in ns: its mean if allowed is 0, otherwise more than the allowed share of
// its latencies.
func LaterBeyond(r *result.Result, limit, allowed float64) bool {
	cells := r.Timeline.Cells
	cells = cells[min(len(cells), int(r.Elapsed/2/r.Timeline.Tick)):]
	for k := range laterBatches {
		var n, sum, above float64
		for _, c := range cells[k*len(cells)/laterBatches : (k+1)*len(cells)/laterBatches] {
			n, sum = n+float64(c.N), sum+c.Sum
			for row, count := range c.Rows {
				if low, _ := hist.RowBounds(row); float64(low) >= limit {
					above += float64(count)
				}
			}
		}
		if n == 0 || allowed == 0 && sum/n <= limit || allowed > 0 && above/n <= allowed {
			return false
		}
	}
	return true
}

// ServiceBeyond returns the share of operations of an open loop that took longer
// than a limit in ns from their true start.
func ServiceBeyond(r *result.Result, limit float64) float64 {
	if r.Service == nil {
		return 0
	}
	return shareBeyond(*r.Service, limit)
}

// shareBeyond is the share above a limit; a bucket that contains the limit counts
// by its part above.
func shareBeyond(h hist.Histogram, limit float64) float64 {
	var n, count float64
	h.Each(func(i int, c uint64) {
		low, high := hist.Bounds(i)
		above := (float64(high) - limit) / float64(high-low)
		n, count = n+float64(c), count+float64(c)*min(max(above, 0), 1)
	})
	return count / max(1, n)
}

// heavyMean widens bounds of a mean that depends on a few latencies.
const heavyMean = 1.5

// queueInflation is the factor that the correlation of the waits in a queue
// increases the variance of their mean, over the number of starts that the queue
// remembers: the asymptotic variance of a reflected Brownian motion (Whitt,
// Management Science 35, 1989, equation 23).
const queueInflation = 4

// MeanBounds returns bounds of the mean latency in ns, each with the given
// confidence. Unlike Mean it does not withhold them if the window is short for
// the correlation of the latencies, and it widens them if the mean depends on a
// few latencies, so they serve to tell the mean from a distant limit. In an open
// loop they are at least as wide as the memory of its queue requires. ok is false
// for too few ticks with latencies.
func MeanBounds(r *result.Result, confidence float64) (i stats.Interval, ok bool) {
	values, _ := r.Timeline.Clusters()
	mean, i, ok := stats.Mean(values, 2*confidence-1)
	if !ok {
		return i, false
	}
	if q, open := QueueOf(r); open && !math.IsInf(q.Clump, 1) {
		starts := q.Settled / queueInflation
		half := math.Exp(-math.Sqrt2 * math.Erfcinv(2*confidence) * r.CV() / math.Sqrt(starts))
		i.Low, i.High = min(i.Low, mean/half), max(i.High, mean*half)
	}
	if heavyTail(r) {
		i.Low, i.High = i.Low/heavyMean, i.High*heavyMean
	}
	return i, true
}
