package runner

import (
	"math"

	"github.com/zkatbench/zkatbench/runner/hist"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// confidence is that of every interval, unless looking often asks for more.
const confidence = 0.95

// Throughput is operations a second by the wall clock.
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

// PureThroughput is what the workers would reach if they did nothing but the
// operation, in operations a second: of operations across the end of the
// window, their share in it counts, as in Throughput.
func (r *Result) PureThroughput() float64 {
	if r.Busy <= 0 {
		return 0
	}
	return float64(r.Config.Workers) * r.Weighted / r.Busy.Seconds()
}

// Overhead is the share of the workers' time in the window that was not spent
// in operations that succeeded.
func (r *Result) Overhead() float64 {
	if r.Busy <= 0 || r.Elapsed <= 0 {
		return 0
	}
	return max(0, 1-r.Busy.Seconds()/(float64(r.Config.Workers)*r.Elapsed.Seconds()))
}

// CV is the coefficient of variation: standard deviation over mean.
func (r *Result) CV() float64 {
	if r.Moments.Mean == 0 {
		return 0
	}
	return r.Moments.StdDev / r.Moments.Mean
}

// IQR is the width of the middle half of the latencies in nanoseconds.
func (r *Result) IQR() float64 { return r.quantile(0.75) - r.quantile(0.25) }

// MAD is the median distance from the median in nanoseconds.
func (r *Result) MAD() float64 {
	median, away := r.quantile(0.5), hist.New()
	r.Latency.Each(func(i int, c uint64) {
		low, high := hist.Bounds(i)
		away.AddN(uint64(math.Abs(float64(low+high-1)/2-median)), c)
	})
	return away.Quantile(0.5)
}

// quantile is the one of the sample, exact if that was asked for.
func (r *Result) quantile(q float64) float64 {
	if n := len(r.Exact); n > 0 {
		rank := int(math.Ceil(q * float64(n) * (1 - 1e-12)))
		return float64(r.Exact[min(max(rank, 1), n)-1])
	}
	return r.Latency.Quantile(q)
}

func (r *Result) rank(k uint64) float64 {
	if n := uint64(len(r.Exact)); n > 0 {
		return float64(r.Exact[min(max(k, 1), n)-1])
	}
	return r.Latency.Rank(k)
}

// confidence is what an interval needs.
func (r *Result) confidence() float64 { return max(confidence, r.Confidence) }

// Quantile returns the latency in nanoseconds below which the share q of them
// lies, and an interval that holds that of the operation with 95 % confidence,
// whatever the distribution: between two of the latencies, and wider if
// latencies depend on those before. ok is false if there are too few latencies
// for any such interval, as for the 99th percentile of fewer than 368; the
// value should not be shown then. The interval is zero if there are enough
// of them but they depend on each other too much.
func (r *Result) Quantile(q float64) (value float64, i stats.Interval, ok bool) {
	value = r.quantile(q)
	if _, _, ok = stats.Ranks(r.Records, q, r.confidence()); !ok {
		return value, i, false
	}
	worth := math.Floor(float64(r.Records) / r.InflationAt(q))
	if l, u, enough := stats.Ranks(uint64(worth), q, r.confidence()); enough {
		scale := float64(r.Records) / worth
		i = stats.Interval{Low: r.rank(uint64(float64(l) * scale)), High: r.rank(uint64(math.Ceil(float64(u) * scale)))}
	}
	return value, i, true
}

// MeanInterval is where the mean latency of the operation lies with 95 %
// confidence; false if the window had too few ticks with latencies.
func (r *Result) MeanInterval() (stats.Interval, bool) {
	values, _ := r.Timeline.clusters()
	_, i, ok := stats.Mean(values, r.confidence())
	return i, ok
}

// Inflation is by how much the dependence of latencies on those before
// multiplies the variance of what is computed from them. It is measured on
// their logarithms, which no outlier dominates.
func (r *Result) Inflation() float64 {
	_, logs := r.Timeline.clusters()
	var n, sum, squares float64
	r.Latency.Each(func(i int, c uint64) { n, sum = n+float64(c), sum+float64(i)*float64(c) })
	r.Latency.Each(func(i int, c uint64) { d := float64(i) - sum/n; squares += d * d * float64(c) })
	if n < 2 {
		return 1
	}
	return stats.Inflation(logs, squares/(n-1))
}

// leastBeyond is how many latencies must lie on either side of a bound for
// their clumps to be told from chance.
const leastBeyond = 10

// InflationAt is Inflation for the quantile q. Stalls and bursts are in the
// tail, where logarithms hardly show them, so it also looks how the latencies
// beyond the bounds of the heatmap's row around that quantile come in clumps.
func (r *Result) InflationAt(q float64) float64 {
	most, row := r.Inflation(), hist.Row(uint64(r.quantile(q)))
	for _, bound := range []int{row, row + 1} {
		clusters, beyond := r.Timeline.beyond(bound)
		if within := float64(r.Records) - beyond; min(within, beyond) >= leastBeyond {
			share := beyond / float64(r.Records)
			most = max(most, stats.Inflation(clusters, share*(1-share)))
		}
	}
	return most
}

// metric is the value and the interval of what Config.PrecisionOf names.
func (r *Result) metric(name string) (float64, stats.Interval, bool) {
	if q := metricQuantile[name]; q > 0 {
		v, i, ok := r.Quantile(q)
		return v, i, ok && i != (stats.Interval{})
	}
	i, ok := r.MeanInterval()
	return r.Moments.Mean, i, ok
}

// Outliers counts the latencies beyond Tukey's fences: 1.5 and 3 interquartile
// ranges from the quartiles. Severe ones are not mild. None is left out of any
// figure.
func (r *Result) Outliers() (lowSevere, lowMild, highMild, highSevere uint64) {
	f := stats.FencesOf(r.quantile(0.25), r.quantile(0.75))
	r.Latency.Each(func(i int, c uint64) {
		low, high := hist.Bounds(i)
		switch v := float64(low+high-1) / 2; {
		case v < f.Severe.Low:
			lowSevere += c
		case v < f.Mild.Low:
			lowMild += c
		case v > f.Severe.High:
			highSevere += c
		case v > f.Mild.High:
			highMild += c
		}
	})
	return
}

// modeBins is how many buckets of a Histogram are one bin: a sixteenth of a
// doubling, 4 %.
const modeBins = 1 << 6

// Modes hints at the latencies in nanoseconds around which others gather.
func (r *Result) Modes() (at []float64) {
	counts := make([]float64, hist.Buckets/modeBins)
	r.Latency.Each(func(i int, c uint64) { counts[i/modeBins] += float64(c) })
	for _, bin := range stats.Modes(counts) {
		low, _ := hist.Bounds(bin * modeBins)
		_, high := hist.Bounds((bin+1)*modeBins - 1)
		at = append(at, float64(low+high)/2)
	}
	return at
}
