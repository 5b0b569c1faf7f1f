package main

import "math/big"

// field is a prime field in both forms: words of 64 bits and limbs of 52 bits.
// Elements in limbs are x·R mod p for R = 2^(52·limbs), not reduced. Elements in
// words are reduced: x·R/2^s mod p.
type field struct {
	name  string
	p     *big.Int
	words int
	limbs int
	// shift is s. An element in words becomes one in limbs, below 2^s·p, when it is
	// shifted to the left by s.
	shift int
	// room·p + 1 is the bound of coordinates in memory, and room is at least 2^s.
	room int64
}

func fieldOf(f field, p string) *field {
	v, ok := new(big.Int).SetString(p, 16)
	if !ok {
		panic("the order of the field is not a number")
	}
	f.p = v
	return &f
}

// gnark returns a field of elements that gnark-crypto keeps as x·2^(64·words) mod p.
func gnark(name, p string, words, limbs int) *field {
	s := limbBits*limbs - 64*words
	return fieldOf(field{name: name, words: words, limbs: limbs, shift: s, room: 1 << s}, p)
}

// The base fields.
var (
	bn254    = gnark("bn254", "30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47", 4, 5)
	bls12381 = gnark("bls12381",
		"1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab", 6,
		8)
	// p256 has p = 2²⁵⁶ - 2²²⁴ + 2¹⁹² + 2⁹⁶ - 1, so that 2⁻⁵² mod p = (p + 1)/2⁵² has
	// three limbs that are not zero. Elements in words are x·R mod p.
	p256 = fieldOf(field{name: "p256", words: 4, limbs: 5, room: 4},
		"ffffffff00000001000000000000000000000000ffffffffffffffffffffffff")
)

// curves are the fields of the curves for proofs, and fields are all.
var (
	curves = []*field{bn254, bls12381}
	fields = append(curves[:len(curves):len(curves)], p256)
)

// radix is R = 2^(52·limbs).
func (f *field) radix() *big.Int { return pow2(limbBits * f.limbs) }

// one is R mod p, 1 in the form of the kernels.
func (f *field) one() *big.Int { return new(big.Int).Mod(f.radix(), f.p) }

// coordinate is room·p + 1, the bound of coordinates in memory.
func (f *field) coordinate() *big.Int {
	v := new(big.Int).Mul(f.p, big.NewInt(f.room))
	return v.Add(v, big.NewInt(1))
}

// entry is the bound of a coordinate that was loaded: 2^s·(p - 1) + 1.
func (f *field) entry() *big.Int {
	v := new(big.Int).Sub(f.p, big.NewInt(1))
	v.Lsh(v, uint(f.shift))
	return v.Add(v, big.NewInt(1))
}

// product is 2p, the bound of the partial products of an inversion.
func (f *field) product() *big.Int { return new(big.Int).Lsh(f.p, 1) }

// negInverse is -1/p mod 2⁵².
func (f *field) negInverse() uint64 {
	m := pow2(limbBits)
	v := new(big.Int).ModInverse(f.p, m)
	return v.Sub(m, v).Uint64()
}

// inverseOfLimb is 2⁻⁵² mod p.
func (f *field) inverseOfLimb() *big.Int { return new(big.Int).ModInverse(pow2(limbBits), f.p) }

// quotientFree reports whether p is -1 modulo 2⁵². Then 2⁵²·(2⁻⁵² mod p) is p + 1,
// and the multiple of p that clears a limb is the limb itself.
func (f *field) quotientFree() bool { return f.negInverse() == 1 }

// reduced returns the bound of the result of a multiplication, for a sum of
// products below the given bound: products/R + c + p with c = 2⁻⁵² mod p. Clearing
// a limb divides by 2⁵² and adds less than 2⁵²·c, so that all limbs but the last
// contribute at most 2⁵²·c; the last one divides this by 2⁵² and adds at most p.
func (f *field) reduced(products *big.Int) *big.Int {
	bound := new(big.Int).Div(products, f.radix())
	bound.Add(bound, f.inverseOfLimb()).Add(bound, f.p)
	return bound.Add(bound, big.NewInt(1))
}

// fewLimbs reports whether registers suffice for all limbs of a product and a factor.
// Such a product is also too short for a loop.
func (f *field) fewLimbs() bool { return f.limbs <= 5 }

// split returns the limbs of v, the last one with all bits that are left.
func (f *field) split(v *big.Int) []uint64 {
	limbs, rest, mask := make([]uint64, f.limbs), new(big.Int).Set(v), new(big.Int).SetUint64(mask52)
	for i := range limbs {
		if i == f.limbs-1 {
			limbs[i] = rest.Uint64()
			break
		}
		limbs[i] = new(big.Int).And(rest, mask).Uint64()
		rest.Rsh(rest, limbBits)
	}
	return limbs
}

const mask52 = 1<<limbBits - 1

func pow2(n int) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(n)) }
