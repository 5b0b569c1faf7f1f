package stats

import (
	"math"

	"github.com/aclements/go-moremath/stats"
)

// A Cluster is the count and the sum of consecutive values, which may be
// correlated. Neighbouring clusters may be correlated too.
type Cluster struct{ N, Sum float64 }

const (
	// maxClusters is a common choice for batch means: enough clusters for
	// Student's t, and few enough that each is long (Schmeiser, Operations
	// Research 30, 1982).
	maxClusters = 32
	// longClusters is their number if shorter ones are correlated.
	longClusters = 10
	// minClusters is the least number of clusters for an interval; with fewer,
	// the variance estimate is too rough.
	minClusters = 8
)

// coarsen merges neighbours until at most n non-empty clusters are left, each of
// about equally many of the old ones.
func coarsen(cs []Cluster, n int) []Cluster {
	var full []Cluster
	for _, c := range cs {
		if c.N > 0 {
			full = append(full, c)
		}
	}
	n = min(n, len(full))
	merged := make([]Cluster, n)
	for i, c := range full {
		to := &merged[i*n/len(full)]
		to.N, to.Sum = to.N+c.N, to.Sum+c.Sum
	}
	return merged
}

// batchMeans returns the mean of all values, the variance of that mean, and the
// degrees of freedom of this variance; 0 if there are too few clusters.
//
// Batches of 1/32 of the series are used if they are not correlated, and of a
// tenth if they are. The variance is extrapolated from these and from batches of
// a third of their length or less: the lugsail estimator, which counters the
// negative bias of batch means of series with a long memory (Vats and Flegal,
// Biometrika 109, 2022).
func batchMeans(cs []Cluster) (mean, variance float64, freedom int) {
	fine, batches := coarsen(cs, len(cs)), coarsen(cs, maxClusters)
	below := fine
	if len(batches) >= minClusters && (correlated(fine) || correlated(batches)) {
		batches, below = coarsen(cs, longClusters), coarsen(cs, 3*longClusters)
	}
	mean, variance = ratio(batches)
	if len(batches) < minClusters {
		return mean, variance, 0
	}
	_, less := ratio(below)
	return mean, max(variance, 2*variance-less), len(batches) - 1
}

// correlated reports whether successive clusters are positively correlated, at
// the 10 % level: the lag-1 autocorrelation of independent clusters is about
// normal with variance 1/n.
func correlated(cs []Cluster) bool {
	mean, _ := ratio(cs)
	products, squares, last := 0.0, 0.0, 0.0
	for _, c := range cs {
		d := c.Sum - mean*c.N
		products += last * d
		squares += d * d
		last = d
	}
	return products/squares*math.Sqrt(float64(len(cs))) > normalQuantile(0.9) // false if squares is 0
}

// persistentTrend is the normal score of a trend of the longest batches that hardly any
// series without memory has.
const persistentTrend = 2.5

// Trends reports whether the means of ten batches have a trend that hardly any steady
// series has, also an autocorrelated one.
func Trends(cs []Cluster) bool {
	return math.Abs(trend(means(coarsen(cs, longClusters)))) > certainTrend
}

// certainTrend allows two of the 45 pairs of ten batches to be out of order.
const certainTrend = 3.5

// means returns the mean of each cluster. Clusters must not be empty.
func means(cs []Cluster) (ms []float64) {
	for _, c := range cs {
		ms = append(ms, c.Sum/c.N)
	}
	return ms
}

// Persists reports whether the longest batches for which there are enough still
// correlate or have a trend, so that the series is short for its memory and batches do not show the
// variance of its mean. It is meant for series that have a memory at all.
func Persists(cs []Cluster) bool {
	batches := coarsen(cs, longClusters)
	return len(batches) >= minClusters &&
		(correlated(batches) || math.Abs(trend(means(batches))) > persistentTrend)
}

// Mean returns the mean of positive values and its confidence interval by batch
// means: the ratio estimator over clusters of unequal sizes (Cochran, Sampling
// Techniques, §6.3) with Student's t, on a logarithmic scale, since means of
// skewed values vary in proportion to themselves. ok is false for fewer than 8
// clusters.
func Mean(cs []Cluster, confidence float64) (mean float64, i Interval, ok bool) {
	mean, variance, freedom := batchMeans(cs)
	if freedom == 0 {
		return mean, Interval{}, false
	}
	if mean <= 0 {
		return mean, Interval{mean, mean}, true
	}
	half := math.Exp(tQuantile(freedom, 1-(1-confidence)/2) * math.Sqrt(variance) / mean)
	return mean, Interval{mean / half, mean * half}, true
}

// ratio returns the mean of all values and the variance of that mean.
func ratio(cs []Cluster) (mean, variance float64) {
	var n, sum, squares float64
	for _, c := range cs {
		n, sum = n+c.N, sum+c.Sum
	}
	if n == 0 {
		return 0, 0
	}
	mean = sum / n
	for _, c := range cs {
		d := c.Sum - mean*c.N
		squares += d * d
	}
	b := float64(len(cs))
	return mean, squares / (n * n) * b / max(1, b-1)
}

// Memory is the correlation of a series.
type Memory struct {
	// Inflation is the factor of the variance of the mean that is due to correlation
	// between values; 1 if the series is consistent with independence.
	Inflation float64
	// Freedom is the number of degrees of freedom of Inflation; 0 if it is 1.
	Freedom int
}

// Effective returns the number of independent values that are worth n values of
// the series. It is reduced further, so that an interval that assumes a known
// variance holds although Inflation is an estimate.
func (m Memory) Effective(n, confidence float64) float64 {
	if m.Freedom == 0 {
		return n
	}
	tail := 1 - (1-confidence)/2
	widen := tQuantile(m.Freedom, tail) / normalQuantile(tail)
	return n / m.Inflation / (widen * widen)
}

// MemoryOf returns the memory of a series; variance is the variance of single
// values. A series with fewer than 8 clusters counts as independent, and so does a series if
// its clusters vary no more than independent values, at the level of 1 in 1,000.
func MemoryOf(cs []Cluster, variance float64) Memory {
	m := DependentMemory(cs, variance)
	if m.Freedom > 0 && m.Inflation <= chiSquare(m.Freedom, independentLevel) {
		return Memory{Inflation: 1}
	}
	return m
}

// independentLevel is the share of independent series that count as independent by the
// variance of their clusters.
const independentLevel = 0.999

// DependentMemory returns the memory of a series with values known to be correlated: it
// is independent only if its clusters vary less than independent values do.
func DependentMemory(cs []Cluster, variance float64) Memory {
	_, v, freedom := batchMeans(cs)
	if freedom == 0 || variance <= 0 {
		return Memory{Inflation: 1}
	}
	n := 0.0
	for _, c := range cs {
		n += c.N
	}
	m := Memory{v * n / variance, freedom}
	if m.Inflation <= 1 {
		return Memory{Inflation: 1}
	}
	return m
}

// chiSquare is the p-quantile of χ² over its degrees of freedom (Wilson and Hilferty).
func chiSquare(freedom int, p float64) float64 {
	spread := 2 / (9 * float64(freedom))
	return math.Pow(1-spread+normalQuantile(p)*math.Sqrt(spread), 3)
}

func tQuantile(dof int, p float64) float64 {
	return stats.InvCDF(stats.TDist{V: float64(dof)})(p)
}
