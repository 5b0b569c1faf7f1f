package stats

import (
	"math"

	"github.com/aclements/go-moremath/mathx"
)

// Ranks returns the ranks l ≤ u, counted from 1, of the order statistics that
// enclose the q-quantile of any continuous distribution with at least the given
// confidence, in a sample of n independent values: P(X₍ₗ₎ ≤ x_q ≤ X₍ᵤ₎) is a
// sum of binomial probabilities (David and Nagaraja, Order Statistics, §7.1).
// ok is false if n is too small for both ranks to exist: for the 99th
// percentile at 95 % confidence, n must be at least 368.
func Ranks(n uint64, q, confidence float64) (l, u uint64, ok bool) {
	if q <= 0 || q >= 1 {
		return 0, 0, false
	}
	tail := (1 - confidence) / 2
	l = binomialQuantile(n, q, tail)
	u = n - binomialQuantile(n, 1-q, tail) + 1
	return l, u, l >= 1 && u <= n
}

// binomialQuantile returns the largest l with P(B ≤ l-1) ≤ tail, where B is
// binomial(n, p), or 0 if no l qualifies.
func binomialQuantile(n uint64, p, tail float64) uint64 {
	mean := float64(n) * p
	if mean*(1-p) > 1e4 { // the normal approximation errs by a rank or two of thousands here
		sd := math.Sqrt(mean * (1 - p))
		return uint64(max(0, math.Floor(mean+normalQuantile(tail)*sd)))
	}
	if p > 0.5 { // n(1-p) is the smaller side, so its sum from 0 is shorter
		return upperSide(n, 1-p, tail)
	}
	sum := 0.0
	for k := uint64(0); ; k++ {
		if sum += binomial(n, k, p); sum > tail || k == n {
			return k
		}
	}
}

// upperSide computes binomialQuantile(n, 1-p, tail) with the complement C = n -
// B: P(B ≤ l-1) = P(C ≥ n-l+1).
func upperSide(n uint64, p, tail float64) uint64 {
	below := 0.0 // P(C ≤ c)
	for c := uint64(0); ; c++ {
		if below += binomial(n, c, p); 1-below <= tail || c == n {
			return n - c // P(C ≥ c+1) ≤ tail, so l-1 = n-c-1
		}
	}
}

func binomial(n, k uint64, p float64) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return math.Exp(a - b - c + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
}

func normalQuantile(p float64) float64 { return -math.Sqrt2 * math.Erfcinv(2*p) }

// ShareBounds returns a lower and an upper bound, each with the given confidence,
// of the probability of an event that k of n independent trials show (Clopper and
// Pearson, Biometrika 26, 1934). k and n need not be whole: for autocorrelated
// trials they are effective numbers.
func ShareBounds(k, n, confidence float64) Interval {
	i := Interval{Low: 0, High: 1}
	if k > 0 {
		i.Low = Bisect(func(p float64) float64 { return mathx.BetaInc(p, k, n-k+1) }, 1-confidence)
	}
	if k < n {
		i.High = Bisect(func(p float64) float64 { return mathx.BetaInc(p, k+1, n-k) }, confidence)
	}
	return i
}

// Bisect returns the p in [0, 1] at which an increasing f reaches want.
func Bisect(f func(float64) float64, want float64) float64 {
	low, high := 0.0, 1.0
	for range 60 {
		if p := (low + high) / 2; f(p) < want {
			low = p
		} else {
			high = p
		}
	}
	return (low + high) / 2
}
