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
		if e := squares(rest) / float64(len(rest)*len(rest)); e < best {
			best, cut = e, d
		}
	}
	return cut, cut < n/2 && math.Abs(Trend(series[cut:])) < 1.96
}

func squares(xs []float64) (sum float64) {
	mean := 0.0
	for _, x := range xs {
		mean += x / float64(len(xs))
	}
	for _, x := range xs {
		sum += (x - mean) * (x - mean)
	}
	return sum
}

// Trend returns the normal score of the Mann-Kendall test: the number of pairs
// that rise minus the number that fall, in standard deviations. Outside ±1.96
// there is a trend at the 5 % level, if values are independent. Trend is 0 for
// fewer than 4 values.
func Trend(xs []float64) float64 {
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
