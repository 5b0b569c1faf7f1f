package capacity // blockTime and votesTime are private constants of the model

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
)

// TestFinality: blocks take all requests, a request waits for a whole agreement, more validators
// take longer, and there is no time for more requests than blocks can have.
func TestFinality(t *testing.T) {
	before := 0.0
	for _, n := range nightly.Pick([]int{4}, []int{4, 16}, []int{4, 7, 16}) {
		s := toySettings()
		s.Rate, s.Peak, s.Consensus = 1, 40, n
		f := toyPlan(t, s, "-kind=fast").Finality
		require.InEpsilon(t, s.Peak, f.Blocks*f.Requests, 0.02)
		require.Less(t, f.Requests, float64(blockMost))
		messages := f.Blocks * (blockTime + votesTime*float64(n-1))
		require.True(t, messages < f.Busy && f.Busy < messages+s.Peak*0.001, "1 ms each alone: %v", f.Busy)
		require.Greater(t, f.Wait.P50, commitTime+votesTime*float64(n-4))
		require.Greater(t, f.Wait.P50, before)
		require.Less(t, f.Wait.P99, 2*(f.Wait.P50+blockPause))
		before = f.Wait.P50
		s.Peak = f.Most
		p := toyPlan(t, s, "-kind=fast")
		require.Nil(t, p.Finality.Wait)
		var b bytes.Buffer
		require.NoError(t, p.Text(&b, 0))
		require.Contains(t, b.String(), "validators: blocks have at most ")
	}
	require.Nil(t, toyPlan(t, toySettings(), "-kind=fast").Finality)
}
