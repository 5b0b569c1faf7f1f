// Code generated from bn254/glv_test.go by bls12381/generate. DO NOT EDIT.

package bls12381 // addTerm is private: a sum does not show how many halves its scalars have

import (
	"math/big"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/stretchr/testify/require"
)

// power2 is 2^bit.
func power2(bit uint) *big.Int { return new(big.Int).Lsh(big.NewInt(1), bit) }

// TestHalvesOfTerms: short scalars of both signs are one half, other ones two, and 0 is
// none. The halves add up to the scalar.
func TestHalvesOfTerms(t *testing.T) {
	q, most := fr.Modulus(), power2(halfBits)
	for _, c := range []struct {
		k      *big.Int
		halves int
	}{
		{new(big.Int), 0},
		{big.NewInt(1), 1},
		{new(big.Int).Sub(q, big.NewInt(1)), 1},
		{new(big.Int).Sub(most, big.NewInt(1)), 1},
		{most, 2},
		{new(big.Int).Sub(q, most), 2},
		{new(big.Int).Sub(new(big.Int).Add(q, big.NewInt(1)), most), 1},
		{new(big.Int).Rsh(q, 1), 2},
		{new(big.Int).Lsh(lambdaInt(), 1), 2},
	} {
		ws := newForTest().take()
		ws.addTerm(7, toLimbs(c.k))
		require.Len(t, ws.halves, c.halves, "%x", c.k)
		sum := new(big.Int)
		for _, h := range ws.halves {
			require.EqualValues(t, 7, h.base)
			require.True(t, isShort(&h.k))
			v := toInt(h.k)
			if h.minus == 1 {
				v.Neg(v)
			}
			if h.endo {
				v.Mul(v, lambdaInt())
			}
			sum.Add(sum, v)
		}
		require.Zero(t, sum.Sub(sum, c.k).Mod(sum, q).Sign(), "%x", c.k)
		ws.put()
	}
}
