package stats_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/stats"
)

// TestScalabilityLawIsRecovered: laws are found from exact points; TestTablesOfSamples has noisy ones.
func TestScalabilityLawIsRecovered(t *testing.T) {
	for _, want := range []stats.Scalability{
		{Lambda: 1000, Sigma: 0.05, Kappa: 0.001},
		{Lambda: 3e5, Sigma: 0.02, Kappa: 0.0005},
		{Lambda: 10, Sigma: 0.3},
		{Lambda: 10, Kappa: 0.01},
		{Lambda: 10},
	} {
		var points []stats.Point
		for _, n := range []float64{1, 2, 4, 8, 16, 32, 48} {
			points = append(points, stats.Point{Workers: n, Throughput: want.Throughput(n)})
		}
		exact, err := stats.FitUSL(points)
		require.NoError(t, err)
		require.InEpsilon(t, want.Lambda, exact.Lambda, 1e-6)
		require.InDelta(t, want.Sigma, exact.Sigma, 1e-6)
		require.InDelta(t, want.Kappa, exact.Kappa, 1e-8)
		if want.Kappa > 0 {
			require.InEpsilon(t, math.Sqrt((1-want.Sigma)/want.Kappa), exact.Peak, 1e-3)
		}
		if want.Kappa == 0 {
			amdahl, err := stats.FitAmdahl(points)
			require.NoError(t, err)
			require.InDelta(t, want.Sigma, amdahl.Sigma, 1e-9)
		}
	}
}

func TestSerialShareIsAShare(t *testing.T) {
	worse := []stats.Point{{Workers: 1, Throughput: 100}, {Workers: 2, Throughput: 60},
		{Workers: 4, Throughput: 35}, {Workers: 8, Throughput: 10}}
	f, err := stats.FitAmdahl(worse)
	require.NoError(t, err)
	require.Equal(t, 1.0, f.Sigma)
	require.LessOrEqual(t, f.Bounds.Sigma.High, 1.0)
	f, err = stats.FitUSL(worse)
	require.NoError(t, err)
	require.LessOrEqual(t, f.Sigma, 1.0)
	require.Positive(t, f.Kappa)
}

// TestFlattensExactly: the first change must be 1.1 times the second one, between parts of four values.
func TestFlattensExactly(t *testing.T) {
	for _, c := range []struct {
		levels [3]float64
		want   bool
	}{
		{[3]float64{10, 8, 7}, true}, {[3]float64{7, 9, 10}, true}, {[3]float64{10, 8, 9}, true},
		{[3]float64{10, 8, 6.2}, true}, {[3]float64{10, 8, 6.1}, false}, {[3]float64{10, 8, 11}, false},
		{[3]float64{10, 10, 9}, false}, {[3]float64{10, 10, 10}, false},
	} {
		var xs []float64
		for _, level := range c.levels {
			xs = append(xs, level, level, level, level)
		}
		require.Equal(t, c.want, stats.Flattens(xs, 4, 8), "%v", c.levels)
		require.False(t, stats.Flattens(xs, 3, 8) || stats.Flattens(xs, 4, 7) || stats.Flattens(xs, 4, 9))
	}
}
