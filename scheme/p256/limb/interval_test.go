package limb // bounds and ends are private: a verdict does not show the operands that it is about

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBoundsOfOperands has the lowest and the highest limbs of operands of 9×29, where
// the top limb begins at bit 232; a search takes the same ends.
func TestBoundsOfOperands(t *testing.T) {
	g, err := NewGeometry(p256, 29, 9)
	require.NoError(t, err)
	require.Equal(t, "9x29", g.Name())
	want := [2]interval{newInterval(-1<<28, 1<<28), newInterval(0, 1<<24)}
	s := Setting{Geometry: g, Passes: 1}
	for i, x := range s.bounds() {
		limb := want[i/8]
		require.True(t, x.equal(limb), "limb %d", i)
		lo, hi := (&searcher{Setting: s}).ends(i)
		if i < 8 {
			hi++ // the carry of the limb below
		}
		require.True(t, limb.equal(newInterval(lo, hi)), "ends of limb %d", i)
	}
}

// TestSettingsAreBounded takes the numbers next to each end of the allowed ranges.
func TestSettingsAreBounded(t *testing.T) {
	g, err := NewGeometry(p256, 29, 9)
	require.NoError(t, err)
	for _, c := range []struct {
		adds, passes int
		want         string
	}{
		{0, 1, ""}, {32, 1, ""}, {0, maxPasses, ""},
		{-1, 1, "-1 additions before a product: from 0 to 32 are allowed"},
		{33, 1, "33 additions before a product: from 0 to 32 are allowed"},
		{0, 0, "0 passes: from 1 to 4 are allowed"},
		{0, 5, "5 passes: from 1 to 4 are allowed"},
	} {
		err := Setting{Geometry: g, MaxAdds: c.adds, Passes: c.passes}.Validate()
		if c.want == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, c.want)
		}
	}
}
