// Package recode splits integers into the digits of exponentiation algorithms.
// It performs no group operations, so it serves both groups that execute an
// algorithm and counters that compute its cost.
package recode

import "math/big"

// MaxWindow bounds window sizes: tables and buckets have 2^window entries.
const MaxWindow = 16

// Digits holds digit i at position i: e = Σ Digits[i]·2ⁱ. Most digits are zero.
type Digits []int32

// WNAF returns the window non-adjacent form of e with odd digits below 2ʷ in
// absolute value; nonzero digits are at least w+1 positions apart (Möller,
// "Algorithms for multi-exponentiation", SAC 2001, section 3.2; the width there
// is w+1). The last digit is not zero.
func WNAF(e *big.Int, w int) Digits { return trim(odd(e, w, w+1)) }

// Sliding returns e in windows of at most w bits that begin and end with a
// set bit, each at the position of its last bit (Menezes, van Oorschot,
// Vanstone, "Handbook of Applied Cryptography", algorithm 14.85). It is as
// long as e has bits, so that the digits at its end may be zero.
func Sliding(e *big.Int, w int) Digits { return odd(e, w, w)[:e.BitLen()] }

// odd recodes e from the least significant bit: whenever the rest is odd, its
// last bits form a digit in [-2^(take-1), 2^w), which is negative only if take
// > w.
func odd(e *big.Int, w, take int) Digits {
	d := make(Digits, e.BitLen()+1)
	rest := new(big.Int).Abs(e)
	sign := int32(e.Sign())
	for i := 0; rest.Sign() > 0; i++ {
		if rest.Bit(0) == 1 {
			v := lowBits(rest, take)
			if v >= 1<<w {
				v -= 1 << take
			}
			rest.Sub(rest, big.NewInt(int64(v)))
			d[i] = sign * v
		}
		rest.Rsh(rest, 1)
	}
	return d
}

// Fixed returns the digits of e in base 2ᵇ, at every b-th position; the digits
// of a negative integer are negative.
func Fixed(e *big.Int, b int) Digits {
	d := make(Digits, e.BitLen())
	rest := new(big.Int).Abs(e)
	sign := int32(e.Sign())
	for i := 0; rest.Sign() > 0; i += b {
		d[i] = sign * lowBits(rest, b)
		rest.Rsh(rest, uint(b))
	}
	return trim(d)
}

func lowBits(v *big.Int, n int) int32 {
	mask := big.NewInt(1<<n - 1)
	return int32(mask.And(mask, v).Int64())
}

func trim(d Digits) Digits {
	for len(d) > 0 && d[len(d)-1] == 0 {
		d = d[:len(d)-1]
	}
	return d
}

// At returns the digit at position i, or 0 beyond the end.
func (d Digits) At(i int) int32 {
	if i < len(d) {
		return d[i]
	}
	return 0
}

// Weight returns the number of nonzero digits and the number of negative ones.
func (d Digits) Weight() (nonZero, negative uint64) {
	for _, v := range d {
		if v != 0 {
			nonZero++
		}
		if v < 0 {
			negative++
		}
	}
	return nonZero, negative
}
