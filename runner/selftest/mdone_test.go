package selftest

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWaitsHaveTheirKnownMean integrates the distribution of the wait in M/D/1:
// the mean is ρ/2(1-ρ) services by the formula of Pollaczek and Khinchine, and a
// customer does not wait with probability 1-ρ.
func TestWaitsHaveTheirKnownMean(t *testing.T) {
	for _, load := range []float64{0.5, 0.8, 0.95} {
		n := numberInSystem(load)
		require.InDelta(t, 1-load, waitAtMost(n, load, 0), 1e-9)
		sum, step := 0.0, 0.01
		for x := step / 2; x < float64(len(n)-2); x += step {
			sum += step * (1 - waitAtMost(n, load, x))
		}
		require.InEpsilon(t, load/2/(1-load), sum, 1e-3)
		require.InDelta(t, 0.99, waitAtMost(n, load, waitQuantile(0.99, load)), 1e-6)
	}
}
