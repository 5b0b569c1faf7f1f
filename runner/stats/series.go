package stats

import "math"

// minSteady is the least length of a series for a verdict on steadiness.
const minSteady = 10

// Steady returns the number of values to cut from the start of a series so that
// the rest is steady: the cut that minimises the standard error of the rest
// (MSER; White, Simulation 69, 1997). ok reports whether such a cut exists: it leaves at
// least half of the series, and the rest is without a trend.
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
// autocorrelated: it is reduced by the factor that the correlation of neighbours, after
// a straight line is taken off, increases the variance of a mean (first-order
// autoregression; compare Hamed and Rao, Journal of Hydrology 204, 1998).
func CorrelatedTrend(xs []float64) float64 { return trend(xs) / math.Sqrt(inflation(detrended(xs))) }

// inflation returns the factor that the correlation of neighbours increases the variance
// of a mean; rest are distances from it.
func inflation(rest []float64) float64 {
	products, squares := 0.0, 0.0
	for i, x := range rest {
		squares += x * x
		if i > 0 {
			products += x * rest[i-1]
		}
	}
	if products <= 0 {
		return 1
	}
	r := products / squares
	return (1 + r) / (1 - r)
}

const (
	leastPart   = 4   // values of a part of Flattens
	flattening  = 1.1 // least factor between its changes
	flatteningZ = 3   // in standard errors
)

// Flattens reports whether a series changes more between its first two parts than, in
// the same direction, between its last two: by over a tenth, and by more than correlated
// values do, of which the last two parts show the variance. The parts begin at 0, second
// and third.
func Flattens(xs []float64, second, third int) bool {
	var levels, variances [3]float64
	for i, part := range [][]float64{xs[:second], xs[second:third], xs[third:]} {
		n := float64(len(part))
		if n < leastPart {
			return false
		}
		rest := detrended(part)
		levels[i], variances[i] = Average(part), squaredDistances(rest)/(n-2)/n*inflation(rest)
	}
	variances[0] = (variances[1] + variances[2]) / 2
	contrast, variance := 0.0, 0.0
	for i, weight := range []float64{1, -1 - flattening, flattening} {
		contrast, variance = contrast+weight*levels[i], variance+weight*weight*variances[i]
	}
	return math.Copysign(contrast, contrast*(levels[0]-levels[2])) > flatteningZ*math.Sqrt(variance)
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

// StartUp returns the number of clusters at the start of a series that is not yet steady
// there, or 0. The cut minimises the standard error of the rest, as in Steady; it counts
// if it is at most a third of the series, and if the mean before it differs from the
// mean after it by more than correlated values do.
func StartUp(cs []Cluster) (cut int) {
	full := coarsen(cs, len(cs))
	means := make([]float64, len(full))
	for i, c := range full {
		means[i] = c.Sum / c.N
	}
	cut, _ = Steady(means)
	if cut == 0 || cut > len(full)/3 {
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
