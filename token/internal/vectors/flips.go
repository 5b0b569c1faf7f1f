package vectors

import (
	"slices"

	"github.com/zkatbench/zkatbench/internal/nightly"
)

// flipStride is a prime, so that the bits which are flipped by day have all
// places in their bytes.
const flipStride = 211

// EachFlip calls f with copies of b that differ from it in one bit: every bit at
// night, otherwise one of flipStride.
func EachFlip(b []byte, f func(bit int, flipped []byte)) {
	for bit := 0; bit < 8*len(b); bit += nightly.Pick(3*flipStride, flipStride, 1) {
		flipped := slices.Clone(b)
		flipped[bit/8] ^= 1 << (bit % 8)
		f(bit, flipped)
	}
}
