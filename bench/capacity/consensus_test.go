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
	s := toySettings()
	s.Rate, s.Peak, s.Consensus = 1, 40, 4
	p := toyPlan(t, s, "-kind=fast")
	role := p.Choices[0].first()
	require.Equal(t, role.finality(s), p.Finality)
	before := 0.0
	for _, n := range nightly.Pick([]int{4}, []int{4, 16}, []int{4, 7, 16}) {
		s.Peak, s.Consensus = 40, n
		f := role.finality(s)
		require.InEpsilon(t, s.Peak, f.Blocks*f.Requests, 0.02)
		require.Less(t, f.Requests, float64(blockMost))
		messages := f.Blocks * (blockTime + votesTime*float64(n-1))
		require.True(t, messages < f.Busy && f.Busy < messages+s.Peak*0.001, "1 ms each alone: %v", f.Busy)
		require.Greater(t, f.Wait.P50, commitTime+votesTime*float64(n-4))
		require.Greater(t, f.Wait.P50, before)
		require.Less(t, f.Wait.P99, 2*(f.Wait.P50+blockPause))
		before = f.Wait.P50
		s.Peak = f.Most
		p.Finality = role.finality(s)
		require.Nil(t, p.Finality.Wait)
		var b bytes.Buffer
		require.NoError(t, p.Text(&b, 0))
		require.Contains(t, b.String(), "validators: blocks have at most ")
	}
}
