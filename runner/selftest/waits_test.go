package selftest_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// waitQuantile returns the q-quantile of the wait in an M/D/1 queue, in units of
// the service time.
func waitQuantile(q, load float64) float64 {
	n := numberInSystem(load)
	low, high := 0.0, float64(len(n)-2)
	for high-low > 1e-9*(1+high) {
		if mid := (low + high) / 2; waitAtMost(n, load, mid) < q {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}

// numberInSystem returns P(N ≤ n) for the number of customers in an M/D/1 queue,
// up to a negligible rest. The probability of n+1 follows from the flow across
// that level: p₍ₙ₊₁₎·a₀ = p₀·P(A > n) + Σ_{1 ≤ i ≤ n} pᵢ·P(A > n+1-i), with the
// number A of arrivals during a service, which is Poisson.
func numberInSystem(load float64) (cumulative []float64) {
	p := []float64{1 - load}
	more := []float64{1 - math.Exp(-load)} // P(A > k)
	a := math.Exp(-load)
	sum := p[0]
	cumulative = []float64{sum}
	for n := 0; sum < 1-1e-12; n++ {
		next := p[0] * more[n]
		for i := 1; i <= n; i++ {
			next += p[i] * more[n+1-i]
		}
		next /= math.Exp(-load)
		p = append(p, next)
		sum += next
		cumulative = append(cumulative, sum)
		a *= load / float64(n+1)
		more = append(more, max(0, more[n]-a))
	}
	return cumulative
}

// waitAtMost returns the probability that a customer waits at most t services
// (Franx, Operations Research Letters 29, 2001): with k-1 ≤ t < k,
// Σ_{j < k} P(N ≤ k-j)·e^-x·xʲ/j! for x = load·(k-t).
func waitAtMost(cumulative []float64, load, t float64) (p float64) {
	k := int(t) + 1
	x := load * (float64(k) - t)
	term := math.Exp(-x)
	for j := range k {
		p += cumulative[min(k-j, len(cumulative)-1)] * term
		term *= x / float64(j+1)
	}
	return p
}

// TestWaitsHaveTheirKnownMean integrates the distribution of the wait in M/D/1:
// the mean is ρ/2(1-ρ) services by the formula of Pollaczek and Khinchine, and a
// customer does not wait with probability 1-ρ.
func TestWaitsHaveTheirKnownMean(t *testing.T) {
	for _, load := range []float64{0.5, 0.8, 0.95} {
		n := numberInSystem(load)
		require.InDelta(t, 1-load, waitAtMost(n, load, 0), 1e-9)
		sum, step := 0.0, 0.01
		for x := step / 2; x < float64(len(n)-2); x += step {
			sum += step * (1 - waitAtMost(n, load, x))
		}
		require.InEpsilon(t, load/2/(1-load), sum, 1e-3)
		require.InDelta(t, 0.99, waitAtMost(n, load, waitQuantile(0.99, load)), 1e-6)
	}
}
