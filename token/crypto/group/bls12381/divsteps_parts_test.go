// Code generated from bn254/divsteps_parts_test.go by bls12381/generate. DO NOT EDIT.

package bls12381 // apply and applyModP are private: no known inversion reaches their bounds

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
	"github.com/stretchr/testify/require"
)

// value returns the integer in the first n limbs.
func (x *signedLimbs) value(n int) *big.Int {
	v := new(big.Int)
	for i := n - 1; i >= 0; i-- {
		v.Lsh(v, jumpBits).Add(v, big.NewInt(x[i]))
	}
	return v
}

// edgeWord returns a small number, one near a power of 2, or a random one.
func edgeWord(rnd *rand.Rand) uint64 {
	switch rnd.IntN(4) {
	case 0:
		return uint64(rnd.IntN(5))
	case 1:
		return 1<<rnd.IntN(64) + uint64(rnd.IntN(5)) - 2
	}
	return rnd.Uint64()
}

// limbsForTest returns an integer of either sign in n limbs.
func limbsForTest(rnd *rand.Rand, n int) (x signedLimbs) {
	for i := range n {
		x[i] = int64(edgeWord(rnd) & jumpMask)
	}
	x[n-1] = int64(edgeWord(rnd)) >> 2
	return x
}

// rowForTest returns a row with absolute values that add up to 2^jumpBits at most.
func rowForTest(rnd *rand.Rand) jumpRow {
	r := jumpRow{int64(edgeWord(rnd)) >> 3, int64(edgeWord(rnd)) >> 3}
	if rnd.IntN(8) == 0 {
		r = jumpRow{1 << jumpBits, 0}
	}
	return r
}

// TestRowsOfJumps: z = ⌊(a·x + b·y)/2^jumpBits⌋, of exact divisions and others, for each
// number of limbs. The limbs that are not computed stay.
func TestRowsOfJumps(t *testing.T) {
	rnd := rand.New(rand.NewPCG(31, 32))
	check := func(r jumpRow, x, y signedLimbs, n int) {
		want := new(big.Int).Mul(big.NewInt(r.a), x.value(n))
		want.Add(want, new(big.Int).Mul(big.NewInt(r.b), y.value(n)))
		want.Rsh(want, jumpBits)
		const guard = 0x5eed
		var z signedLimbs
		for i := range z {
			z[i] = guard
		}
		r.apply(&z, &x, &y, n)
		require.Zero(t, want.Cmp(z.value(n)), "%v in %d limbs", r, n)
		for i := range n - 1 {
			require.Zero(t, z[i]&^jumpMask)
		}
		for i := n; i < jumpLimbs; i++ {
			require.EqualValues(t, guard, z[i])
		}
	}
	for n := 2; n <= jumpLimbs; n++ {
		for range 2000 {
			check(rowForTest(rnd), limbsForTest(rnd, n), limbsForTest(rnd, n), n)
		}
		for _, r := range []jumpRow{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, -1}} {
			for x := int64(-2); x <= 2; x++ {
				var small signedLimbs
				small[0] = x & jumpMask
				for i := 1; i < n; i++ {
					small[i] = x >> jumpBits & jumpMask
				}
				small[n-1] = x >> jumpBits
				check(r, small, small, n)
				check(r, small, signedLimbs{}, n)
			}
		}
	}
}

// TestRowsOfJumpsModP: 2^jumpBits·z = a·x + b·y + k·p with |k| ≤ 2^(jumpBits-1).
func TestRowsOfJumpsModP(t *testing.T) {
	rnd := rand.New(rand.NewPCG(33, 34))
	p := fp.Modulus()
	most := new(big.Int).Lsh(p, jumpBits-1)
	for range 2000 {
		r := rowForTest(rnd)
		a, b := elementOfWords(limbsValue(rnd)), elementOfWords(limbsValue(rnd))
		x, y := limbsOf((*[fp.Limbs]uint64)(&a)), limbsOf((*[fp.Limbs]uint64)(&b))
		if rnd.IntN(2) == 0 {
			x = x.times(-1, 0)
		}
		var z signedLimbs
		r.applyModP(&z, &x, &y)
		sum := new(big.Int).Mul(big.NewInt(r.a), x.value(jumpLimbs))
		sum.Add(sum, new(big.Int).Mul(big.NewInt(r.b), y.value(jumpLimbs)))
		added := new(big.Int).Lsh(z.value(jumpLimbs), jumpBits)
		added.Sub(added, sum)
		require.LessOrEqual(t, added.CmpAbs(most), 0)
		require.Zero(t, added.Mod(added, p).Sign())
		for i := range jumpLimbs - 1 {
			require.Zero(t, z[i]&^jumpMask)
		}
	}
}

// limbsValue returns a positive number of full length.
func limbsValue(rnd *rand.Rand) *big.Int {
	v := new(big.Int)
	for range fp.Limbs {
		v.Lsh(v, 64).Add(v, new(big.Int).SetUint64(edgeWord(rnd)))
	}
	return v
}
