package gate

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOneFunctionOfARegression: a list of one is in JSON, and an empty one is not.
func TestOneFunctionOfARegression(t *testing.T) {
	for n := range 3 {
		r := Report{Comparisons: []Comparison{{Key: X, Unit: wallTime,
			Grown: []Growth{{"p.f", 0.1}, {"p.g", 0.2}}[:n]}}}
		var b strings.Builder
		require.NoError(t, r.WriteJSON(&b))
		require.Equal(t, n > 0, strings.Contains(b.String(), "more_time_in"))
		require.Equal(t, n, strings.Count(b.String(), `"function": "p.`))
	}
}
