package bn254 // negateIf and gather are private: no known sum reaches numbers of one word, or no entries

import (
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bn254/fp"
	"github.com/stretchr/testify/require"
)

func newForTest() *Group { return New() }

// TestNegation: the opposite of a number has p less each word, with borrows between them.
func TestNegation(t *testing.T) {
	for _, y := range []fp.Element{{1}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}, fp.One(), fp.NewElement(5)} {
		var z, want fp.Element
		negateIf(&z, &y, 0)
		require.Equal(t, y, z)
		negateIf(&z, &y, 1)
		require.Equal(t, *want.Neg(&y), z)
	}
}

// TestParameters: the curve has prime order, so all of its points are in the group.
func TestParameters(t *testing.T) {
	g := New()
	for _, p := range onTheCurve(t) {
		require.True(t, inSubgroup(&p))
	}
	ws := g.take()
	defer ws.put()
	for n := range 4 {
		require.Equal(t, n, ws.firstOutside(hashed(n)))
	}
}

// TestGatherNothing: no entries need not be there.
func TestGatherNothing(t *testing.T) {
	for _, vector := range []bool{true, false} {
		ws := newWorkspace(vector)
		ws.acc.cut(0, 0).gather(entries{}, nil)
		require.False(t, ws.acc.points.mayHaveIdentity())
	}
}
