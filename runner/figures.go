package runner

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/zkatbench/zkatbench/runner/hist"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// confidence is the level of every interval, unless repeated looks require
// more.
const confidence = 0.95

// Throughput is the number of operations a second by the wall clock.
func (r *Result) Throughput() float64 {
	if r.Elapsed <= 0 {
		return 0
	}
	return r.Weighted / r.Elapsed.Seconds()
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
// would reach if they spent all their time in the operation. As in Throughput,
// an operation that crosses the end of the window counts by its share inside.
func (r *Result) PureThroughput() float64 {
	if r.Busy <= 0 {
		return 0
	}
	return float64(r.Config.Workers) * r.Weighted / r.Busy.Seconds()
}

// Overhead is the share of the workers' time in the window outside operations
// that succeeded.
func (r *Result) Overhead() float64 {
	if r.Busy <= 0 || r.Elapsed <= 0 {
		return 0
	}
	return max(0, 1-r.Busy.Seconds()/(float64(r.Config.Workers)*r.Elapsed.Seconds()))
}

// CV is the coefficient of variation: standard deviation divided by mean.
func (r *Result) CV() float64 {
	if r.Moments.Mean == 0 {
		return 0
	}
	return r.Moments.StdDev / r.Moments.Mean
}

// IQR is the interquartile range of the latencies in nanoseconds.
func (r *Result) IQR() float64 { return r.quantile(0.75) - r.quantile(0.25) }

// MAD is the median absolute deviation from the median in nanoseconds.
func (r *Result) MAD() float64 {
	median, deviations := r.quantile(0.5), hist.New()
	r.Latency.Values(func(v float64, c uint64) { deviations.AddN(uint64(math.Abs(v-median)), c) })
	return deviations.Quantile(0.5)
}

func (r *Result) quantile(q float64) float64 { return r.Latency.Quantile(q) }

// confidence returns the confidence that intervals must use.
func (r *Result) confidence() float64 { return max(confidence, r.Confidence) }

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
func (r *Result) Quantile(q float64) Estimate {
	e := Estimate{Value: r.quantile(q)}
	if _, _, ok := stats.Ranks(r.Records, q, r.confidence()); !ok {
		e.Reason = fewLatencies
		return e
	}
	m := r.memoryAt(q)
	effective := math.Floor(m.Effective(float64(r.Records), r.confidence()))
	if m.Freedom > 0 {
		e.needs(r, max(minEffective, minEffectiveTail/min(q, 1-q))/max(1, effective))
	}
	if _, logs := r.Timeline.clusters(); r.memory().Freedom > 0 && stats.Persists(logs) {
		e.needs(r, persistent)
	}
	e.needs(r, r.queueNeeds(q))
	if e.Reason != "" {
		return e
	}
	l, u, ok := stats.Ranks(uint64(effective), q, r.confidence())
	if !ok { // only at a confidence of repeated looks
		e.Reason = shortWindow
		return e
	}
	scale := float64(r.Records) / effective
	e.Interval = &stats.Interval{Low: r.Latency.Rank(uint64(float64(l) * scale)), High: r.Latency.Rank(uint64(math.Ceil(float64(u) * scale)))}
	return e
}

// Mean returns the mean latency. The interval is missing if the window has too few
// ticks with latencies, if it is too short for their correlation, or if the mean
// depends on a few latencies.
func (r *Result) Mean() Estimate {
	e := Estimate{Value: r.Moments.Mean}
	values, _ := r.Timeline.clusters()
	_, i, ok := stats.Mean(values, r.confidence())
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
	e.needs(r, r.queueNeeds(0))
	if e.Reason == "" && r.heavyTail() {
		e.Reason = heavyTail
	}
	if e.Reason == "" {
		e.Interval = &i
	}
	return e
}

// metric returns the figure that Config.PrecisionOf names.
func (r *Result) metric(name string) Estimate {
	if q := metricQuantile[name]; q > 0 {
		return r.Quantile(q)
	}
	return r.Mean()
}

// Outliers counts the latencies outside Tukey's fences: 1.5 (mild) and 3
// (severe) interquartile ranges from the quartiles. Severe outliers are not
// counted as mild. Outliers are included in all figures.
func (r *Result) Outliers() (lowSevere, lowMild, highMild, highSevere uint64) {
	low, high, iqr := r.quantile(0.25), r.quantile(0.75), r.IQR()
	r.Latency.Values(func(v float64, c uint64) {
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

// modeBins is the number of buckets of a Histogram in one bin: a sixteenth of a
// doubling, 4 %.
const modeBins = 1 << 6

// modes returns the latencies in nanoseconds around which others cluster. It is
// a hint, not a test.
func (r *Result) modes() (at []float64) {
	counts := make([]float64, hist.Buckets/modeBins)
	r.Latency.Each(func(i int, c uint64) { counts[i/modeBins] += float64(c) })
	for _, bin := range stats.Modes(counts) {
		low, _ := hist.Bounds(bin * modeBins)
		_, high := hist.Bounds((bin+1)*modeBins - 1)
		at = append(at, float64(low+high)/2)
	}
	return at
}
