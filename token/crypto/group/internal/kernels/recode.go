package main

import (
	"math/big"
)

// splitting cuts scalars of a curve with the endomorphism λ into two odd halves
// (Gallant, Lambert, Vanstone, CRYPTO 2001): k = k₁ + k₂λ mod q. For a short basis
// v₁ = (a₁, b₁), v₂ = (a₂, b₂) of the lattice of all a + bλ = 0 mod q,
//
//	(k₁, k₂) = (k, 0) - c₁v₁ - c₂v₂,  cᵢ = 2mᵢ + πᵢ,  mᵢ = ⌊k·sᵢ/R + (1 - πᵢ)/2⌋
//
// with sᵢ ≈ R·|b|/2q for the b of the other vector and the R of the field. Since
// the determinant is odd, one choice of π₁ and π₂ makes both halves odd; it depends
// on the parity of k. cᵢ is within 1 + 2⁻⁴ of the exact quotient. The result is
// (kⱼ + 2¹²⁸ - 1)/2, which takes no sign.
type splitting struct {
	f     *field // of the scalars
	basis [2][2]*big.Int
	scale [2]*big.Int
	// parity[k][i] is πᵢ for even (0) and odd (1) scalars.
	parity [2][2]uint
}

// halfBits is the length of the halves: they are between -2¹²⁸ and 2¹²⁸.
const halfBits = 128

// halfLimbs is how many limbs a half takes.
const halfLimbs = (halfBits + limbBits - 1) / limbBits

// splittings has the splitting of each curve, by the name of the field.
var splittings = map[string]*splitting{
	"bn254": splittingOf("bn254",
		"30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001",
		"b3c4d79d41a917585bfc41088d8daaa78b17ea66b99c90dd"),
	"bls12381": splittingOf("bls12381",
		"73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001",
		"ac45a4010001a40200000000ffffffff"),
}

func splittingOf(name, order, eigenvalue string) *splitting {
	lambda, ok := new(big.Int).SetString(eigenvalue, 16)
	if !ok {
		panic("the eigenvalue is not a number")
	}
	const words, limbs = 4, 5
	s := &splitting{f: gnark(name+" scalars", order, words, limbs)}
	q := s.f.p
	s.basis = shortBasis(q, lambda)
	for i := range s.scale {
		v := new(big.Int).Abs(s.basis[1-i][1])
		v.Mul(v, s.f.radix()).Div(v, q)
		s.scale[i] = v.Rsh(v, 1)
	}
	for k := range s.parity {
		s.parity[k] = s.oddChoice(uint(k))
	}
	return s
}

// shortBasis returns a basis of the lattice for which c₁ and c₂ are not negative:
// neighbouring remainders of the Euclidean algorithm for q and λ around √q.
func shortBasis(q, lambda *big.Int) (basis [2][2]*big.Int) {
	r := []*big.Int{q, lambda}
	t := []*big.Int{new(big.Int), big.NewInt(1)}
	root, n := new(big.Int).Sqrt(q), 1
	for ; r[n].Cmp(root) > 0 || n == 1; n++ {
		step := new(big.Int).Div(r[n-1], r[n])
		next := func(v []*big.Int) []*big.Int {
			return append(v, new(big.Int).Sub(v[n-1], new(big.Int).Mul(step, v[n])))
		}
		r, t = next(r), next(t)
	}
	for i, at := range []int{n - 1, n} {
		basis[i] = [2]*big.Int{new(big.Int).Set(r[at]), new(big.Int).Neg(t[at])}
	}
	det := new(big.Int).Mul(basis[0][0], basis[1][1])
	det.Sub(det, new(big.Int).Mul(basis[1][0], basis[0][1]))
	signs := [2]int{basis[1][1].Sign() * det.Sign(), -basis[0][1].Sign() * det.Sign()}
	for i, v := range basis {
		for _, x := range v {
			x.Mul(x, big.NewInt(int64(signs[i])))
		}
	}
	return basis
}

// oddChoice returns the π₁ and π₂ that make both halves of a scalar of the given
// parity odd.
func (s *splitting) oddChoice(k uint) [2]uint {
	for n := range uint(4) {
		parity := [2]uint{n & 1, n >> 1}
		first, second := k, uint(0)
		for i, v := range s.basis {
			first += parity[i] * v[0].Bit(0)
			second += parity[i] * v[1].Bit(0)
		}
		if first&second&1 == 1 {
			return parity
		}
	}
	panic("the determinant of the lattice is even")
}

// start is the result for half j if ⌊k/2⌋, m₁ and m₂ are 0, modulo 2¹²⁸.
func (s *splitting) start(k uint, j int) *big.Int {
	v := new(big.Int).Sub(pow2(halfBits), big.NewInt(1))
	if j == 0 {
		v.Add(v, big.NewInt(int64(k)))
	}
	for i, parity := range s.parity[k] {
		v.Sub(v, new(big.Int).Mul(big.NewInt(int64(parity)), s.basis[i][j]))
	}
	return modHalf(v.Rsh(v, 1))
}

