package stats

import (
	"math"

	"github.com/aclements/go-moremath/stats"
)

// A Cluster is the count and the sum of values that were measured one after
// another. Values inside a cluster may depend on each other; clusters should
// be long enough not to.
type Cluster struct{ N, Sum float64 }

// mostClusters is a usual number for batch means: enough for Student's t,
// few enough for each to be long (Schmeiser, Operations Research 30, 1982).
const mostClusters = 32

// leastClusters is below what an interval would be a guess.
const leastClusters = 8

// Coarsen merges neighbours until at most 32 clusters with values are left.
func Coarsen(cs []Cluster) []Cluster {
	var full []Cluster
	for _, c := range cs {
		if c.N > 0 {
			full = append(full, c)
		}
	}
	for len(full) > mostClusters {
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
// Techniques, §6.3) with Student's t. It is false for fewer than 8 clusters.
func Mean(cs []Cluster, confidence float64) (mean float64, i Interval, ok bool) {
	cs = Coarsen(cs)
	mean, variance := ratio(cs)
	if len(cs) < leastClusters {
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

// Inflation returns by how much dependence between values multiplies the
// variance of their mean: n values are worth n/Inflation independent ones.
// variance is that of single values. It is 1 if the clusters do not contradict
// independence at 5 %, or if there are fewer than 8 of them.
func Inflation(cs []Cluster, variance float64) float64 {
	cs = Coarsen(cs)
	var n float64
	for _, c := range cs {
		n += c.N
	}
	if len(cs) < leastClusters || variance <= 0 {
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
