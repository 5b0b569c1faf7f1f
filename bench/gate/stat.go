package gate

import (
	"math"
	"slices"
	"sync"

	"github.com/aclements/go-moremath/stats"
	"golang.org/x/perf/benchmath"

	run "github.com/zkatbench/zkatbench/runner/stats"
)

// Shift is the relative shift of one sample against another: 0.05 means 5 %
// higher.
type Shift struct {
	Value  float64 // Hodges-Lehmann estimate
	Lo, Hi float64 // confidence interval; infinite if there are too few values
}

// ShiftOf returns the median of all ratios of a value of head to a value of
// base, less 1 (the Hodges-Lehmann estimate, Ann. Math. Statist. 34, 1963, on a
// logarithmic scale), with the interval of the shifts that the Mann–Whitney
// test does not reject. It assumes only that the distributions have the same
// shape. If base contains values that are not positive, it uses differences
// relative to the median of base instead of ratios.
func ShiftOf(base, head []float64, confidence float64) Shift {
	compare := func(b, h float64) float64 { return h/b - 1 }
	if slices.Min(base) <= 0 {
		unit := math.Abs(run.Median(base))
		compare = func(b, h float64) float64 { return share(h-b, unit) }
	}
	ds := make([]float64, 0, len(base)*len(head))
	for _, b := range base {
		for _, h := range head {
			ds = append(ds, compare(b, h))
		}
	}
	slices.Sort(ds)
	s := Shift{run.Median(ds), math.Inf(-1), math.Inf(1)}
	if k := rank(len(base), len(head), (1-confidence)/2); k > 0 {
		s.Lo, s.Hi = ds[k-1], ds[len(ds)-k]
	}
	return s
}

// share returns d/whole, or 0 if d is 0.
func share(d, whole float64) float64 {
	if d == 0 {
		return 0
	}
	return d / whole
}

// quartile is the lower quartile.
func quartile(xs []float64) float64 { return stats.Sample{Xs: xs}.Quantile(0.25) }

// pValue returns the p-value of benchstat's test (Mann–Whitney) for the
// hypothesis that both samples come from one distribution.
func pValue(a, b []float64) float64 {
	t := &benchmath.DefaultThresholds
	return benchmath.AssumeNothing.Compare(
		benchmath.NewSample(slices.Clone(a), t), benchmath.NewSample(slices.Clone(b), t)).P
}

// holm returns p-values corrected for multiple comparisons (Holm, Scand. J.
// Statist. 6, 1979): the probability that any true null hypothesis gets a value
// below α is at most α.
func holm(ps []float64) []float64 {
	order := make([]int, len(ps))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		if ps[a] < ps[b] {
			return -1
		}
		return 1
	})
	out, least := make([]float64, len(ps)), 0.0
	for i, at := range order {
		least = max(least, min(1, ps[at]*float64(len(ps)-i)))
		out[at] = least
	}
	return out
}

// maxExactRuns is the largest sample size for the exact distribution; above it
// the normal approximation applies, as in benchmath.
const maxExactRuns = 50

// rankCache caches rank, which is slow.
var rankCache sync.Map

// rank returns the greatest k such that P(U < k) ≤ tail, where U is the
// Mann–Whitney statistic of samples of n and m values, or 0 if there is no such
// k.
func rank(n, m int, tail float64) int {
	type key struct {
		n, m int
		tail float64
	}
	if k, ok := rankCache.Load(key{n, m, tail}); ok {
		return k.(int)
	}
	k := 0
	if most := n * m; n > maxExactRuns || m > maxExactRuns {
		sd := math.Sqrt(float64(most) * float64(n+m+1) / 12)
		k = int(float64(most)/2 + 0.5 + sd*stats.InvCDF(stats.StdNormal)(tail))
	} else {
		d := stats.UDist{N1: n, N2: m}
		for lo, hi := 0, most/2+1; lo < hi; {
			if mid := (lo + hi) / 2; d.CDF(float64(mid)) <= tail {
				lo = mid + 1
				k = lo
			} else {
				hi = mid
			}
		}
	}
	k = max(k, 0)
	rankCache.Store(key{n, m, tail}, k)
	return k
}

// minRuns is the least number of values on each side for which the test can
// give a p-value of alpha.
func minRuns(alpha float64) int {
	p := 2.0
	for n := 1; ; n++ {
		if p *= float64(n) / float64(2*(2*n-1)); p <= alpha { // 2 / (2n over n)
			return n
		}
	}
}

// maxRuns bounds the estimate of runsNeeded.
const maxRuns = 10000

// runsNeeded estimates the number of values on each side that would decide: the
// width of the interval shrinks with the square root of this number, and the
// interval must not reach from the shift to the limit. 0 means more than
// maxRuns.
func runsNeeded(n int, s Shift, limit, alpha float64) int {
	least := max(minRuns(alpha), n+1)
	half := (s.Hi - s.Lo) / 2
	if math.IsInf(half, 0) || math.IsNaN(half) {
		return least
	}
	need := float64(n) * math.Pow(half/math.Abs(limit-math.Abs(s.Value)), 2)
	if !(need <= maxRuns) {
		return 0
	}
	return max(least, int(math.Ceil(need)))
}
