package bn254

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// TestSumsWithoutSlopeAreComputedAgain computes sums over a table where points
// cancel, double, or are all zero.
func TestSumsWithoutSlopeAreComputedAgain(t *testing.T) {
	g := newForTest()
	ps := make([]group.Point, 12)
	for i := range ps {
		ps[i] = g.HashToPoint([]byte{byte(i)})
	}
	table := g.NewTable(ps, 0)
	one, two := g.Uint64(1), g.Uint64(2)
	row := func(s ...group.Scalar) group.Row { return group.Row{Index: make([]int32, len(s)), Scalars: s} }
	for name, c := range map[string]struct {
		row  group.Row
		want group.Scalar
	}{
		"doubled":   {row(one, one, one, one), g.Uint64(4)},
		"cancelled": {row(two, g.Neg(one), g.Neg(one)), group.Scalar{}},
		"zeros":     {row(make([]group.Scalar, 5)...), group.Scalar{}},
		"one":       {row(one, group.Scalar{}, two), g.Uint64(3)},
	} {
		var got [1]group.Point
		g.FixedMSM(got[:], table, []group.Row{c.row})
		require.True(t, g.Equal(group.MulPoint(g, ps[0], c.want), got[0]), name)
	}
	require.True(t,
		group.IsIdentity(group.Sum(g, append(append([]group.Point(nil), ps...), negated(g, ps)...))))
}

func negated(g *Group, ps []group.Point) (out []group.Point) {
	for _, p := range ps {
		out = append(out, g.SubPoints(group.Point{}, p))
	}
	return out
}

// TestExceptionsInBatches computes long sums over a table in which a point comes again, or
// its negative, so that points are doubled or cancel in batches or in the chains after them.
func TestExceptionsInBatches(t *testing.T) {
	native := newForTest()
	const n = 160
	for _, distance := range []int{1, 2, 7, 16, 39, 80} {
		ps, rows := make([]group.Point, n), make([]group.Row, 1)
		s := native.Inv(native.Uint64(uint64(distance) + 2))
		want := group.Point{}
		for i := range ps {
			switch {
			case i < distance:
				ps[i] = native.HashToPoint([]byte{byte(i)})
			case i%3 == 0:
				ps[i] = ps[i-distance]
			default:
				ps[i] = native.SubPoints(group.Point{}, ps[i-distance])
			}
			rows[0].Scalars = append(rows[0].Scalars, s)
			want = native.AddPoints(want, ps[i])
		}
		want = group.MulPoint(native, want, s)
		for name, g := range map[string]*Group{"native": native, "portable": native.Portable()} {
			var got [1]group.Point
			g.FixedMSM(got[:], g.NewTable(ps, 1), rows)
			require.True(t, g.Equal(want, got[0]), "%s: distance %d", name, distance)
		}
	}
}
