// Code generated from bn254/odd.go by bls12381/generate. DO NOT EDIT.

package bls12381

import "github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

// An odd integer k between -2ᴮ and 2ᴮ has, for windows of w₀, w₁, … bits, B in all,
// that begin at the bits b₀, b₁, …, exactly one form Σ dⱼ·2^bⱼ with odd digits
// |dⱼ| < 2^wⱼ (Joye and Tunstall, "Exponent recoding and regular exponentiation
// algorithms", AFRICACRYPT 2009, section 3.2, with the sign in place of
// carries): if u = (k + 2ᴮ - 1)/2 has the digits eⱼ in the windows, then
// dⱼ = 2eⱼ - (2^wⱼ - 1). No digit is zero, so every scalar takes the same
// additions, and only the 2^(w-1) multiples 1, 3, 5, … need be kept. The digits
// of -k belong to the complement of u.

// odd is a recoded integer.
type odd struct {
	u    short
	base uint32 // the number of the point that it multiplies
}

// recodeScalar returns u for both halves of s; the second is for the image
// under φ. B is halfBits.
func recodeScalar(s *fr.Element) (first, second short) {
	k := s.Bits()
	return splitOdd(&k)
}

// nextDigit returns, for the lowest window of u, which has the given width, twice
// the place of the digit among 1, 3, 5, …, plus its sign. It also returns u without
// this window.
func (u short) nextDigit(width uint32) (uint32, short) {
	positive := -(u.low >> ((width - 1) % 64) & 1) // all ones for a positive digit
	digit := ^(2*u.low ^ positive) & (1<<(width%64) - 1)
	return uint32(digit), short{u.low>>(width%64) | u.high<<((64-width)%64), u.high >> (width % 64)}
}

// recode returns u for the odd integer k below 2^halfBits, or for -k if minus is 1.
func recode(k *limbs, minus uint32) short {
	complement := -uint64(minus)
	return short{(k[0]>>1 | k[1]<<63) ^ complement, (k[1]>>1 | 1<<63) ^ complement}
}

// magnitude returns |k| for the odd integer k, and whether it is negative.
func (u short) magnitude() (abs limbs, minus uint32) {
	minus = uint32(u.high>>63) ^ 1
	complement := -uint64(minus)
	low, high := u.low^complement, u.high^complement
	return limbs{low<<1 | 1, high<<1 | low>>63}, minus
}
