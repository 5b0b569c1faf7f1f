//go:build !purego

//lint:file-ignore SA1019 Multiples and keys of the tests are computed from coordinates.

package ecdsap256 // inLanes and lookUp are private: crypto/ecdsa decides what they leave

import (
	"encoding/binary"
	"math/big"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/secp256r1/fr"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
)

// TestOneOfAListIsLeft: a signature that the lanes do not decide, in any place of a list of
// up to half of them, does not keep them from deciding the others.
func TestOneOfAListIsLeft(t *testing.T) {
	needLanes(t)
	g := newSource(26)
	left := g.wrapped(n)
	require.True(t, left.verify())
	for length := 1; length <= lanes/2; length++ {
		for place := range length {
			list, want := make([]Signature, length), make([]bool, length)
			for i := range list {
				if want[i] = i != place; want[i] {
					list[i] = g.signature(g.key())
				}
			}
			list[place] = left
			verdicts := make([]bool, length)
			require.Equal(t, want, newKeys(0).inLanes(list, verdicts), "place %d of %d", place, length)
			require.Equal(t, want, verdicts)
		}
	}
}

// TestHalves: a = ±b·u for odd numbers a and b of few bits. Inverses take the same steps.
func TestHalves(t *testing.T) {
	g := newSource(32)
	integer := func(w wide) *big.Int {
		var b [fr.Bytes]byte
		for i, word := range w {
			binary.BigEndian.PutUint64(b[8*(len(w)-1-i):], word)
		}
		return number(b[:])
	}
	for range nightly.Pick(10_000, 40_000, 1_000_000) {
		u := g.numberAtEdge()
		inverse := integer(wordsOf(u).inverse(&order))
		require.Equal(t, new(big.Int).ModInverse(u, n), inverse)
		a, b, negative, ok := halve(new(fr.Element).SetBigInt(u))
		if !ok {
			continue
		}
		x, y := integer(a), integer(b)
		require.Equal(t, uint(1), x.Bit(0)&y.Bit(0), "%x", u)
		require.LessOrEqual(t, max(x.BitLen(), y.BitLen()), halfBits, "%x", u)
		if y.Mul(y, u); negative {
			y.Neg(y)
		}
		require.Zero(t, y.Sub(y, x).Mod(y, n).Sign(), "%x", u)
	}
}

// TestNewHasLanes: a Verifier uses lanes and keeps keys wherever the processor has the instructions.
func TestNewHasLanes(t *testing.T) {
	require.Nil(t, Portable().keys)
	needLanes(t)
	v, g := New(3), newSource(33)
	require.Equal(t, 3, v.keys.most)
	require.Equal(t, []bool{true}, v.Verify([]Signature{g.signature(g.key())}))
	require.EqualValues(t, 1, v.keys.now)
}

// TestTablesOfEarlierSignatures: a key that signs often in one list has a table for all of
// its signatures there. A key off the curve is left out.
func TestTablesOfEarlierSignatures(t *testing.T) {
	needLanes(t)
	k, g := newKeys(4), newSource(31)
	key, other := g.key(), g.key()
	var claims []claim
	for range often {
		s := g.signature(key)
		c, ok := claimOf(&s)
		require.True(t, ok)
		claims = append(claims, c)
	}
	s := g.signature(other)
	c, ok := claimOf(&s)
	require.True(t, ok)
	off := c
	off.y.SetOne()
	off.once = true
	valid := k.lookUp(append([]claim{off}, append(claims, c)...), new(scratch))
	require.Len(t, valid, often+1)
	for _, c := range valid[:often] {
		require.NotEmpty(t, c.table)
	}
	require.Empty(t, valid[often].table)
}
