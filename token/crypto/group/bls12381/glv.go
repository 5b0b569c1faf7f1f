// Code generated from bn254/glv.go by bls12381/generate. DO NOT EDIT.

package bls12381

import (
	"math/big"
	"math/bits"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
)

// halfBits bounds the scalars of variable points after splitting.
const halfBits = 128

// limbs is an integer below 2²⁵⁶.
type limbs = [fr.Limbs]uint64

// short is an integer modulo 2¹²⁸. Splitting computes with it.
type short struct{ low, high uint64 }

// toShort returns v modulo 2¹²⁸.
func toShort(v *big.Int) short {
	var l [2]uint64
	setLimbs(l[:], v)
	return short{l[0], l[1]}
}

// modulus is q.
var modulus = toLimbs(fr.Modulus())

// glv is Gallant, Lambert, Vanstone (CRYPTO 2001) with odd halves: for a short
// basis v₁ = (a₁, b₁), v₂ = (a₂, b₂) of the lattice of all a + bλ = 0 mod q,
//
//	(k₁, k₂) = (k, 0) - c₁v₁ - c₂v₂ with c₁ ≈ k·b₂/det, c₂ ≈ -k·b₁/det
//
// is short and k = k₁ + k₂λ. The determinant is ±q, hence odd, so that exactly
// one choice of the parities π₁, π₂ of c₁, c₂ makes both halves odd. It depends
// on the parity of k. With |b| for the b of the quotient,
//
//	cᵢ = 2mᵢ + πᵢ,  mᵢ = ⌊k·|b|/2q + (1 - πᵢ)/2⌋
//
// is within 1 of k·|b|/q. mᵢ is computed from K = k·2²⁵⁵⁻ⁿ, for the n bits of q, and
// s = ⌊2ⁿ·|b|/q⌉ as ⌊K·s/2²⁵⁶ + (1 - πᵢ)/2⌋ without the lowest words. This error is
// below 1/4 + 2⁻⁶², so that cᵢ is within 3/2 + 2⁻⁶¹, and a half is at most this
// factor times |a₁| + |a₂| or |b₁| + |b₂|: below 2¹²⁸ (TestHalvesAreShort).
var glv = func() (v struct {
	beta  fp.Element
	scale [2]short // s for m₁ and m₂
	// minus[i][j] is minus coordinate j of vᵢ.
	minus [2][2]short
	// For an even and for an odd k: (1 - πᵢ)/2 in units of 2⁻⁶⁴, and what a half
	// is if k, m₁ and m₂ are 0 or 1, 0 and 0, in the form of splitOdd.
	round [2][2]uint64
	start [2][2]short
}) {
	q, basis := fr.Modulus(), basisOf()
	for i := range basis {
		v.scale[i] = quotient(basis[1-i][1], q)
		for j := range basis[i] {
			v.minus[i][j] = toShort(new(big.Int).Neg(basis[i][j]))
		}
	}
	v.beta = endomorphism(lambdaInt())
	for k := range v.start {
		parity := oddChoice(k, basis)
		for i := range parity {
			v.round[k][i] = uint64(1-parity[i]) << 63
		}
		for j := range v.start[k] {
			half := big.NewInt(int64(k * (1 - j)))
			for i := range parity {
				half.Sub(half, new(big.Int).Mul(big.NewInt(int64(parity[i])), basis[i][j]))
			}
			v.start[k][j] = toShort(oddForm(half))
		}
	}
	return v
}()

func lambdaInt() *big.Int {
	l, ok := new(big.Int).SetString(lambda, 10)
	if !ok {
		panic("lambda is not a number")
	}
	return l
}

// basisOf returns v₁ and v₂ with signs for which c₁ and c₂ are not negative.
func basisOf() (basis [2][2]*big.Int) {
	var lattice ecc.Lattice
	ecc.PrecomputeLattice(fr.Modulus(), lambdaInt(), &lattice)
	v1, v2 := lattice.V1, lattice.V2
	det := new(big.Int).Mul(&v1[0], &v2[1])
	det.Sub(det, new(big.Int).Mul(&v2[0], &v1[1]))
	return [2][2]*big.Int{signed(v1, v2[1].Sign()*det.Sign()), signed(v2, -v1[1].Sign()*det.Sign())}
}

// oddChoice returns the π₁ and π₂ that make both halves of a scalar of the given
// parity odd.
func oddChoice(k int, basis [2][2]*big.Int) (parity [2]int) {
	for n := range 4 {
		parity = [2]int{n & 1, n >> 1}
		odd := 0
		for j := range 2 {
			odd += (k*(1-j) + parity[0]*int(basis[0][j].Bit(0)) + parity[1]*int(basis[1][j].Bit(0))) & 1
		}
		if odd == 2 {
			return parity
		}
	}
	panic("the lattice has an even determinant")
}

