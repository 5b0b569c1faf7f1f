package capacity

import (
	"math"
	"math/bits"
)

// random is the generator xoshiro128** 1.1 (Blackman and Vigna, ACM Transactions
// on Mathematical Software 47, 2021). It computes with 32-bit integers, so that
// arithmetic.js draws the same numbers; math/rand/v2 lacks this generator.
type random [4]uint32

// newRandom derives the state from a seed by the steps of a linear congruence
// (Knuth, The Art of Computer Programming 2, §3.3.4, line 26).
func newRandom(seed uint32) *random {
	var r random
	for i := range r {
		seed = seed*1664525 + 1013904223
		r[i] = seed
	}
	for range 16 {
		r.next()
	}
	return &r
}

func (r *random) next() uint32 {
	result := bits.RotateLeft32(r[1]*5, 7) * 9
	t := r[1] << 9
	r[2] ^= r[0]
	r[3] ^= r[1]
	r[1] ^= r[2]
	r[0] ^= r[3]
	r[2] ^= t
	r[3] = bits.RotateLeft32(r[3], 11)
	return result
}

// uniform draws a multiple of 2⁻⁵³ from (0, 1].
func (r *random) uniform() float64 {
	high := float64(r.next() >> 5)
	return (high*(1<<26) + float64(r.next()>>6) + 1) / (1 << 53)
}

// exponential draws from the exponential distribution with mean 1.
func (r *random) exponential() float64 { return -math.Log(r.uniform()) }

// below draws a number below n.
func (r *random) below(n int) int { return int(float64(r.next()) / (1 << 32) * float64(n)) }
