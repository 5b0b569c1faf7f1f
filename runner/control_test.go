package runner // summary is private: the times of control operations in a run are those of the machine

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/result"
)

// TestSummaryOfTheControl: the spread is of all times, and each late one counts.
func TestSummaryOfTheControl(t *testing.T) {
	require.Equal(t, result.Control{}, summary(nil))
	require.Equal(t, result.Control{}, summary([]float64{0, 0, 5}))
	c := summary([]float64{100, 100, 102, 98, 104, 96, 152, 150, 200, 97})
	require.Equal(t, 10, c.N)
	require.InDelta(t, 101, c.Median, 1e-9)                // 96 97 98 100 100 102 104 150 152 200
	require.InDelta(t, 1.4826*(3+4)/2/101, c.Spread, 1e-9) // 1 1 1 3 3 4 5 49 50 99
	require.InDelta(t, 0.2, c.Disturbed, 1e-9)             // 151.5 is the limit
}
