package stats_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/stats"
)

// descending returns n values of a distribution, largest first, in pairs.
func descending(n int, draw func() float64) (values []stats.Weighted) {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = draw()
	}
	slices.Sort(xs)
	slices.Reverse(xs)
	for _, x := range xs {
		values = append(values, stats.Weighted{Value: x, N: 2})
	}
	return values
}

func TestTailIndex(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for _, alpha := range []float64{1.5, 2.5} {
		values := descending(100_000, func() float64 { return math.Pow(1-random.Float64(), -1/alpha) })
		require.InEpsilon(t, alpha, stats.TailIndex(values, 4000), 0.1)
	}
	require.Greater(t, stats.TailIndex(descending(100_000, random.ExpFloat64), 2000), 3.0)
	same := []stats.Weighted{{Value: 3, N: 10}}
	require.True(t, math.IsInf(stats.TailIndex(same, 5), 1))
	require.True(t, math.IsNaN(stats.TailIndex(same, 10)))
}

func TestSkewness(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	require.InEpsilon(t, 2, stats.Skewness(descending(200_000, random.ExpFloat64)), 0.1)
	require.InDelta(t, 0, stats.Skewness(descending(200_000, random.NormFloat64)), 0.02)
	require.Zero(t, stats.Skewness([]stats.Weighted{{Value: 3, N: 10}}))
}
