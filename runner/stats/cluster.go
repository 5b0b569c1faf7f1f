package stats

import (
	"math"

	"github.com/aclements/go-moremath/stats"
)

// A Cluster is the count and the sum of consecutive values. Values within a
// cluster may be correlated; clusters should be long enough to be independent
// of each other.
type Cluster struct{ N, Sum float64 }

// maxClusters is a common choice for batch means: enough clusters for Student's
// t, and few enough that each is long (Schmeiser, Operations Research 30,
// 1982).
const maxClusters = 32

// minClusters is the least number of clusters for an interval; with fewer, the
// variance estimate is too rough.
const minClusters = 8

// Coarsen merges neighbours until at most 32 non-empty clusters are left.
func Coarsen(cs []Cluster) []Cluster {
	var full []Cluster
	for _, c := range cs {
		if c.N > 0 {
			full = append(full, c)
		}
	}
	for len(full) > maxClusters {
		for i := range len(full) / 2 {
			full[i] = Cluster{full[2*i].N + full[2*i+1].N, full[2*i].Sum + full[2*i+1].Sum}
		}
		if odd := len(full) % 2; odd == 1 {
			full[len(full)/2-1].N += full[len(full)-1].N
			full[len(full)/2-1].Sum += full[len(full)-1].Sum
		}
		full = full[:len(full)/2]
	}
	return full
}

// Mean returns the mean of all values and its confidence interval by batch
// means: the ratio estimator over clusters of unequal sizes (Cochran, Sampling
// Techniques, §6.3) with Student's t. ok is false for fewer than 8 clusters.
func Mean(cs []Cluster, confidence float64) (mean float64, i Interval, ok bool) {
	cs = Coarsen(cs)
	mean, variance := ratio(cs)
	if len(cs) < minClusters {
		return mean, Interval{}, false
	}
	half := tQuantile(len(cs)-1, 1-(1-confidence)/2) * math.Sqrt(variance)
	return mean, Interval{mean - half, mean + half}, true
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

// Inflation returns the factor by which correlation between values increases
// the variance of their mean: the effective sample size is n/Inflation.
// variance is the variance of single values. Inflation is 1 if the clusters are
// consistent with independence at the 5 % level, or if there are fewer than 8
// of them.
func Inflation(cs []Cluster, variance float64) float64 {
	cs = Coarsen(cs)
	var n float64
	for _, c := range cs {
		n += c.N
	}
	if len(cs) < minClusters || variance <= 0 {
		return 1
	}
	_, v := ratio(cs)
	inflation := v * n / variance
	dof := float64(len(cs) - 1)
	// Wilson and Hilferty: the 95th percentile of χ² over its degrees.
	limit := math.Pow(1-2/(9*dof)+normalQuantile(0.95)*math.Sqrt(2/(9*dof)), 3)
	if inflation <= limit {
		return 1
	}
	return inflation
}

func tQuantile(dof int, p float64) float64 {
	return stats.InvCDF(stats.TDist{V: float64(dof)})(p)
}
