// Code generated from bn254/chains_test.go by bls12381/generate. DO NOT EDIT.

package bls12381

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// TestSumsWithoutSlopeAreComputedAgain computes sums over a table in which points
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
		require.True(t, g.Equal(g.MulPoint(ps[0], c.want), got[0]), name)
	}
	require.True(t, g.IsIdentity(g.Sum(append(append([]group.Point(nil), ps...), negated(g, ps)...))))
}

func negated(g *Group, ps []group.Point) (out []group.Point) {
	for _, p := range ps {
		out = append(out, g.SubPoints(group.Point{}, p))
	}
	return out
}
