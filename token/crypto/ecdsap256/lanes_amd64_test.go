//go:build !purego

package ecdsap256

import (
	"math/big"
	"sync"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/secp256r1/fr"
	"github.com/stretchr/testify/require"
)

// needLanes skips a test of the vector kernels on processors without them.
func needLanes(t *testing.T) {
	t.Helper()
	if !hasLanes {
		t.Skip("the processor has no AVX-512 IFMA")
	}
}

// TestHonestSignaturesStayInLanes: only exceptions are left to crypto/ecdsa.
func TestHonestSignaturesStayInLanes(t *testing.T) {
	needLanes(t)
	g := newSource(7)
	var list []Signature
	for range 20 {
		list = append(list, g.signature(g.key()))
	}
	for length := range lanes + 2 {
		verdicts := make([]bool, length)
		for i, decided := range newKeys(0).inLanes(list[:length], verdicts) {
			require.True(t, decided && verdicts[i], "signature %d of %d", i, length)
		}
	}
	s, former := new(scratch), pool.New
	pool = sync.Pool{New: func() any { return s }}
	defer func() { pool = sync.Pool{New: former} }()
	k, verdicts := newKeys(len(list)), make([]bool, len(list))
	for range often + 1 {
		for i, decided := range k.inLanes(list, verdicts) {
			require.True(t, decided && verdicts[i])
			verdicts[i] = false
		}
	}
	require.Len(t, k.tables, len(list))
	require.NotZero(t, s.refs)
	require.Zero(t, s.tables, "memory for others keeps tables of forgotten keys")
}

// TestNumbersLeaveLanes: a number below 2p leaves a lane modulo p.
func TestNumbersLeaveLanes(t *testing.T) {
	twice := new(big.Int).Lsh(field, 1)
	g := newSource(8)
	for _, v := range []*big.Int{
		new(big.Int), big.NewInt(1), field, new(big.Int).Sub(field, big.NewInt(1)),
		new(big.Int).Add(field, big.NewInt(1)),
		new(big.Int).Sub(twice, big.NewInt(1)), new(big.Int).Lsh(big.NewInt(1), 256),
		new(big.Int).Mod(new(big.Int).SetBytes(g.bytes(33)), twice),
	} {
		block := make([]uint64, blockWords)
		for l := range limbs {
			block[l*lanes+3] = new(big.Int).Rsh(v, uint(l*limbBits)).Uint64() | 5<<limbBits
			if l == limbs-1 {
				block[l*lanes+3] = new(big.Int).Rsh(v, uint(l*limbBits)).Uint64()
			}
		}
		e := fromLane(block, 3)
		require.Zero(t, new(big.Int).Mod(v, field).Cmp(intOf(e[:])), "%x", v)
	}
}

// TestInverses: u·(1/u) = 1 modulo n and p, of random and short numbers of both signs.
func TestInverses(t *testing.T) {
	g := newSource(10)
	for _, modulus := range []*big.Int{n, field} {
		m := wordsOf(modulus)
		check := func(u *big.Int) {
			if u.Mod(u, modulus).Sign() > 0 {
				require.Equal(t, wordsOf(new(big.Int).ModInverse(u, modulus)), wordsOf(u).inverse(&m), "%x",
					u)
			}
		}
		for range 10_000 {
			check(g.number())
		}
		for shift := range uint(256) {
			for d := range int64(5) {
				u := new(big.Int).Add(new(big.Int).Lsh(big.NewInt(1), shift), big.NewInt(d-2))
				check(new(big.Int).Sub(modulus, u))
				check(new(big.Int).Div(modulus, u.Abs(u).Add(u, big.NewInt(1))))
				check(u)
			}
		}
	}
}

// TestHalves: a = ±b·u modulo n for odd a and b of half the length, which random
// numbers have.
func TestHalves(t *testing.T) {
	number := func(w wide) *big.Int { return intOf(w[:]) }
	halved := func(u *big.Int) bool {
		var e fr.Element
		a, b, negative, ok := halve(e.SetBigInt(u))
		if !ok {
			return false
		}
		for _, v := range []wide{a, b} {
			require.LessOrEqual(t, number(v).BitLen(), halfBits)
			require.EqualValues(t, 1, v[0]&1)
		}
		product := new(big.Int).Mul(number(b), u)
		if negative {
			product.Neg(product)
		}
		require.Equal(t, number(a).String(), product.Mod(product, n).String(), "%x", u)
		return true
	}
	g := newSource(9)
	for range 10_000 {
		require.True(t, halved(g.number()))
	}
	one := big.NewInt(1)
	for shift := range uint(256) { // of both signs, some without halves
		for _, d := range []int64{-1, 0, 1} {
			u := new(big.Int).Add(new(big.Int).Lsh(one, shift), big.NewInt(d))
			inverse := new(big.Int).ModInverse(u, n)
			for _, v := range []*big.Int{u, new(big.Int).Sub(n, u), inverse,
				new(big.Int).Div(n, new(big.Int).Add(u, one))} {
				if v != nil && v.Sign() > 0 && v.Cmp(n) < 0 {
					halved(v)
				}
			}
		}
	}
	require.True(t, halved(one))
	require.True(t, halved(new(big.Int).Sub(n, one)))
	require.False(t, halved(big.NewInt(2)))
}
