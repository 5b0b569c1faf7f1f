package runner

import (
	"testing"
	"time"

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

// TestLeastWindowOfAPrecision: a tenth of the duration, or the least window if the tenth
// is shorter or the duration is 0.
func TestLeastWindowOfAPrecision(t *testing.T) {
	for duration, want := range map[time.Duration]time.Duration{
		0: minPreciseWindow, time.Second: time.Second / 10, 10 * minPreciseWindow: minPreciseWindow,
		time.Hour: minPreciseWindow,
	} {
		require.Equal(t, want, (&looker{c: Config{Duration: duration}}).least())
	}
}
