package gate

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestUnitsAndCountsAreNoted: a percentile that HEAD lacks is no missing
// benchmark, and one more allocation among a thousand is said.
func TestUnitsAndCountsAreNoted(t *testing.T) {
	base := data(t, "", map[string][]float64{wallTime: around(1, 1), "p99-sec/op": around(2, 1), "allocs/op": repeat(1000, 10)})
	head := data(t, "", map[string][]float64{wallTime: around(1, 1), "allocs/op": repeat(1001, 10)})
	r := (&Judge{Once: true}).Look(base, head)
	require.Equal(t, Pass, r.Outcome())
	require.Empty(t, r.Missing)
	require.Contains(t, r.Notes, "HEAD has no p99-sec/op of X")
	require.Contains(t, r.Notes, "allocs/op of X: 1000 in every result of BASE, 1001 in every one of HEAD, a change below the tolerance of 1 %")
	require.False(t, r.OnlyUndecided())

	noisy := data(t, "", map[string][]float64{wallTime: {1, 9, 2, 8, 3, 7, 4, 6}})
	require.True(t, (&Judge{Once: true}).Look(noisy, noisy).OnlyUndecided())
	missing := (&Judge{Once: true}).Look(noisy, noisy)
	missing.Missing = []Cell{{}}
	require.False(t, missing.OnlyUndecided())
}