// modHalf returns v modulo 2¹²⁸.
func modHalf(v *big.Int) *big.Int { return new(big.Int).Mod(v, pow2(halfBits)) }

// halves returns both halves, each in two words, of the scalars that words hold in
// Montgomery form.
func (s *splitting) halves(m machine, words []vec) (halves [2][]vec) {
	pr := program{machine: m, f: s.f}
	k := pr.outOfMontgomery(words)
	odd, even := pr.clone(k.limbs[0]), pr.clone(k.limbs[0])
	pr.andConst(odd, 1)
	pr.addConst(even, 1)
	pr.andConst(even, 1)
	var quotients [2][]vec
	for i := range quotients {
		round := pr.zero()
		for k, parity := range []vec{even, odd} {
			if s.parity[k][i] == 0 {
				pr.machine.add(round, parity)
			}
		}
		quotients[i] = pr.highProduct(k, s.scale[i], pr.shiftLeft(round, limbBits-1))
	}
	for j := range halves {
		sum := make([]vec, halfLimbs)
		from, to := s.start(0, j), s.start(1, j)
		for l, c := range pr.f.split(from)[:halfLimbs] {
			sum[l] = pr.zero()
			pr.addConst(sum[l], c)
		}
		pr.addLowProduct(sum, []vec{odd}, modHalf(to.Sub(to, from)))
		if j == 0 {
			for l := range sum {
				pr.machine.add(sum[l], pr.bitsOf(k.limbs, limbBits, 1+limbBits*l, limbBits))
			}
		}
		for i, q := range quotients {
			pr.addLowProduct(sum, q, modHalf(new(big.Int).Neg(s.basis[i][j])))
		}
		pr.carryUp(sum)
		halves[j] = []vec{pr.bitsOf(sum, limbBits, 0, 64), pr.bitsOf(sum, limbBits, 64, 64)}
	}
	return halves
}

// outOfMontgomery returns the integers below p that words hold in Montgomery form.
// It is exact: x·2^shift < R, and the result is at most p for x < p, and p only for
// a multiple of p, which x = 0 is alone.
func (pr program) outOfMontgomery(words []vec) number {
	n := pr.fromWords(words)
	t, p := n.limbs, pr.f.split(pr.f.p)
	for range n.limbs {
		t = append(t, pr.zero())
	}
	for i := range n.limbs {
		multiple := pr.quotient(t[i], pr.f.negInverse())
		pr.addMultiple(t[i:], multiple, func(j int) vec { return pr.constant(int64(p[j])) })
		pr.machine.add(t[i+1], pr.shiftRight(t[i], limbBits))
	}
	bound := new(big.Int).Add(pr.f.p, big.NewInt(1))
	return pr.clean(number{limbs: t[pr.f.limbs:], bound: bound, form: raw})
}

// highProduct returns ⌊k·c/R + round/2⁵²⌋ for c below R/2^(2·52), without the carries
// of limbs far below: 2⁻⁴⁸ less at most, before rounding.
func (pr program) highProduct(k number, c *big.Int, round vec) []vec {
	first := pr.f.limbs - 1 // the lowest limb of the product to compute
	sums := []vec{round}
	for range halfLimbs {
		sums = append(sums, pr.zero())
	}
	for i, limb := range k.limbs {
		for j, d := range pr.f.split(c)[:halfLimbs] {
			if at := i + j - first; at >= 0 {
				pr.mulLow(sums[at], limb, pr.constant(int64(d)))
			}
			if at := i + j - first + 1; at >= 0 {
				pr.mulHigh(sums[at], limb, pr.constant(int64(d)))
			}
		}
	}
	pr.carryUp(sums)
	return sums[1:]
}

// addLowProduct adds a·c to sum, modulo its size.
func (pr program) addLowProduct(sum, a []vec, c *big.Int) {
	for i, limb := range a {
		for j, d := range pr.f.split(c)[:halfLimbs] {
			if i+j < len(sum) && d != 0 {
				pr.mulLow(sum[i+j], limb, pr.constant(int64(d)))
			}
			if i+j+1 < len(sum) && d != 0 {
				pr.mulHigh(sum[i+j+1], limb, pr.constant(int64(d)))
			}
		}
	}
}

// carryUp brings all limbs except the last below 2⁵². They are not negative.
func (pr program) carryUp(limbs []vec) {
	for i := range limbs[:len(limbs)-1] {
		c := pr.shiftRight(limbs[i], limbBits)
		pr.andConst(limbs[i], mask52)
		pr.machine.add(limbs[i+1], c)
	}
}
