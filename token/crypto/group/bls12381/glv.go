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
	scale [2]short // ⌊2²⁵⁶·|b₂|/q⌉, ⌊2²⁵⁶·|b₁|/q⌉
	basis [2][2]short
	// For splitOdd: the vectors that change the parities, by the parities of the
	// halves, and the longer coordinate of each vector.
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
		first, _ := b[0].magnitude()
		second, _ := b[1].magnitude()
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
func quotient(b, q *big.Int) (s short) {
	n := new(big.Int).Lsh(new(big.Int).Abs(b), 257)
	n.Add(n, q)
	setLimbs(s[:], n.Div(n, new(big.Int).Lsh(q, 1)))
	return s
}

// signed returns ±v modulo 2¹⁹².
func signed(v [2]big.Int, sign int) (s [2]short) {
	for i := range v {
		setLimbs(s[i][:], new(big.Int).Mul(&v[i], big.NewInt(int64(sign))))
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

// short is an integer below 2¹⁹², or a negative integer modulo 2¹⁹². Splitting
// computes with it.
type short [3]uint64

// mulRow returns k·s + t.
func mulRow(k uint64, s *short, t0, t1, t2 uint64) (r0, r1, r2, r3 uint64) {
	r1, r0 = mulAdd(k, s[0], t0, 0)
	r2, r1 = mulAdd(k, s[1], t1, r1)
	r3, r2 = mulAdd(k, s[2], t2, r2)
	return r0, r1, r2, r3
}

// mulAdd returns a·b + t + u.
func mulAdd(a, b, t, u uint64) (hi, lo uint64) {
	hi, lo = bits.Mul64(a, b)
	var c uint64
	lo, c = bits.Add64(lo, t, 0)
	hi += c
	lo, c = bits.Add64(lo, u, 0)
	return hi + c, lo
}

// scaled returns ⌊k·s/2²⁵⁶⌉.
func scaled(k *limbs, s *short) (c short) {
	_, p1, p2, p3 := mulRow(k[0], s, 0, 0, 0)
	_, p2, p3, p4 := mulRow(k[1], s, p1, p2, p3)
	_, p3, p4, p5 := mulRow(k[2], s, p2, p3, p4)
	p3, p4, p5, p6 := mulRow(k[3], s, p3, p4, p5)
	var carry uint64
	c[0], carry = bits.Add64(p4, p3>>63, 0)
	c[1], carry = bits.Add64(p5, 0, carry)
	c[2] = p6 + carry
	return c
}

// mulLow returns a·b modulo 2¹⁹².
func mulLow(a, b *short) short {
	h0, l0 := bits.Mul64(a[0], b[0])
	h1, l1 := bits.Mul64(a[0], b[1])
	h2, l2 := bits.Mul64(a[1], b[0])
	high := h1 + h2 + a[0]*b[2] + a[1]*b[1] + a[2]*b[0]
	mid, c := bits.Add64(h0, l1, 0)
	high += c
	mid, c = bits.Add64(mid, l2, 0)
	return short{l0, mid, high + c}
}

// sub returns a - b modulo 2¹⁹².
func (a short) sub(b short) (d short) {
	var borrow uint64
	d[0], borrow = bits.Sub64(a[0], b[0], 0)
	d[1], borrow = bits.Sub64(a[1], b[1], borrow)
	d[2], _ = bits.Sub64(a[2], b[2], borrow)
	return d
}

// negative is 1 if a is, and otherwise 0.
func (a short) negative() uint32 { return uint32(a[2] >> 63) }

// magnitude returns |a| and whether a is negative.
func (a short) magnitude() (abs limbs, minus uint32) {
	if minus = a.negative(); minus == 1 {
		a = short{}.sub(a)
	}
	return limbs{a[0], a[1], a[2]}, minus
}

// split returns k as halves[0] + halves[1]·λ.
func split(k *limbs) (halves [2]short) {
	halves[0] = short(k[:])
	for i := range glv.scale {
		c, b := scaled(k, &glv.scale[i]), &glv.basis[i]
		halves[0] = halves[0].sub(mulLow(&c, &b[0]))
		halves[1] = halves[1].sub(mulLow(&c, &b[1]))
	}
	return halves
}

// splitOdd splits k into two odd halves below 2^128. It adds or subtracts the
// vectors that change the parities. The sign of a vector makes its longer
// coordinate bring a half towards zero; each half has another vector with the
// longer coordinate.
func splitOdd(k *limbs) (halves [2]short) {
	halves = split(k)
	change := glv.change[halves[0][0]&1^1][halves[1][0]&1^1]
	for i, b := range glv.basis {
		if !change[i] {
			continue
		}
		n := glv.longer[i]
		if halves[n].negative() != b[n].negative() {
			b[0], b[1] = short{}.sub(b[0]), short{}.sub(b[1])
		}
		halves[0], halves[1] = halves[0].sub(b[0]), halves[1].sub(b[1])
	}
	return halves
}

// isShort reports whether k < 2^halfBits.
func isShort(k *limbs) bool { return k[2]|k[3] == 0 }
