package stats

import (
	"math"
	"slices"
	"sort"
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

// MedianInterval returns the 95 % interval of the median of any distribution. ok is false
// for fewer than six values.
func MedianInterval(values []float64) (i Interval, ok bool) {
	low, high, ok := Ranks(uint64(len(values)), 0.5, 0.95)
	if !ok {
		return i, false
	}
	sorted := slices.Sorted(slices.Values(values))
	return Interval{sorted[low-1], sorted[high-1]}, true
}

// manyTrials is a variance of a number of events. From it on, the normal approximation
// errs by a rank or two of thousands, and the beta function takes long.
const manyTrials = 1e4

// binomialQuantile returns the largest l with P(B ≤ l-1) ≤ tail, where B is
// binomial(n, p), or 0 if no l qualifies.
func binomialQuantile(n uint64, p, tail float64) uint64 {
	mean := float64(n) * p
	if variance := mean * (1 - p); variance > manyTrials {
		return uint64(max(0, math.Floor(mean+normalQuantile(tail)*math.Sqrt(variance))))
	}
	return uint64(sort.Search(int(n), func(k int) bool { // P(B ≤ k) > tail
		return incompleteBeta(1-p, float64(n)-float64(k), float64(k)+1) > tail
	}))
}

func normalQuantile(p float64) float64 { return -math.Sqrt2 * math.Erfcinv(2*p) }

// ShareBounds returns a lower and an upper bound, each with the given confidence,
// of the probability of an event that k of n independent trials show (Clopper and
// Pearson, Biometrika 26, 1934). k and n need not be whole: for autocorrelated
// trials they are effective numbers. Many events have the bounds of Wilson (Journal of
// the American Statistical Association 22, 1927).
func ShareBounds(k, n, confidence float64) Interval {
	if variance := k * (1 - k/n); variance > manyTrials {
		z := normalQuantile(confidence)
		centre, half := k+z*z/2, z*math.Sqrt(variance+z*z/4)
		return Interval{(centre - half) / (n + z*z), (centre + half) / (n + z*z)}
	}
	i := Interval{Low: 0, High: 1}
	if k > 0 {
		i.Low = Bisect(func(p float64) float64 { return incompleteBeta(p, k, n-k+1) }, 1-confidence)
	}
	if k < n {
		i.High = Bisect(func(p float64) float64 { return incompleteBeta(p, k+1, n-k) }, confidence)
	}
	return i
}

// Bisect returns the p in [0, 1] where an increasing f reaches want.
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
