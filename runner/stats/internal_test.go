package stats

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPercentiles: the values at 2.5 and 97.5 percent of a long list.
func TestPercentiles(t *testing.T) {
	xs := make([]float64, 40_000)
	for i := range xs {
		xs[i] = float64(len(xs) - 1 - i)
	}
	require.Equal(t, Interval{1000, 39_000}, percentileInterval(xs))
}

// TestBisection: the least p at which f has the value.
func TestBisection(t *testing.T) {
	steps := func(p float64) float64 { return float64(int(4 * p)) }
	for at, want := range []float64{0, 0.25, 0.5, 0.75} {
		require.InDelta(t, want, bisect(steps, float64(at)), 1e-15)
	}
}
