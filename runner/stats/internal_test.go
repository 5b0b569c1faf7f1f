package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/aclements/go-moremath/mathx"
	"github.com/stretchr/testify/require"
)

// TestPercentiles: the values at 2.5 and 97.5 percent of a long list.
func TestPercentiles(t *testing.T) {
	xs := make([]float64, 40_000)
	for i := range xs {
		xs[i] = float64(len(xs) - 1 - i)
	}
	require.Equal(t, Interval{1000, 39_000}, Central(xs))
}

// TestBisection checks for the least p with the value.
func TestBisection(t *testing.T) {
	steps := func(p float64) float64 { return float64(int(4 * p)) }
	for at, want := range []float64{0, 0.25, 0.5, 0.75} {
		require.InDelta(t, want, Bisect(steps, float64(at)), 1e-15)
	}
	require.Equal(t, math.Ldexp(1, -61), Bisect(steps, 0), "the middle of an interval of 2⁻⁶⁰")
	require.Equal(t, Interval{0, 1}, Interval{ShareBounds(0, 9, 0.95).Low, ShareBounds(9, 9, 0.95).High})
}

// TestRatio: the variance of the mean of two clusters, and the variance without values.
func TestRatio(t *testing.T) {
	for _, c := range []struct {
		of             []Cluster
		mean, variance float64
	}{
		{[]Cluster{{Sum: 1, N: 1}, {Sum: 3, N: 1}}, 2, 1}, {[]Cluster{{Sum: 3, N: 1}}, 3, 0},
		{make([]Cluster, 2), 0, 0},
	} {
		mean, variance := ratio(c.of)
		require.Equal(t, []float64{c.mean, c.variance}, []float64{mean, variance})
	}
}

func binomial(n, k uint64, p float64) float64 {
	log := func(n uint64) float64 { l, _ := math.Lgamma(float64(n) + 1); return l }
	return math.Exp(log(n) - log(k) - log(n-k) + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
}

// TestSumOrApproximation: the ranks are exact up to a variance of 10⁴. Above it, normal
// ranks are within two.
func TestSumOrApproximation(t *testing.T) {
	const tail = 0.025
	for n := uint64(36_000); n <= 44_000; n += 1000 {
		sum, want := 0.0, uint64(0)
		for ; sum <= tail; want++ {
			sum += binomial(n, want, 0.5)
		}
		if got := binomialQuantile(n, 0.5, tail); n <= 40_000 {
			require.Equal(t, want-1, got, n)
		} else {
			require.InDelta(t, want-1, got, 2, n)
			require.Equal(t, math.Floor(float64(n)/2-1.959963984540054*math.Sqrt(float64(n))/2), float64(got))
		}
	}
}

// TestIncompleteBeta compares with another implementation where that converges.
func TestIncompleteBeta(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		a, b, x := 50*random.Float64()+0.01, math.Exp(12*random.Float64()), random.Float64()
		x = math.Pow(x, 1+10*random.Float64())
		require.InDelta(t, mathx.BetaInc(x, a, b), incompleteBeta(x, a, b), 1e-9, "%v %v %v", x, a, b)
		require.InDelta(t, 1, incompleteBeta(x, a, b)+incompleteBeta(1-x, b, a), 1e-9)
	}
	require.InDelta(t, 0.25, incompleteBeta(0.5, 2, 1), 1e-12, "x² for (2, 1)")
}
