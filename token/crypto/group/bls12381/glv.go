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

// limbs is an integer below 2²⁵⁶, or a negative one modulo 2²⁵⁶.
type limbs = [fr.Limbs]uint64

// modulus is q.
var modulus = toLimbs(fr.Modulus())

// glv is Gallant, Lambert, Vanstone (CRYPTO 2001): for a short basis
// v₁ = (a₁, b₁), v₂ = (a₂, b₂) of the lattice of all a + bλ = 0 mod q,
//
//	(k₁, k₂) = (k, 0) - c₁v₁ - c₂v₂ with c₁ ≈ k·b₂/det, c₂ ≈ -k·b₁/det
//
// is short and k = k₁ + k₂λ. c is taken from the products with ⌊2²⁵⁶·b/det⌉,
// rounded, so that it is within 5/8 of the exact quotient (k < 2²⁵⁵, and hence
// the factor's error of 1/2 counts 1/4 at most, and 1/8 if k < 2²⁵⁴) and both
// halves stay below 2^127.
var glv = func() (v struct {
	beta  fp.Element
	scale [2]limbs // ⌊2²⁵⁶·|b₂|/q⌉, ⌊2²⁵⁶·|b₁|/q⌉
	basis [2][2]limbs
	// For splitOdd: which vectors change the parities, by those of the halves;
	// and of each vector the longer coordinate.
	change [2][2][2]bool
	longer [2]int
}) {
	var lattice ecc.Lattice
	l, ok := new(big.Int).SetString(lambda, 10)
	if !ok {
		panic("lambda is not a number")
	}
	q := fr.Modulus()
	ecc.PrecomputeLattice(q, l, &lattice)
	v1, v2 := lattice.V1, lattice.V2
	det := new(big.Int).Mul(&v1[0], &v2[1])
	det.Sub(det, new(big.Int).Mul(&v2[0], &v1[1]))
	// The signs of c₁ and c₂ go into the basis vectors.
	v.scale[0] = quotient(&v2[1], q)
	v.scale[1] = quotient(&v1[1], q)
	v.basis[0] = signed(v1, v2[1].Sign()*det.Sign())
	v.basis[1] = signed(v2, -v1[1].Sign()*det.Sign())
	v.beta = endomorphism(l)
	for i, b := range v.basis {
		first, _ := magnitude(b[0])
		second, _ := magnitude(b[1])
		if toInt(second).Cmp(toInt(first)) > 0 {
			v.longer[i] = 1
		}
	}
	for n := range 4 {
		with := [2]bool{n&1 == 1, n&2 == 2}
		var parity [2]uint64
		for i, b := range v.basis {
			if with[i] {
				parity[0] ^= b[0][0] & 1
				parity[1] ^= b[1][0] & 1
			}
		}
		v.change[parity[0]][parity[1]] = with
	}
	return v
}()

// quotient returns ⌊2²⁵⁶·|b|/q⌉.
func quotient(b, q *big.Int) limbs {
	n := new(big.Int).Lsh(new(big.Int).Abs(b), 257)
	n.Add(n, q)
	return toLimbs(n.Div(n, new(big.Int).Lsh(q, 1)))
}

// signed returns ±v modulo 2²⁵⁶.
func signed(v [2]big.Int, sign int) [2]limbs {
	if sign < 0 {
		return [2]limbs{toLimbs(new(big.Int).Neg(&v[0])), toLimbs(new(big.Int).Neg(&v[1]))}
	}
	return [2]limbs{toLimbs(&v[0]), toLimbs(&v[1])}
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

func toInt(l limbs) *big.Int {
	v := new(big.Int)
	for i := range l {
		v.Lsh(v, 64).Add(v, new(big.Int).SetUint64(l[len(l)-1-i]))
	}
	return v
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

// subLimbs returns a - b modulo 2²⁵⁶.
func subLimbs(a, b *limbs) (d limbs) {
	var borrow uint64
	for i := range d {
		d[i], borrow = bits.Sub64(a[i], b[i], borrow)
	}
	return d
}

// product returns a·b.
func product(a, b *limbs) (p [2 * fr.Limbs]uint64) {
	for i, v := range a {
		var carry uint64
		for j, w := range b {
			hi, lo := bits.Mul64(v, w)
			var c uint64
			lo, c = bits.Add64(lo, carry, 0)
			hi += c
			p[i+j], c = bits.Add64(p[i+j], lo, 0)
			carry = hi + c
		}
		p[i+fr.Limbs] = carry
	}
	return p
}

// magnitude returns |v| for v modulo 2²⁵⁶ and whether v was negative.
func magnitude(v limbs) (limbs, uint32) {
	if v[fr.Limbs-1]>>63 == 0 {
		return v, 0
	}
	return subLimbs(&limbs{}, &v), 1
}

// split returns k as k₁ + k₂λ.
func split(k *limbs) (k1, k2 limbs) {
	k1 = *k
	for i := range glv.scale {
		p := product(k, &glv.scale[i])
		c := limbs(p[fr.Limbs:])
		if p[fr.Limbs-1]>>63 == 1 { // round
			c = subLimbs(&c, &limbs{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)})
		}
		p1, p2 := product(&c, &glv.basis[i][0]), product(&c, &glv.basis[i][1])
		k1 = subLimbs(&k1, (*limbs)(p1[:]))
		k2 = subLimbs(&k2, (*limbs)(p2[:]))
	}
	return k1, k2
}

// splitOdd returns k as k₁ + k₂λ with both halves odd and below 2^128. A vector
// of the basis that is needed to change a parity is added or subtracted so that
// its longer coordinate takes the half it is added to towards zero; no two
// vectors have the same longer coordinate.
func splitOdd(k *limbs) (halves [2]limbs) {
	halves[0], halves[1] = split(k)
	change := glv.change[halves[0][0]&1^1][halves[1][0]&1^1]
	for i, b := range glv.basis {
		if !change[i] {
			continue
		}
		n := glv.longer[i]
		if (halves[n][fr.Limbs-1]^b[n][fr.Limbs-1])>>63 == 1 { // of opposite signs
			b[0], b[1] = subLimbs(&limbs{}, &b[0]), subLimbs(&limbs{}, &b[1])
		}
		halves[0], halves[1] = subLimbs(&halves[0], &b[0]), subLimbs(&halves[1], &b[1])
	}
	return halves
}

// isShort reports whether k < 2^halfBits.
func isShort(k *limbs) bool { return k[2]|k[3] == 0 }