// oddForm returns the form of the odd integer h for reading windows:
// (h + 2¹²⁸ - 1)/2.
func oddForm(h *big.Int) *big.Int {
	u := new(big.Int).Lsh(big.NewInt(1), halfBits)
	u.Sub(u, big.NewInt(1)).Add(u, h)
	return u.Rsh(u, 1)
}

// quotient returns ⌊2ⁿ·|b|/q⌉, for the n bits of q.
func quotient(b, q *big.Int) short {
	v := new(big.Int).Lsh(new(big.Int).Abs(b), uint(q.BitLen()+1))
	v.Add(v, q)
	return toShort(v.Div(v, new(big.Int).Lsh(q, 1)))
}

// signed returns ±v.
func signed(v [2]big.Int, sign int) (s [2]*big.Int) {
	for i := range v {
		s[i] = new(big.Int).Mul(&v[i], big.NewInt(int64(sign)))
	}
	return s
}

// endomorphism finds the cube root of unity β for which (βx, y) = λ·(x, y):
// the x-coordinate of λ·G over that of G.
func endomorphism(l *big.Int) fp.Element {
	g := affine(&generator)
	p := g
	p.ScalarMultiplication(&g, l)
	return *p.X.Div(&p.X, &g.X)
}

func toLimbs(v *big.Int) (l limbs) {
	setLimbs(l[:], v)
	return l
}

// setLimbs sets l to v modulo its size.
func setLimbs(l []uint64, v *big.Int) {
	mask := new(big.Int).SetUint64(^uint64(0))
	rest := new(big.Int).Set(v)
	for i := range l {
		l[i] = new(big.Int).And(rest, mask).Uint64()
		rest.Rsh(rest, 64)
	}
}

func toInt(l limbs) *big.Int {
	v := new(big.Int)
	for i := range l {
		v.Lsh(v, 64).Add(v, new(big.Int).SetUint64(l[len(l)-1-i]))
	}
	return v
}

// subLimbs returns a - b modulo 2²⁵⁶.
func subLimbs(a, b *limbs) (d limbs) {
	var borrow uint64
	for i := range d {
		d[i], borrow = bits.Sub64(a[i], b[i], borrow)
	}
	return d
}

// splitOdd returns k < q as k₁ + k₂·λ, for odd k₁ and k₂ between -2¹²⁸ and 2¹²⁸,
// in the form (kⱼ + 2¹²⁸ - 1)/2. It is without branches.
func splitOdd(k *limbs) (first, second short) {
	odd := k[0] & 1
	m1 := scaled(k, glv.scale[0], glv.round[odd][0])
	m2 := scaled(k, glv.scale[1], glv.round[odd][1])
	first = short{k[0]>>1 | k[1]<<63, k[1]>>1 | k[2]<<63}.plus(glv.start[odd][0])
	first = first.plus(m1.times(glv.minus[0][0])).plus(m2.times(glv.minus[1][0]))
	second = glv.start[odd][1].plus(m1.times(glv.minus[0][1])).plus(m2.times(glv.minus[1][1]))
	return first, second
}

// scaleShift is how many bits q is shorter than 255.
const scaleShift = 255 - fr.Bits

// scaled returns ⌊K·s/2²⁵⁶ + round/2⁶⁴⌋ for K = k·2^scaleShift, without the lowest
// words of the products: 2⁻⁶² less at most, before rounding.
func scaled(k *limbs, s short, round uint64) short {
	k1 := k[1]<<scaleShift | k[0]>>1>>(63-scaleShift)
	k2 := k[2]<<scaleShift | k[1]>>1>>(63-scaleShift)
	k3 := k[3]<<scaleShift | k[2]>>1>>(63-scaleShift)
	a, _ := bits.Mul64(k1, s.high)
	b, _ := bits.Mul64(k2, s.low)
	c, c0 := bits.Mul64(k2, s.high)
	d, d0 := bits.Mul64(k3, s.low)
	high, low := bits.Mul64(k3, s.high)
	// The words below 2²⁵⁶, and their carries.
	sum := short{low: a}.plus(short{low: b}).plus(short{low: c0}).plus(short{low: d0}).plus(short{low: round})
	return short{low, high}.plus(short{low: c}).plus(short{low: d}).plus(short{low: sum.high})
}

// plus returns u + v.
func (u short) plus(v short) short {
	low, carry := bits.Add64(u.low, v.low, 0)
	high, _ := bits.Add64(u.high, v.high, carry)
	return short{low, high}
}

// times returns u·v.
func (u short) times(v short) short {
	high, low := bits.Mul64(u.low, v.low)
	return short{low, high + u.low*v.high + u.high*v.low}
}

// isShort reports whether k < 2^halfBits.
func isShort(k *limbs) bool { return k[2]|k[3] == 0 }
