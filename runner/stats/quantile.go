package stats

import "math"

// Ranks returns the ranks l ≤ u, from 1, of the order statistics that enclose
// the quantile q of any continuous distribution with at least the given
// confidence, in a sample of n independent values: P(X₍ₗ₎ ≤ x_q ≤ X₍ᵤ₎) is a sum
// of binomial probabilities (David and Nagaraja, Order Statistics, §7.1). It is
// false if n is too small for both to exist, as n below 368 is for the 99th
// percentile at 95 %.
func Ranks(n uint64, q, confidence float64) (l, u uint64, ok bool) {
	if n == 0 || q <= 0 || q >= 1 {
		return 0, 0, false
	}
	tail := (1 - confidence) / 2
	l = binomialQuantile(n, q, tail)
	u = n - binomialQuantile(n, 1-q, tail) + 1
	return l, u, l >= 1 && u <= n
}

// binomialQuantile returns the largest l with P(B ≤ l-1) ≤ tail, for B
// binomial(n, p); 0 if there is none.
func binomialQuantile(n uint64, p, tail float64) uint64 {
	mean := float64(n) * p
	if mean*(1-p) > 1e4 { // where the normal approximation is within a rank or two of thousands
		sd := math.Sqrt(mean * (1 - p))
		return uint64(max(0, math.Floor(mean+normalQuantile(tail)*sd)))
	}
	if p > 0.5 { // then n(1-p) is the small side, and its sum from 0 is short
		return upperSide(n, 1-p, tail)
	}
	sum := 0.0
	for k := uint64(0); k <= n; k++ {
		if sum += binomial(n, k, p); sum > tail {
			return k
		}
	}
	return n
}

// upperSide is binomialQuantile(n, 1-p, tail) by the complement C = n - B:
// P(B ≤ l-1) = P(C ≥ n-l+1).
func upperSide(n uint64, p, tail float64) uint64 {
	below := 0.0 // P(C ≤ c)
	for c := uint64(0); c <= n; c++ {
		if below += binomial(n, c, p); 1-below <= tail {
			return n - c // C ≥ c+1 has at most tail, so l-1 = n-c-1
		}
	}
	return 0
}

func binomial(n, k uint64, p float64) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return math.Exp(a - b - c + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
}

func normalQuantile(p float64) float64 { return -math.Sqrt2 * math.Erfcinv(2*p) }
