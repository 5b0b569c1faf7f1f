package require

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/stats"
)

// TestNeedsOfAFigure: the interval must shrink to the distance from the limit, for which
// the window grows by the square. Longer windows than 1000 times are no advice.
func TestNeedsOfAFigure(t *testing.T) {
	for _, c := range []struct{ value, low, high, needs float64 }{
		{9, 7, 11, 4}, {11, 9, 13, 4}, {8, 4, 12, 4}, {9, 8, 10, 0}, {9.9, 7.9, 11.9, 400},
		{9.99, 9.69, 10.29, 900}, {9.99, 9.59, 10.39, 0},
	} {
		check := &Check{Requirement: Requirement{Below: true, Limit: 10}, Value: c.value, Verdict: Undecided}
		check.within(stats.Interval{Low: c.low, High: c.high})
		require.InDelta(t, c.needs, check.Needs, 1, "%+v", c)
	}
	for factor, want := range map[float64]float64{0.5: 0, 1: 0, 1.1: 2, 2: 2, 999.5: 1000, 1000: 1000,
		1000.5: 0} {
		check := &Check{}
		check.needs(factor)
		require.Equal(t, want, check.Needs, factor)
	}
}
