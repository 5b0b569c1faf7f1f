package stats

import "math"

// minSteady is the least length of a series for a verdict on steadiness.
const minSteady = 10

// Steady returns the number of values to cut from the start of a series so that
// the rest is steady: the cut that minimises the standard error of the rest
// (MSER; White, Simulation 69, 1997). ok reports whether such a cut exists: it
// leaves at least half of the series, and the rest has no trend.
func Steady(series []float64) (cut int, ok bool) {
	n := len(series)
	if n < minSteady {
		return 0, false
	}
	best := math.Inf(1)
	for d := 0; d <= n/2; d++ {
		rest := series[d:]
		if e := squaredDistances(rest) / float64(len(rest)*len(rest)); e < best {
			best, cut = e, d
		}
	}
	return cut, cut < n/2 && math.Abs(trend(series[cut:])) < 1.96
}

// trend returns the normal score of the Mann-Kendall test: the number of pairs
// that rise minus the number that fall, in standard deviations. Outside ±1.96
// there is a trend at the 5 % level, if values are independent. It is 0 for
// fewer than 4 values.
func trend(xs []float64) float64 {
	n := float64(len(xs))
	if n < 4 {
		return 0
	}
	s := 0.0
	for i := range xs {
		for _, later := range xs[i+1:] {
			switch {
			case later > xs[i]:
				s++
			case later < xs[i]:
				s--
			}
		}
	}
	// Continuity correction: one towards 0.
	return (s - math.Copysign(min(1, math.Abs(s)), s)) / math.Sqrt(n*(n-1)*(2*n+5)/18)
}

// CorrelatedTrend returns the score of trend for values that may be
// autocorrelated: it is reduced by the factor by which the correlation of
// neighbours, after a straight line is taken off, increases the variance of a
// mean (first-order autoregression; compare Hamed and Rao, Journal of Hydrology
// 204, 1998).
func CorrelatedTrend(xs []float64) float64 {
	rest := detrended(xs)
	products, squares := 0.0, 0.0
	for i, x := range rest {
		squares += x * x
		if i > 0 {
			products += x * rest[i-1]
		}
	}
	if products <= 0 {
		return trend(xs)
	}
	r := products / squares
	return trend(xs) * math.Sqrt((1-r)/(1+r))
}

// detrended returns the distances of xs from the straight line of least squares.
func detrended(xs []float64) []float64 {
	mean, middle := Average(xs), float64(len(xs)-1)/2
	slope, squares := 0.0, 0.0
	for i, x := range xs {
		d := float64(i) - middle
		slope, squares = slope+d*(x-mean), squares+d*d
	}
	rest := make([]float64, len(xs))
	for i, x := range xs {
		rest[i] = x - mean - slope/squares*(float64(i)-middle)
	}
	return rest
}

// Average returns the arithmetic mean of values, which must not be empty.
func Average[T ~float64 | ~int64](values []T) float64 {
	sum := 0.0
	for _, v := range values {
		sum += float64(v)
	}
	return sum / float64(len(values))
}

// startUpScore is the least distance of the mean of a start-up from the mean of
// the rest, in standard errors.
const startUpScore = 4

// StartUp returns the number of clusters at the start of a series in which it was
// not yet steady, or 0. The cut minimises the standard error of the rest, as in
// Steady; it counts if it is at most a third of the series, and if the mean
// before it differs from the mean after it by more than correlated values do.
func StartUp(cs []Cluster) (cut int) {
	full := coarsen(cs, len(cs))
	means := make([]float64, len(full))
	for i, c := range full {
		means[i] = c.Sum / c.N
	}
	if cut, _ = Steady(means); cut == 0 || cut > len(full)/3 {
		return 0
	}
	before, _ := ratio(full[:cut])
	rest, variance, freedom := batchMeans(full[cut:])
	if freedom == 0 {
		return 0
	}
	clusters := float64(len(full) - cut)
	spread := variance * clusters * (1/float64(cut) + 1/clusters)
	if math.Abs(before-rest) <= startUpScore*math.Sqrt(spread) {
		return 0
	}
	return cut
}

// A Line is fitted to weighted points by least squares.
type Line struct{ n, x, y, xx, xy float64 }

// Add adds a point with a weight.
func (l *Line) Add(x, y, weight float64) {
	l.n, l.x, l.y = l.n+weight, l.x+weight*x, l.y+weight*y
	l.xx, l.xy = l.xx+weight*x*x, l.xy+weight*x*y
}

// Fit returns the slope of the line, and the sum of squares that it explains; 0 if
// all points have the same x.
func (l *Line) Fit() (slope, explained float64) {
	spread := l.n*l.xx - l.x*l.x
	if spread <= 1e-12*l.n*l.xx {
		return 0, 0
	}
	products := l.n*l.xy - l.x*l.y
	return products / spread, products * products / spread / l.n
}
