// Code generated from bn254/pairing_test.go by bls12381/generate. DO NOT EDIT.

package bls12381 // affine is private: no method writes a compressed point of the second group

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// TestPairingIsBilinear: e(15·P, g₂)·e(-3·P, 5·g₂) = 1, and with other factors
// it is not, any number of times: prepared points do not change.
func TestPairingIsBilinear(t *testing.T) {
	g := newForTest()
	one, err := g.DecodePointG2(g.GeneratorG2())
	require.NoError(t, err)
	five, err := g.DecodePointG2(g.CombineG2(one, g.Uint64(7), one, g.Uint64(2)))
	require.NoError(t, err)
	times := func(k uint64) group.Point { return group.MulPoint(g, g.Generator(), g.Uint64(k)) }
	minus := group.MulPoint(g, g.Generator(), g.Neg(g.Uint64(3)))
	for range 3 {
		require.True(t, g.PairingIsOne([]group.Point{times(15), minus}, []*PointG2{one, five}))
		require.False(t, g.PairingIsOne([]group.Point{times(14), minus}, []*PointG2{one, five}))
		require.False(t, g.PairingIsOne([]group.Point{times(15), minus}, []*PointG2{five, one}))
		require.False(t, g.PairingIsOne([]group.Point{times(15)}, []*PointG2{one}))
	}
	require.True(t, g.PairingIsOne([]group.Point{{}, {}}, []*PointG2{one, five}))
}

func TestPointsOfTheSecondGroup(t *testing.T) {
	g := newForTest()
	raw := g.GeneratorG2()
	q, err := g.DecodePointG2(raw)
	require.NoError(t, err)
	require.Equal(t, raw, q.Raw())
	compressed := q.affine.Bytes()
	again, err := g.DecodePointG2(compressed[:])
	require.NoError(t, err)
	require.Equal(t, raw, again.Raw())
	changed := append([]byte(nil), raw...)
	changed[len(raw)-1] ^= 1
	for want, b := range map[error][]byte{
		group.ErrLength:        raw[:len(raw)-1],
		group.ErrNotInSubgroup: changed,
		group.ErrIdentity:      g.CombineG2(q, g.Uint64(1), q, g.Uint64(1)),
	} {
		_, err := g.DecodePointG2(b)
		require.ErrorIs(t, err, want)
	}
	for i := range len(raw) { // one encoding
		changed := append([]byte(nil), raw...)
		changed[i] ^= 0x80
		_, err := g.DecodePointG2(changed)
		require.Error(t, err, i)
	}
}
