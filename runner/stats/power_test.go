package stats_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/stats"
)

func TestPowerLawNeedsThreePoints(t *testing.T) {
	for _, c := range [][2][]float64{
		{nil, nil}, {{1, 2}, {1, 2}}, {{1, 2, 3}, {1, 2}}, {{2, 2, 2}, {1, 1, 2}},
	} {
		_, err := stats.FitPower(c[0], c[1])
		require.ErrorIs(t, err, stats.ErrPower)
	}
}

// TestPowerLawOfManyPoints: a point that is not a number is refused at every place.
func TestPowerLawOfManyPoints(t *testing.T) {
	var xs, ys []float64
	for i := range 12 {
		xs, ys = append(xs, math.Exp2(float64(i))), append(ys, 3*math.Exp2(2*float64(i)))
	}
	for i := range xs {
		for _, wrong := range []float64{0, -1, math.NaN(), math.Inf(1)} {
			for _, list := range [][]float64{xs, ys} {
				right := list[i]
				list[i] = wrong
				_, err := stats.FitPower(xs, ys)
				require.ErrorIs(t, err, stats.ErrPower)
				list[i] = right
			}
		}
	}
}

// TestLine: the slope of weighted points, and the sum of squares that it explains.
func TestLine(t *testing.T) {
	var l stats.Line
	for x, y := range []float64{1, 3, 5} {
		l.Add(float64(x), y, 1)
	}
	l.Add(2, 5, 1) // the last point twice
	slope, explained := l.Fit()
	require.InDelta(t, 2, slope, 1e-12)
	require.InDelta(t, 11, explained, 1e-9) // of the mean 3.5: 6.25 + 0.25 + 2.25 + 2.25
	var twice stats.Line
	twice.Add(0, 1, 1)
	twice.Add(1, 3, 1)
	twice.Add(2, 5, 2)
	again, same := twice.Fit()
	require.InDelta(t, slope, again, 1e-12)
	require.InDelta(t, explained, same, 1e-9)
	var point stats.Line
	point.Add(7, 1, 1)
	point.Add(7, 2, 1)
	slope, explained = point.Fit()
	require.Zero(t, slope)
	require.Zero(t, explained)
}
