package stats_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/stats"
)

// TestDifference compares with an example by hand: variances 1 and 1, and four degrees
// of freedom, with the quantile 2.776 at 97.5 %.
func TestDifference(t *testing.T) {
	d := stats.DifferenceOf([]float64{1, 2, 3}, []float64{4, 5, 6}, 0.95)
	wide := 2.7764451051977987 * math.Sqrt(2./3)
	require.InDelta(t, 3, d.Value, 1e-12)
	require.InDelta(t, 3-wide, d.Low, 1e-6)
	require.InDelta(t, 3+wide, d.High, 1e-6)
	require.InDelta(t, 0.0213116411, d.P, 1e-6, "of t = 3.674")
	require.Equal(t, 1., stats.DifferenceOf([]float64{1}, []float64{2}, 0.95).P)
	require.Zero(t, stats.DifferenceOf([]float64{1, 1}, []float64{2, 2}, 0.95).P)
	require.Equal(t, stats.Difference{P: 1}, stats.DifferenceOf([]float64{1, 1}, []float64{1, 1}, 0.95))
}

// TestUnequal: F = 3 with 2 and 6 degrees of freedom has the upper tail 1/8.
func TestUnequal(t *testing.T) {
	groups := [][]float64{{1, 2, 3}, {2, 3, 4}, {3, 4, 5}}
	require.InDelta(t, 0.125, stats.Unequal(groups), 1e-9)
	require.Equal(t, 1., stats.Unequal([][]float64{{1}, {2}}), "no scatter is known")
	require.Zero(t, stats.Unequal([][]float64{{1, 1}, {2, 2}}))
	require.Equal(t, 1., stats.Unequal([][]float64{{1, 1}, {1, 1}}))
	require.Equal(t, 1., stats.Unequal([][]float64{{1, 2, 3}}))
}

func TestGrouped(t *testing.T) {
	groups := stats.Grouped([]float64{1, math.E, math.E * math.E, 1}, []float64{2, 1, 2, 2})
	require.Equal(t, [][]float64{{1}, {0, 2, 0}}, groups)
	require.Equal(t, []float64{1, 0}, stats.Medians(groups))
}

// TestMeanDifference: t = 2√3 with two degrees of freedom.
func TestMeanDifference(t *testing.T) {
	d := stats.MeanDifference([]float64{1, 2, 3}, 0.95)
	require.InDelta(t, 2, d.Value, 1e-12)
	require.InDelta(t, 0.0742, d.P, 1e-4)
	require.InDelta(t, 2-4.3027/math.Sqrt(3), d.Low, 1e-4)
	require.InDelta(t, 2+4.3027/math.Sqrt(3), d.High, 1e-4)
	require.Zero(t, stats.MeanDifference([]float64{1, 1, 1}, 0.95).P)
	require.Equal(t, 1.0, stats.MeanDifference([]float64{0, 0, 0}, 0.95).P)
	mean, half := stats.MeanOf([]float64{1, 2, 3}, 0.95)
	require.InDelta(t, 2, mean, 1e-12)
	require.InDelta(t, 4.3027/math.Sqrt(3), half, 1e-4)
	one := stats.MeanDifference([]float64{1}, 0.95)
	require.Equal(t, 1.0, one.P)
	require.True(t, math.IsInf(one.Low, -1) && math.IsInf(one.High, 1))
}
