package stats_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/stats"
)

// TestQuantileHasItsRank: ⌈q·n⌉, also where rounding lifts q·n above an integer.
func TestQuantileHasItsRank(t *testing.T) {
	var sorted []int
	for i := range 100 {
		sorted = append(sorted, i+1)
	}
	for q, want := range map[float64]int{0: 1, 0.001: 1, 0.01: 1, 0.011: 2, 0.5: 50, 0.501: 51, 0.99: 99,
		0.991: 100, 1: 100} {
		require.Equal(t, want, stats.Quantile(sorted, q), q)
	}
	require.Equal(t, 7, stats.Quantile([]int{7}, 0.5))
	require.Equal(t, 30, stats.Quantile([]int{10, 20, 30}, 0.9))
}
