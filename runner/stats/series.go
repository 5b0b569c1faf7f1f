package stats

import "math"

// leastSteady is how many values a verdict of steadiness needs.
const leastSteady = 10

// Steady returns how many values at the start of a series to cut so that the
// rest is steady, by the least standard error of what is left (MSER; White,
// Simulation 69, 1997), and whether there is such a cut: it leaves at least
// half of the series, and what is left has no trend.
func Steady(series []float64) (cut int, ok bool) {
	n := len(series)
	if n < leastSteady {
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

// Trend is the normal score of Mann and Kendall's test: how many standard
// deviations more pairs of the series rise than fall. Beyond ±1.96 is a trend
// at 5 %, if values are independent. It is 0 for fewer than 4 values.
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
	// Towards 0 by one: the correction for continuity.
	return (s - math.Copysign(min(1, math.Abs(s)), s)) / math.Sqrt(n*(n-1)*(2*n+5)/18)
}
