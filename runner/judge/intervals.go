package judge

import (
	"math"

	"github.com/zkatbench/zkatbench/runner/hist"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// confidence returns the confidence that intervals must use.
func confidence(r *result.Result) float64 { return max(result.Confidence, r.Confidence) }

// minEffective is the least effective sample size for an interval of
// autocorrelated latencies, and minEffectiveTail the least part of it beyond a
// quantile. With fewer, the estimate of the correlation is too rough.
const (
	minEffective     = 50
	minEffectiveTail = 10
)

// persistent is the factor that a window must be longer by at least if batches of a
// tenth of it still correlate.
const persistent = 4

// Quantile returns the q-quantile of the latencies. Its interval is valid for
// any distribution: the ends are latencies of the sample, and autocorrelation
// widens it. Few latencies give no interval, as for the 99th percentile
// of fewer than 368, or if the window is too short for the correlation of the
// latencies.
func Quantile(r *result.Result, q float64) Estimate {
	e := Estimate{Value: r.At(q)}
	if _, _, ok := stats.Ranks(r.Records, q, confidence(r)); !ok {
		e.Reason = fewLatencies
		return e
	}
	m := memoryAt(r, q)
	effective := math.Floor(m.Effective(float64(r.Records), confidence(r)))
	if m.Freedom > 0 {
		e.needs(r, max(minEffective, minEffectiveTail/min(q, 1-q))/max(1, effective))
	}
	if _, logs := r.Timeline.Clusters(); memory(r).Freedom > 0 && stats.Persists(logs) {
		e.needs(r, persistent)
	}
	e.needs(r, queueNeeds(r, q))
	if e.Reason != "" {
		return e
	}
	l, u, ok := stats.Ranks(uint64(effective), q, confidence(r))
	if !ok { // only at a confidence of repeated looks
		e.Reason = shortWindow
		return e
	}
	scale := float64(r.Records) / effective
	e.Interval = &stats.Interval{Low: r.Rank(uint64(float64(l) * scale)),
		High: r.Rank(uint64(math.Ceil(float64(u) * scale)))}
	return e
}

// Mean returns the mean latency. The interval is missing if the window has too few
// ticks with latencies, if it is too short for their correlation, or if the mean
// depends on a few latencies.
func Mean(r *result.Result) Estimate {
	e := Estimate{Value: r.Moments.Mean}
	values, _ := r.Timeline.Clusters()
	_, i, ok := stats.Mean(values, confidence(r))
	if !ok {
		e.Reason = fewLatencies
		return e
	}
	if m := stats.MemoryOf(values, r.Moments.StdDev*r.Moments.StdDev); m.Freedom > 0 {
		e.needs(r, minEffective*m.Inflation/float64(r.Records))
		if stats.Persists(values) {
			e.needs(r, persistent)
		}
	}
	e.needs(r, queueNeeds(r, 0))
	if e.Reason == "" && heavyTail(r) {
		e.Reason = tailTooHeavy
	}
	if e.Reason == "" {
		e.Interval = &i
	}
	return e
}

// metric returns the figure that Config.PrecisionOf names.
func metric(r *result.Result, name string) Estimate {
	if q := result.PrecisionQuantiles[name]; q > 0 {
		return Quantile(r, q)
	}
	return Mean(r)
}

// modeBins is the number of buckets of a Histogram in one bin: a sixteenth of a
// doubling, 4 %.
const modeBins = 1 << 6

// modes returns the number of latencies around which others cluster. It is a hint,
// not a test.
func modes(r *result.Result) int {
	counts := make([]float64, hist.Buckets/modeBins)
	r.Latency.Each(func(i int, c uint64) { counts[i/modeBins] += float64(c) })
	return len(stats.Modes(counts))
}
