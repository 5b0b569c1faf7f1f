// Code generated from bn254/odd.go by bls12381/generate. DO NOT EDIT.

package bls12381

import "github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

// An odd integer k below 2^(w·W) has exactly one form Σ dⱼ·2^(w·j), j < W,
// with odd digits |dⱼ| < 2ʷ (Joye and Tunstall, "Exponent recoding and regular
// exponentiation algorithms", AFRICACRYPT 2009, section 3.2, with the sign in
// place of carries): if u = (k + 2^(wW) - 1)/2 has the base-2ʷ digits eⱼ, then
// dⱼ = 2eⱼ - (2ʷ - 1). There is no zero digit, so every scalar takes the same
// additions, and only the 2^(w-1) multiples 1, 3, 5, … need be kept.

// odd is a recoded integer.
type odd struct {
	u     [fr.Limbs + 1]uint64
	minus uint32 // 1 if the integer is to be subtracted
	first uint32 // twice the place of the first of its multiples
}

// recode prepares the odd integer k, with the given sign, for digits of width
// bits each, windows of them.
func recode(k *[fr.Limbs]uint64, minus uint32, width, windows int) (o odd) {
	for i := range fr.Limbs - 1 {
		o.u[i] = k[i]>>1 | k[i+1]<<63
	}
	o.u[fr.Limbs-1] = k[fr.Limbs-1] >> 1
	top := width*windows - 1
	o.u[top/64] |= 1 << (top % 64)
	o.minus = minus
	return o
}

// digit returns twice the place of digit j among 1, 3, 5, …, plus its sign.
func (o *odd) digit(j, width int) uint32 {
	bit := j * width
	e := o.u[bit/64] >> (bit % 64)
	if s := bit % 64; s+width > 64 && bit/64 < fr.Limbs {
		e |= o.u[bit/64+1] << (64 - s)
	}
	half := uint32(1) << (width - 1)
	v := uint32(e)
	below := (v>>(width-1))&1 - 1 // all ones for a negative digit
	return ((v^below)&(half-1))<<1 | (below&1 ^ o.minus)
}

// recodeScalar prepares the halves of s, of which the second is for the image
// under φ.
func recodeScalar(s *fr.Element, width, windows int) (halves [2]odd) {
	k := s.Bits()
	for i, half := range splitOdd(&k) {
		abs, minus := half.magnitude()
		halves[i] = recode(&abs, minus, width, windows)
	}
	return halves
}
