package stats_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/stats"
)

func TestPowerLawIsRecovered(t *testing.T) {
	xs := []float64{1, 2, 3, 5, 8, 13, 21, 30}
	for _, want := range []stats.PowerLaw{{Factor: 3, Exponent: 2}, {Factor: 0.01, Exponent: 1.5}, {Factor: 7, Exponent: 0}} {
		var ys []float64
		for _, x := range xs {
			ys = append(ys, want.At(x))
		}
		got, err := stats.FitPower(xs, ys)
		require.NoError(t, err)
		require.InDelta(t, want.Exponent, got.Exponent, 1e-9)
		require.InDelta(t, want.Factor, got.Factor, 1e-9)
		require.InDelta(t, 0, got.Residual, 1e-9)
	}
}

// TestPowerLawIntervalCoversAsPromised counts, for fixed seeds, how often the
// interval holds the exponent.
func TestPowerLawIntervalCoversAsPromised(t *testing.T) {
	const trials = 2000
	random := rand.New(rand.NewPCG(1, 2))
	law := stats.PowerLaw{Factor: 2, Exponent: 1.7}
	held := 0
	for range trials {
		var xs, ys []float64
		for _, x := range []float64{1, 2, 4, 6, 10, 15, 22, 30} {
			xs, ys = append(xs, x), append(ys, law.At(x)*math.Exp(0.1*random.NormFloat64()))
		}
		got, err := stats.FitPower(xs, ys)
		require.NoError(t, err)
		if got.Bounds.Holds(law.Exponent) {
			held++
		}
	}
	require.InDelta(t, 0.95, float64(held)/trials, 0.015)
}

func TestPowerLawNeedsThreePoints(t *testing.T) {
	for _, c := range [][2][]float64{
		{nil, nil}, {{1, 2}, {1, 2}}, {{1, 2, 3}, {1, 2}}, {{1, 2, 3}, {1, 0, 2}}, {{0, 2, 3}, {1, 1, 2}},
		{{2, 2, 2}, {1, 1, 2}}, {{1, 2, 3}, {1, math.NaN(), 2}}, {{1, 2, math.Inf(1)}, {1, 1, 2}},
	} {
		_, err := stats.FitPower(c[0], c[1])
		require.ErrorIs(t, err, stats.ErrPower)
	}
}
