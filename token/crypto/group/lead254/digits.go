package lead254

import (
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Scalars are written with windows of w bits whose digits are odd and signed:
//
//	k = Σ dⱼ·2^(w·j),  dⱼ ∈ {±1, ±3, …, ±(2^w - 1)},  j < windows(w)
//
// so that no digit is 0 and every scalar takes the same additions (Joye and
// Tunstall, AFRICACRYPT 2009, section 3). With u = (k + 2^(w·W) - 1)/2 the
// windows of u are eⱼ with dⱼ = 2·eⱼ - (2^w - 1). Only odd k have such a form;
// for an even one q - k is taken and all signs are changed.

// windows is the number of digits of w bits.
func windows(w int) int { return (scalarBits + w - 1) / w }

// negative marks a digit below 0 beside the index of its absolute value among
// the odd numbers: 1, 3, 5, … have the indices 0, 1, 2, ….
const negative = 1 << 15

// recode writes the digits of s to dst, one for each window of w ≤ 12 bits.
func recode(dst []uint16, s *group.Scalar, w int) {
	k := in(s).Bits()
	var flip uint16
	if k[0]&1 == 0 { // q - k, which is odd
		var borrow uint64
		for i := range k {
			k[i], borrow = sub(order[i], k[i], borrow)
		}
		flip = negative
	}
	var u [5]uint64
	for i := range k {
		u[i] = k[i] >> 1
		if i < 3 {
			u[i] |= k[i+1] << 63
		}
	}
	top := w*len(dst) - 1 // u = ⌊k/2⌋ + 2^(w·W - 1)
	u[top/64] += 1 << (top % 64)

	mask, half := uint64(1)<<w-1, uint16(1)<<(w-1)
	for j := range dst {
		bit := w * j
		e := u[bit/64] >> (bit % 64)
		if bit%64+w > 64 {
			e |= u[bit/64+1] << (64 - bit%64)
		}
		// e ≥ half stands for 2(e - half) + 1, others for -(2(half - 1 - e) + 1).
		v := uint16(e & mask)
		if v >= half {
			dst[j] = v - half ^ flip
		} else {
			dst[j] = half - 1 - v ^ (negative ^ flip)
		}
	}
}

func sub(a, b, borrow uint64) (diff, borrowOut uint64) {
	diff = a - b - borrow
	borrowOut = ((^a & b) | (^(a ^ b) & diff)) >> 63
	return diff, borrowOut
}
