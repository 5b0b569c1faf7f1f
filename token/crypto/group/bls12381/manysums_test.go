// Code generated from bn254/manysums_test.go by bls12381/generate. DO NOT EDIT.

package bls12381

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// TestManySumsOfShortScalars computes sums of different lengths with even and odd
// scalars that are not split, enough for the ladder, on both kernels.
func TestManySumsOfShortScalars(t *testing.T) {
	native := newForTest()
	p, q := native.HashToPoint([]byte("p")), native.HashToPoint([]byte("q"))
	rows, want := make([]group.Terms, ladderFrom+9), make([]group.Point, ladderFrom+9)
	for r := range rows {
		s := native.Uint64(uint64(r) + 2)
		rows[r] = group.Terms{Points: []group.Point{p, q}[:1+r%2],
			Scalars: []group.Scalar{s, native.Neg(s)}[:1+r%2]}
		for i, p := range rows[r].Points {
			want[r] = native.AddPoints(want[r], group.MulPoint(native, p, rows[r].Scalars[i]))
		}
	}
	for name, g := range map[string]*Group{"native": native, "portable": native.Portable()} {
		got := make([]group.Point, len(rows))
		g.MSMs(got, rows)
		for r := range rows {
			require.True(t, g.Equal(want[r], got[r]), "%s: sum %d", name, r)
		}
	}
}
