// Package field is arithmetic modulo p = 2²⁵⁶ - 2³² - 977, the prime of secp256k1,
// in four words of 64 bits.
//
// Package secp uses it for the base oblivious transfers, which multiply hundreds of
// points at once. 2²⁵⁶ is congruent to 2³² + 977, so a product of eight words is
// reduced by two multiplications with that constant.
package field

import (
	"encoding/binary"
	"math/bits"
)

// fold is 2²⁵⁶ modulo p.
const fold = 1<<32 + 977

// Element is an integer modulo p, least significant word first. Operations accept
// and return any representative below 2²⁵⁶; Bytes, IsZero, IsOdd and Equal use the one
// below p. The zero value is 0.
type Element [4]uint64

// One is 1.
var One = Element{1}

// SetBytes sets z to a big-endian integer of 32 bytes. It returns false if the
// integer is not below p.
func (z *Element) SetBytes(b *[32]byte) bool {
	for i := range z {
		z[i] = binary.BigEndian.Uint64(b[24-8*i:])
	}
	return z.reduced() == *z
}

// Bytes returns the integer as 32 bytes, big-endian.
func (z *Element) Bytes() (b [32]byte) {
	r := z.reduced()
	for i, w := range r {
		binary.BigEndian.PutUint64(b[24-8*i:], w)
	}
	return b
}

// reduced returns the representative below p: z + fold overflows 2²⁵⁶ if z ≥ p.
func (z *Element) reduced() (r Element) {
	var c uint64
	r[0], c = bits.Add64(z[0], fold, 0)
	r[1], c = bits.Add64(z[1], 0, c)
	r[2], c = bits.Add64(z[2], 0, c)
	r[3], c = bits.Add64(z[3], 0, c)
	keep := c - 1 // all ones without overflow
	for i := range r {
		r[i] ^= keep & (r[i] ^ z[i])
	}
	return r
}

// IsZero reports whether z is 0.
func (z *Element) IsZero() bool { return z.reduced() == Element{} }

// IsOdd reports whether z is odd.
func (z *Element) IsOdd() bool { r := z.reduced(); return r[0]&1 == 1 }

// Equal reports whether z = x.
func (z *Element) Equal(x *Element) bool { return z.reduced() == x.reduced() }

// Add sets z = x + y.
func (z *Element) Add(x, y *Element) *Element {
	r0, c := bits.Add64(x[0], y[0], 0)
	r1, c := bits.Add64(x[1], y[1], c)
	r2, c := bits.Add64(x[2], y[2], c)
	r3, c := bits.Add64(x[3], y[3], c)
	r0, c = bits.Add64(r0, fold&-c, 0)
	r1, c = bits.Add64(r1, 0, c)
	r2, c = bits.Add64(r2, 0, c)
	r3, c = bits.Add64(r3, 0, c)
	// A second overflow leaves a value below fold, so one word holds the sum.
	z[0], z[1], z[2], z[3] = r0+fold&-c, r1, r2, r3
	return z
}

// Sub sets z = x - y.
func (z *Element) Sub(x, y *Element) *Element {
	r0, b := bits.Sub64(x[0], y[0], 0)
	r1, b := bits.Sub64(x[1], y[1], b)
	r2, b := bits.Sub64(x[2], y[2], b)
	r3, b := bits.Sub64(x[3], y[3], b)
	r0, b = bits.Sub64(r0, fold&-b, 0)
	r1, b = bits.Sub64(r1, 0, b)
	r2, b = bits.Sub64(r2, 0, b)
	r3, b = bits.Sub64(r3, 0, b)
	// A second underflow leaves a value of at least 2²⁵⁶ - fold.
	z[0], z[1], z[2], z[3] = r0-fold&-b, r1, r2, r3
	return z
}

// Neg sets z = -x.
func (z *Element) Neg(x *Element) *Element { return z.Sub(&Element{}, x) }

