package limb

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestIntervals compares each operation on small intervals with its effect on all
// numbers of them: the result holds every one, and its ends are reached.
func TestIntervals(t *testing.T) {
	const most = 5
	exact := func(name string, got interval, values []int64) {
		t.Helper()
		lo, hi := values[0], values[0]
		for _, v := range values {
			lo, hi = min(lo, v), max(hi, v)
		}
		require.Equal(t, [2]int64{lo, hi}, [2]int64{got.lo.Int64(), got.hi.Int64()}, name)
	}
	each := func(f func(lo, hi int64)) {
		for lo := int64(-most); lo <= most; lo++ {
			for hi := lo; hi <= most; hi++ {
				f(lo, hi)
			}
		}
	}
	each(func(a, b int64) {
		x := newInterval(a, b)
		var shifted, halves, sizes, threefold []int64
		for v := a; v <= b; v++ {
			shifted, halves, threefold = append(shifted, v<<3), append(halves, v>>1), append(threefold, -3*v)
			sizes = append(sizes, max(v, -v))
		}
		exact("shiftLeft", x.shiftLeft(3), shifted)
		exact("shiftRight", x.shiftRight(1), halves)
		exact("times", x.times(-3), threefold)
		largest := x.size().Int64()
		require.Equal(t, slices.Max(sizes), largest)
		exact("symmetric", x.symmetric(2), []int64{-4 * largest, 4 * largest})
		if low := x.low(2); a>>2 == b>>2 {
			exact("low", low, []int64{a & 3, b & 3})
		} else {
			exact("low", low, []int64{0, 3})
		}
		each(func(c, d int64) {
			y := newInterval(c, d)
			var sums, products []int64
			for v := a; v <= b; v++ {
				for w := c; w <= d; w++ {
					sums, products = append(sums, v+w), append(products, v*w)
				}
			}
			exact("add", x.add(y), sums)
			exact("mul", x.mul(y), products)
			exact("union", x.union(y), []int64{a, b, c, d})
			require.Equal(t, a == c && b == d, x.equal(y))
			require.Equal(t, a <= c && d <= b, x.contains(y))
			require.True(t, x.equal(newInterval(a, b)), "the operand is as before")
		})
	})
}

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

// TestSettingsAreBounded takes the numbers next to each end of what is allowed.
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
