// Code generated from bn254/glv_test.go by bls12381/generate. DO NOT EDIT.

package bls12381

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/stretchr/testify/require"
)

// limbsForGLV returns an integer below 2²⁵⁶.
func limbsForGLV(rnd *rand.Rand) (l limbs) {
	for i := range l {
		l[i] = edgeWord(rnd)
	}
	return l
}

// power2 is 2^bit.
func power2(bit uint) *big.Int { return new(big.Int).Lsh(big.NewInt(1), bit) }

// TestIntegersInWords compares with math/big.
func TestIntegersInWords(t *testing.T) {
	rnd := rand.New(rand.NewPCG(41, 42))
	number := func(u short) *big.Int { return toInt(limbs{u.low, u.high}) }
	for range 3000 {
		a, b := limbsForGLV(rnd), limbsForGLV(rnd)
		x, y := toInt(a), toInt(b)
		require.Equal(t, a, toLimbs(x))
		require.Equal(t, toLimbs(new(big.Int).Mod(new(big.Int).Neg(x), power2(256))), toLimbs(new(big.Int).Neg(x)))
		require.Equal(t, short{a[0], a[1]}, toShort(x))
		difference := subLimbs(&a, &b)
		want := new(big.Int).Sub(x, y)
		require.Zero(t, want.Mod(want, power2(256)).Cmp(toInt(difference)))

		u, v := short{a[0], a[1]}, short{b[0], b[1]}
		want.Add(number(u), number(v))
		require.Zero(t, want.Mod(want, power2(halfBits)).Cmp(number(u.plus(v))))
		want.Mul(number(u), number(v))
		require.Zero(t, want.Mod(want, power2(halfBits)).Cmp(number(u.times(v))))
	}
	for bit := range 256 {
		k := toLimbs(power2(uint(bit)))
		require.Equal(t, bit < halfBits, isShort(&k), "2^%d", bit)
	}
}

// TestQuotients: c = ⌊k·s/2²⁵⁶ + round/2⁶⁴⌋, where the sum may be less by 2⁻⁶².
func TestQuotients(t *testing.T) {
	rnd := rand.New(rand.NewPCG(43, 44))
	floor := func(k *limbs, s *big.Int, round uint64, less *big.Int) *big.Int {
		v := new(big.Int).Lsh(toInt(*k), scaleShift)
		v.Mul(v, s).Add(v, new(big.Int).Lsh(new(big.Int).SetUint64(round), 192))
		return v.Sub(v, less).Rsh(v, 256)
	}
	check := func(k limbs, s short, round uint64) {
		exact := toInt(limbs{s.low, s.high})
		c := scaled(&k, s, round)
		got := toInt(limbs{c.low, c.high})
		require.LessOrEqual(t, got.Cmp(floor(&k, exact, round, new(big.Int))), 0, "%x %x", k, s)
		require.GreaterOrEqual(t, got.Cmp(floor(&k, exact, round, power2(256-62))), 0, "%x %x", k, s)
	}
	for range 3000 {
		k := toLimbs(new(big.Int).Mod(toInt(limbsForGLV(rnd)), fr.Modulus()))
		s := limbsForGLV(rnd)
		check(k, short{s[0], s[1]}, uint64(rnd.IntN(2))<<63)
		check(k, glv.scale[rnd.IntN(2)], uint64(rnd.IntN(2))<<63)
	}
	q := fr.Modulus()
	for range 300 {
		b := toInt(limbs{edgeWord(rnd), edgeWord(rnd)})
		got := quotient(b, q)
		require.Equal(t, got, quotient(new(big.Int).Neg(b), q))
		// |s·q - 2ⁿ·b| ≤ q/2 modulo 2¹²⁸
		exact := new(big.Int).Lsh(b, uint(q.BitLen()))
		twice := new(big.Int).Add(new(big.Int).Lsh(exact, 1), q)
		rounded := twice.Div(twice, new(big.Int).Lsh(q, 1))
		require.Zero(t, rounded.Mod(rounded, power2(halfBits)).Cmp(toInt(limbs{got.low, got.high})))
	}
}

// TestLattice: the vectors are in the lattice and span it, and quotients of them are not
// negative.
func TestLattice(t *testing.T) {
	basis, q := basisOf(), fr.Modulus()
	for _, v := range basis {
		sum := new(big.Int).Mul(v[1], lambdaInt())
		require.Zero(t, sum.Add(sum, v[0]).Mod(sum, q).Sign())
	}
	det := new(big.Int).Mul(basis[0][0], basis[1][1])
	det.Sub(det, new(big.Int).Mul(basis[1][0], basis[0][1]))
	require.Zero(t, det.CmpAbs(q))
	require.GreaterOrEqual(t, basis[1][1].Sign()*det.Sign(), 0)
	require.LessOrEqual(t, basis[0][1].Sign()*det.Sign(), 0)
	for i := range basis {
		for j := range basis[i] {
			sum := toInt(limbs{glv.minus[i][j].low, glv.minus[i][j].high})
			sum.Add(sum, basis[i][j])
			require.Zero(t, sum.Mod(sum, power2(halfBits)).Sign())
		}
	}
}

// TestOddChoice: both halves are odd, for all parities of vectors with an odd determinant,
// and without one there is a panic.
func TestOddChoice(t *testing.T) {
	rnd := rand.New(rand.NewPCG(45, 46))
	for range 40 {
		for parities := range 16 {
			var basis [2][2]*big.Int
			for n := range 4 {
				v := big.NewInt(int64(rnd.Uint32())<<1 | int64(parities>>n&1))
				if rnd.IntN(2) == 0 {
					v.Neg(v)
				}
				basis[n>>1][n&1] = v
			}
			det := new(big.Int).Mul(basis[0][0], basis[1][1])
			det.Sub(det, new(big.Int).Mul(basis[1][0], basis[0][1]))
			for k := range 2 {
				if det.Bit(0) == 0 {
					continue
				}
				parity := oddChoice(k, basis)
				for j := range 2 {
					half := big.NewInt(int64(k * (1 - j)))
					for i := range parity {
						half.Sub(half, new(big.Int).Mul(big.NewInt(int64(parity[i])), basis[i][j]))
					}
					require.EqualValues(t, 1, half.Bit(0), "half %d of %d with %v", j, k, basis)
					form := oddForm(half)
					form.Lsh(form, 1).Add(form, big.NewInt(1)).Sub(form, power2(halfBits))
					require.Zero(t, form.Cmp(half))
				}
			}
		}
	}
	even := [2][2]*big.Int{{big.NewInt(2), big.NewInt(4)}, {big.NewInt(6), big.NewInt(8)}}
	require.Panics(t, func() { oddChoice(0, even) })
}

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
