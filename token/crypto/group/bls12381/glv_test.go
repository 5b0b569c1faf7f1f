// Code generated from bn254/glv_test.go by bls12381/generate. DO NOT EDIT.

package bls12381 // addTerm is private: a sum does not show how many halves its scalars have

import (
	"math/big"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/stretchr/testify/require"
)

// TestHalvesOfTerms: a number of few bits or its opposite is one half, another one two, and 0 is
// none. The halves add up to the scalar.
func TestHalvesOfTerms(t *testing.T) {
	q := fr.Modulus()
	for _, s := range newForTest().scalarsForTest(1600) {
		k := toInt(element(&s).Bits())
		halves := 2
		switch shortest := min(k.BitLen(), new(big.Int).Sub(q, k).BitLen()); {
		case shortest == 0:
			halves = 0
		case shortest <= halfBits:
			halves = 1
		}
		ws := newForTest().take()
		ws.addTerm(7, element(&s).Bits())
		require.Len(t, ws.halves, halves, "%x", k)
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
		require.Zero(t, sum.Sub(sum, k).Mod(sum, q).Sign(), "%x", k)
		ws.put()
	}
}
