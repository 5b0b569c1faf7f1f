//go:build !purego

package ecdsap256

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestHonestSignaturesStayInLanes: only exceptions are left to crypto/ecdsa.
func TestHonestSignaturesStayInLanes(t *testing.T) {
	if !hasLanes {
		t.Skip("the processor has no AVX-512 IFMA")
	}
	g := newSource(7)
	var list []Signature
	for range 20 {
		list = append(list, g.signature(g.key()))
	}
	k, verdicts := newKeys(len(list)), make([]bool, len(list))
	for range often + 1 {
		for i, decided := range k.inLanes(list, verdicts) {
			require.True(t, decided && verdicts[i])
			verdicts[i] = false
		}
	}
	require.Len(t, k.tables, len(list))
}

// TestNumbersLeaveLanes: a number below 2p leaves a lane modulo p.
func TestNumbersLeaveLanes(t *testing.T) {
	twice := new(big.Int).Lsh(field, 1)
	g := newSource(8)
	for _, v := range []*big.Int{
		new(big.Int), big.NewInt(1), field, new(big.Int).Sub(field, big.NewInt(1)), new(big.Int).Add(field, big.NewInt(1)),
		new(big.Int).Sub(twice, big.NewInt(1)), new(big.Int).Lsh(big.NewInt(1), 256), new(big.Int).Mod(new(big.Int).SetBytes(g.bytes(33)), twice),
	} {
		block := make([]uint64, blockWords)
		for l := range limbs {
			block[l*lanes+3] = new(big.Int).Rsh(v, uint(l*limbBits)).Uint64() | 5<<limbBits
			if l == limbs-1 {
				block[l*lanes+3] = new(big.Int).Rsh(v, uint(l*limbBits)).Uint64()
			}
		}
		e := fromLane(block, 3)
		words := new(big.Int)
		for i := len(e) - 1; i >= 0; i-- {
			words.Lsh(words, 64).Add(words, new(big.Int).SetUint64(e[i]))
		}
		require.Equal(t, new(big.Int).Mod(v, field).String(), words.String())
	}
}
