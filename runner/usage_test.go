package runner

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestSpreadOfTheRuntime: a histogram with five values, one of them without a bound.
func TestSpreadOfTheRuntime(t *testing.T) {
	s := spread{counts: []uint64{1, 0, 3, 1}, bounds: []float64{0, 1e-6, 2e-6, 4e-6, math.Inf(1)}}
	require.EqualValues(t, 5, s.count())
	require.Equal(t, time.Microsecond, s.quantile(0.2))
	require.Equal(t, 4*time.Microsecond, s.quantile(0.21))
	require.Equal(t, 4*time.Microsecond, s.quantile(1), "the last bucket has no upper bound")
	require.Equal(t, 17*time.Microsecond, s.total())
	require.Zero(t, spread{}.count())
	require.Zero(t, spread{}.quantile(0.5))
}
