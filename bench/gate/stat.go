package gate

import (
	"math"
	"slices"
	"sync"

	"github.com/aclements/go-moremath/stats"
	"golang.org/x/perf/benchmath"

	"github.com/zkatbench/zkatbench/bench/result"
)

// Shift is by how much one sample lies above another, as a share of the other:
// 0.05 is 5 % more.
type Shift struct {
	Value  float64 // Hodges and Lehmann's estimate
	Lo, Hi float64 // its interval, infinite if there are too few values
}

// ShiftOf is the median of all ratios of a value of head to one of base, less 1
// (the estimate of Hodges and Lehmann, Ann. Math. Statist. 34, 1963, on a scale
// of logarithms), with the interval of the shifts that the Mann–Whitney test
// would not reject. It assumes nothing about the distributions but that they have
// the same form. Where base has values that are not positive, it is differences,
// as shares of base's median.
func ShiftOf(base, head []float64, confidence float64) Shift {
	compare := func(b, h float64) float64 { return h/b - 1 }
	if slices.Min(base) <= 0 {
		unit := math.Abs(result.Median(base))
		compare = func(b, h float64) float64 { return share(h-b, unit) }
	}
	ds := make([]float64, 0, len(base)*len(head))
	for _, b := range base {
		for _, h := range head {
			ds = append(ds, compare(b, h))
		}
	}
	slices.Sort(ds)
	s := Shift{result.Median(ds), math.Inf(-1), math.Inf(1)}
	if k := rank(len(base), len(head), (1-confidence)/2); k > 0 {
		s.Lo, s.Hi = ds[k-1], ds[len(ds)-k]
	}
	return s
}

// share is d as a share of whole. Nothing is no share of nothing.
func share(d, whole float64) float64 {
	if d == 0 {
		return 0
	}
	return d / whole
}

// spread is the interquartile range as a share of the median.
func spread(xs []float64) float64 {
	s := stats.Sample{Xs: slices.Sorted(slices.Values(xs)), Sorted: true}
	return share(s.Quantile(0.75)-s.Quantile(0.25), math.Abs(result.Median(xs)))
}

// differ is the p-value of benchstat's test (Mann–Whitney) of whether two
// samples are of one distribution.
func differ(a, b []float64) float64 {
	t := &benchmath.DefaultThresholds
	return benchmath.AssumeNothing.Compare(
		benchmath.NewSample(slices.Clone(a), t), benchmath.NewSample(slices.Clone(b), t)).P
}

// holm returns p-values that are corrected for there being so many of them
// (Holm, Scand. J. Statist. 6, 1979): the chance that any one of true null
// hypotheses gets one below α is at most α.
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

// manyRuns is where exact distributions end and the normal one begins, as in
// benchmath.
const manyRuns = 50

// ranks remembers rank, which is slow.
var ranks sync.Map

// rank returns the greatest k such that U, Mann–Whitney's statistic of samples
// of n and m values, is below k with a chance of at most tail; 0 if there is
// none.
func rank(n, m int, tail float64) int {
	type key struct {
		n, m int
		tail float64
	}
	if k, ok := ranks.Load(key{n, m, tail}); ok {
		return k.(int)
	}
	k := 0
	if most := n * m; n > manyRuns || m > manyRuns {
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
	ranks.Store(key{n, m, tail}, k)
	return k
}

// leastRuns is the number of values on each side from which on the test can give
// a p-value of alpha at all.
func leastRuns(alpha float64) int {
	p := 2.0
	for n := 1; ; n++ {
		if p *= float64(n) / float64(2*(2*n-1)); p <= alpha { // 2 / (2n over n)
			return n
		}
	}
}

// mostRuns is how many are asked for at most.
const mostRuns = 10000

// runsNeeded is how many values on each side would decide, about: an interval
// narrows with the root of their number, and must not reach from the shift to
// the limit. 0 means more than mostRuns.
func runsNeeded(n int, s Shift, limit, alpha float64) int {
	least := max(leastRuns(alpha), n+1)
	half := (s.Hi - s.Lo) / 2
	if math.IsInf(half, 0) || math.IsNaN(half) {
		return least
	}
	need := float64(n) * math.Pow(half/math.Abs(limit-math.Abs(s.Value)), 2)
	if !(need <= mostRuns) {
		return 0
	}
	return max(least, int(math.Ceil(need)))
}
