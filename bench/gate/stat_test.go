package gate // rank, holm and shiftOf are private: their values are in published tables

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRankIsTheTabulated(t *testing.T) {
	// Critical values of U for two-sided tests at 5 % and 1 % (Mann and Whitney's
	// table, as in Zar, Biostatistical Analysis): the rank is one more.
	for _, c := range []struct {
		n, m      int
		five, one int
	}{{3, 3, 0, 0}, {4, 4, 1, 0}, {5, 5, 3, 1}, {6, 6, 6, 3}, {8, 8, 14, 8}, {10, 10, 24, 17}, {6, 10, 12, 7},
		{20, 20, 128, 106}} {
		t.Run(fmt.Sprintf("%d and %d", c.n, c.m), func(t *testing.T) {
			require.Equal(t, c.five, rank(c.n, c.m, 0.025))
			require.Equal(t, c.one, rank(c.n, c.m, 0.005))
		})
	}
	// Beyond the exact distribution the rank follows the normal one with the mean and the
	// variance of U.
	require.Equal(t, 1427, rank(60, 60, 0.025))  // 1800.5 - 1.95996·√(3600·121/12)
	require.Equal(t, 1442, rank(100, 40, 0.005)) // 2000.5 - 2.57583·√(4000·141/12), rounded down
	require.Zero(t, rank(1, 51, 1e-6))
}

func TestShift(t *testing.T) {
	base := []float64{100, 101, 99, 100, 102, 98}
	require.Equal(t, Shift{0.1, 0.08, 0.12}, rounded(shiftOf(base, add(base, 10), 0.9)))
	require.Zero(t, shiftOf(base, base, 0.9).Value)
	require.Zero(t, shiftOf([]float64{0, 0}, []float64{0, 0}, 0).Value)
	require.True(t, math.IsInf(shiftOf([]float64{0, 0}, []float64{1, 1}, 0).Value, 1))
	tooFew := shiftOf(base[:2], base[2:4], 0.95)
	require.True(t, math.IsInf(tooFew.Lo, -1) && math.IsInf(tooFew.Hi, 1),
		"two values are too few for an interval")
	negative := shiftOf([]float64{-100, -100}, []float64{-90, -90}, 0)
	require.InDelta(t, 0.1, negative.Value, 1e-9)
}

// TestIntervalsOfDifferences: values that are not positive have an interval of their differences, as wide
// as the confidence asks for.
func TestIntervalsOfDifferences(t *testing.T) {
	base := []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	width := -1.0
	for _, confidence := range []float64{0, 0.5, 0.9, 0.99} {
		s := shiftOf(base, add(base, 1), confidence)
		require.InDelta(t, 1/4.5, s.Value, 1e-12, "of the median")
		require.Greater(t, s.Hi-s.Lo, width, confidence)
		width = s.Hi - s.Lo
	}
}

func add(xs []float64, d float64) []float64 {
	out := slices.Clone(xs)
	for i := range out {
		out[i] += d
	}
	return out
}

func rounded(s Shift) Shift {
	r := func(x float64) float64 { return math.Round(x*1e3) / 1e3 }
	return Shift{r(s.Value), r(s.Lo), r(s.Hi)}
}

func TestIntervalsHoldTheShift(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const tries = 4000
	missed := 0
	for range tries {
		s := shiftOf(samplesOf(rng, 10, 1), add(samplesOf(rng, 10, 1), 0.05), 0.9)
		if 0.05 < s.Lo || 0.05 > s.Hi {
			missed++
		}
	}
	require.InDelta(t, 0.1, float64(missed)/tries, 0.02)
}

func TestHolm(t *testing.T) {
	require.Equal(t, []float64{0.03, 0.06, 0.06, 0.02}, holm([]float64{0.01, 0.04, 0.03, 0.005}))
	require.Equal(t, []float64{1, 1}, holm([]float64{1, 0.7}))
	require.Empty(t, holm(nil))
}

// samplesOf draws n values of about centre that resemble benchmarks: 2 % of
// spread, and a tail on the slow side.
func samplesOf(rng *rand.Rand, n int, centre float64) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = centre * noise(rng)
	}
	return xs
}

func noise(rng *rand.Rand) float64 {
	x := math.Exp(0.02 * rng.NormFloat64())
	if rng.Float64() < 0.05 {
		x *= 1 + 0.2*rng.ExpFloat64()
	}
	return x
}
