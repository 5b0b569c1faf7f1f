package gate // data and once are helpers of tests inside the package

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestUnitsAndCountsAreNoted: a unit that HEAD lacks never passes, a new one is named, and
// so is one more allocation among a thousand.
func TestUnitsAndCountsAreNoted(t *testing.T) {
	base := data(t, "",
		samples{wallTime: around(1, 1), "p99-ms": around(2, 1), "allocs/op": repeat(1000, 10),
			"B/op": repeat(1000.5, 10)})
	head := data(t, "",
		samples{wallTime: around(1, 1), "p99-ns": around(2, 1), "allocs/op": repeat(1001, 10),
			"B/op": repeat(1001.5, 10)})
	r := (&Judge{Once: true}).Look(base, head)
	require.Equal(t, Unclear, r.Outcome())
	require.Equal(t, []Cell{{X, "p99-ms"}}, r.Missing)
	require.Equal(t, []Cell{{X, "p99-ns"}}, r.New)
	require.Equal(t,
		[]string{
			"p.X p99-ms may be p99-ns in another scale: write the old unit, or compare with a base that " +
				"has the new one",
		}, r.Renamed)
	require.Contains(t, r.Notes,
		"allocs/op of X: 1000 in every result of BASE, 1001 in every one of HEAD, a change below the "+
			"tolerance of 1 %")
	require.NotContains(t, strings.Join(r.Notes, "\n"), "B/op", "an average")
	var kept strings.Builder
	require.NoError(t, r.WriteJSON(&kept))
	require.Contains(t, kept.String(), `"renamed"`)

	noisy := oneCase(wallTime, []float64{1, 9, 2, 8, 3, 7, 4, 6})
	r = once(noisy, noisy)
	require.Equal(t, Unclear, r.Outcome())
	require.Contains(t, r.Notes,
		"1 comparison without a verdict; a regression above 100 % is excluded, the least certain is p.X "+
			"sec/op")
	few := oneCase(wallTime, []float64{1, 9})
	r = once(few, few)
	require.Equal(t, Unclear, r.Outcome())
	require.Contains(t, r.Notes,
		"1 comparison without a verdict; too few results to exclude any regression of p.X sec/op")
}

// TestFoldOfFewResults: few results of seconds have no verdict, and yet differ by much.
func TestFoldOfFewResults(t *testing.T) {
	for want, seconds := range map[string][2]float64{
		"each result of HEAD is at least 6-fold each of BASE":   {1, 6},
		"each result of BASE is at least 130-fold each of HEAD": {130, 1},
	} {
		t.Run(want, func(t *testing.T) {
			r := once(oneCase(wallTime, seconds[:1]), oneCase(wallTime, seconds[1:]))
			var b strings.Builder
			require.NoError(t, r.WriteText(&b, false))
			require.Contains(t, strings.Join(strings.Fields(b.String()), " "), want)
			require.Equal(t, Unclear, r.Outcome())
		})
	}
}