// Mul sets z = x·y.
func (z *Element) Mul(x, y *Element) *Element {
	var c uint64
	x0, x1, x2, x3 := x[0], x[1], x[2], x[3]

	// Rows x·y[i] of the product t7 … t0: low words first, then high words.
	w := y[0]
	h0, t0 := bits.Mul64(x0, w)
	h1, l1 := bits.Mul64(x1, w)
	h2, l2 := bits.Mul64(x2, w)
	h3, l3 := bits.Mul64(x3, w)
	t1, c := bits.Add64(h0, l1, 0)
	t2, c := bits.Add64(h1, l2, c)
	t3, c := bits.Add64(h2, l3, c)
	t4 := h3 + c

	w = y[1]
	h0, l0 := bits.Mul64(x0, w)
	h1, l1 = bits.Mul64(x1, w)
	h2, l2 = bits.Mul64(x2, w)
	h3, l3 = bits.Mul64(x3, w)
	t1, c = bits.Add64(t1, l0, 0)
	t2, c = bits.Add64(t2, l1, c)
	t3, c = bits.Add64(t3, l2, c)
	t4, c = bits.Add64(t4, l3, c)
	t5 := h3 + c
	t2, c = bits.Add64(t2, h0, 0)
	t3, c = bits.Add64(t3, h1, c)
	t4, c = bits.Add64(t4, h2, c)
	t5 += c

	w = y[2]
	h0, l0 = bits.Mul64(x0, w)
	h1, l1 = bits.Mul64(x1, w)
	h2, l2 = bits.Mul64(x2, w)
	h3, l3 = bits.Mul64(x3, w)
	t2, c = bits.Add64(t2, l0, 0)
	t3, c = bits.Add64(t3, l1, c)
	t4, c = bits.Add64(t4, l2, c)
	t5, c = bits.Add64(t5, l3, c)
	t6 := h3 + c
	t3, c = bits.Add64(t3, h0, 0)
	t4, c = bits.Add64(t4, h1, c)
	t5, c = bits.Add64(t5, h2, c)
	t6 += c

	w = y[3]
	h0, l0 = bits.Mul64(x0, w)
	h1, l1 = bits.Mul64(x1, w)
	h2, l2 = bits.Mul64(x2, w)
	h3, l3 = bits.Mul64(x3, w)
	t3, c = bits.Add64(t3, l0, 0)
	t4, c = bits.Add64(t4, l1, c)
	t5, c = bits.Add64(t5, l2, c)
	t6, c = bits.Add64(t6, l3, c)
	t7 := h3 + c
	t4, c = bits.Add64(t4, h0, 0)
	t5, c = bits.Add64(t5, h1, c)
	t6, c = bits.Add64(t6, h2, c)
	t7 += c

	// t3 … t0 + fold·(t7 … t4), which has five words.
	h0, l0 = bits.Mul64(t4, fold)
	h1, l1 = bits.Mul64(t5, fold)
	h2, l2 = bits.Mul64(t6, fold)
	h3, l3 = bits.Mul64(t7, fold)
	t0, c = bits.Add64(t0, l0, 0)
	t1, c = bits.Add64(t1, l1, c)
	t2, c = bits.Add64(t2, l2, c)
	t3, c = bits.Add64(t3, l3, c)
	t4 = h3 + c
	t1, c = bits.Add64(t1, h0, 0)
	t2, c = bits.Add64(t2, h1, c)
	t3, c = bits.Add64(t3, h2, c)
	t4 += c

	// The fifth word is at most fold, so its product has two words.
	h0, l0 = bits.Mul64(t4, fold)
	t0, c = bits.Add64(t0, l0, 0)
	t1, c = bits.Add64(t1, h0, c)
	t2, c = bits.Add64(t2, 0, c)
	t3, c = bits.Add64(t3, 0, c)
	// An overflow leaves a value below 2⁶⁶.
	t0, c = bits.Add64(t0, fold&-c, 0)
	z[0], z[1], z[2], z[3] = t0, t1+c, t2, t3
	return z
}

// Square sets z = x².
func (z *Element) Square(x *Element) *Element {
	var c uint64
	x0, x1, x2, x3 := x[0], x[1], x[2], x[3]

	// Products of different words.
	t2, t1 := bits.Mul64(x0, x1)
	h, l := bits.Mul64(x0, x2)
	t2, c = bits.Add64(t2, l, 0)
	t4, t3 := bits.Mul64(x0, x3)
	t3, c = bits.Add64(t3, h, c)
	t4 += c
	h, l = bits.Mul64(x1, x2)
	t3, c = bits.Add64(t3, l, 0)
	t4, c = bits.Add64(t4, h, c)
	t5 := c
	h, l = bits.Mul64(x1, x3)
	t4, c = bits.Add64(t4, l, 0)
	t5, _ = bits.Add64(t5, h, c)
	t6, l := bits.Mul64(x2, x3)
	t5, c = bits.Add64(t5, l, 0)
	t6 += c

	// Twice, with the squares of the words.
	t1, c = bits.Add64(t1, t1, 0)
	t2, c = bits.Add64(t2, t2, c)
	t3, c = bits.Add64(t3, t3, c)
	t4, c = bits.Add64(t4, t4, c)
	t5, c = bits.Add64(t5, t5, c)
	t6, c = bits.Add64(t6, t6, c)
	t7 := c
	h0, t0 := bits.Mul64(x0, x0)
	h1, l1 := bits.Mul64(x1, x1)
	h2, l2 := bits.Mul64(x2, x2)
	h3, l3 := bits.Mul64(x3, x3)
	t1, c = bits.Add64(t1, h0, 0)
	t2, c = bits.Add64(t2, l1, c)
	t3, c = bits.Add64(t3, h1, c)
	t4, c = bits.Add64(t4, l2, c)
	t5, c = bits.Add64(t5, h2, c)
	t6, c = bits.Add64(t6, l3, c)
	t7 += h3 + c

	// Reduction as in Mul.
	h0, l0 := bits.Mul64(t4, fold)
	h1, l1 = bits.Mul64(t5, fold)
	h2, l2 = bits.Mul64(t6, fold)
	h3, l3 = bits.Mul64(t7, fold)
	t0, c = bits.Add64(t0, l0, 0)
	t1, c = bits.Add64(t1, l1, c)
	t2, c = bits.Add64(t2, l2, c)
	t3, c = bits.Add64(t3, l3, c)
	t4 = h3 + c
	t1, c = bits.Add64(t1, h0, 0)
	t2, c = bits.Add64(t2, h1, c)
	t3, c = bits.Add64(t3, h2, c)
	t4 += c
	h0, l0 = bits.Mul64(t4, fold)
	t0, c = bits.Add64(t0, l0, 0)
	t1, c = bits.Add64(t1, h0, c)
	t2, c = bits.Add64(t2, 0, c)
	t3, c = bits.Add64(t3, 0, c)
	t0, c = bits.Add64(t0, fold&-c, 0)
	z[0], z[1], z[2], z[3] = t0, t1+c, t2, t3
	return z
}

// Double sets z = 2·x.
func (z *Element) Double(x *Element) *Element { return z.Add(x, x) }
