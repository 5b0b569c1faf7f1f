package bn254

import (
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bn254/fp"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

func newForTest() *Group { return onKernel(New()) }

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
	require.Equal(t, "BN254", g.Name())
	require.Equal(t, 1, g.ID())
	for _, p := range onTheCurve(t) {
		require.True(t, inSubgroup(&p))
	}
	ws := g.take()
	defer ws.put()
	for n := range 4 {
		require.Equal(t, n, ws.firstOutside(hashed(n)))
	}
}

// TestDecodePointsErrors requires the index and the error of the first encoding
// refused.
func TestDecodePointsErrors(t *testing.T) {
	g := newForTest()
	good := g.AppendPoint(nil, g.Generator())
	identity := g.AppendPoint(nil, group.Point{})
	short := good[1:]
	off := append([]byte(nil), good...)
	off[len(off)-1] ^= 1
	large := append([]byte(nil), good...)
	large[0] |= 0x80
	for what, v := range map[string]struct {
		bs   [][]byte
		n    int
		want error
	}{
		"none":             {nil, 0, nil},
		"points":           {[][]byte{good, identity, good}, 3, nil},
		"the first":        {[][]byte{short, good, good}, 0, group.ErrLength},
		"before points":    {[][]byte{good, off, good}, 1, group.ErrNotOnCurve},
		"the last":         {[][]byte{good, identity, large}, 2, group.ErrNotCanonical},
		"two, of a length": {[][]byte{good, short, off}, 1, group.ErrLength},
		"two, off curve":   {[][]byte{off, short, good}, 0, group.ErrNotOnCurve},
	} {
		n, err := g.DecodePoints(make([]group.Point, len(v.bs)), v.bs)
		require.Equal(t, v.n, n, what)
		require.Equal(t, v.want, err, what)
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
