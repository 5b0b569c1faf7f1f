package stats

import "math"

// incompleteBeta returns the regularised incomplete beta function I_x(a, b) for positive
// a and b, by its continued fraction (NIST Digital Library of Mathematical Functions,
// 8.17.22), which is evaluated from the front as a ratio of successive convergents. It
// ends at the limit of precision of any processor, also of one with fused operations.
func incompleteBeta(x, a, b float64) float64 {
	switch {
	case x <= 0:
		return 0
	case x >= 1:
		return 1
	case x > (a+1)/(a+b+2): // the fraction converges slowly
		return 1 - incompleteBeta(1-x, b, a)
	}
	logA, _ := math.Lgamma(a)
	logB, _ := math.Lgamma(b)
	logSum, _ := math.Lgamma(a + b)
	factor := math.Exp(logSum-logA-logB+a*math.Log(x)+b*math.Log1p(-x)) / a

	const tiny, precision, most = 1e-300, 1e-13, 10_000
	nonzero := func(v float64) float64 {
		if math.Abs(v) < tiny {
			return tiny
		}
		return v
	}
	above, below := 1.0, 1/nonzero(1-(a+b)*x/(a+1)) // ratios of numerators and of denominators
	fraction := below
	for m := 1.0; m < most; m++ {
		even := m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		odd := -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		change := 1.0
		for _, term := range []float64{even, odd} {
			above = nonzero(1 + term/above)
			below = 1 / nonzero(1+term*below)
			fraction *= above * below
			change = above * below
		}
		if math.Abs(change-1) < precision {
			break
		}
	}
	return factor * fraction
}
