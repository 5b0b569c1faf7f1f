package main

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestHalves splits random and extreme scalars, and those for which a quotient is
// near the limit of rounding.
func TestHalves(t *testing.T) {
	for _, s := range splittings {
		q := s.f.p
		rnd := rand.New(rand.NewPCG(7, 8))
		ks := edges(s.f, q, rnd)
		for _, scale := range s.scale {
			for range 100 {
				n := new(big.Int).Mod(new(big.Int).SetUint64(rnd.Uint64()), pow2(rnd.IntN(64)+1))
				n.Lsh(n, uint(scale.BitLen()/2))
				n.Mul(n, s.f.radix()).Div(n, scale)
				n.Rsh(n, 1)
				for d := int64(-1); d <= 1; d++ {
					ks = append(ks, new(big.Int).Mod(new(big.Int).Add(n, big.NewInt(d)), q))
				}
			}
		}
		for _, k := range ks {
			s.check(t, k)
		}
	}
}

// check requires halves that are short and add up to k.
func (s *splitting) check(t *testing.T, k *big.Int) {
	t.Helper()
	i := &interpreter{}
	mont := new(big.Int).Lsh(k, uint(64*s.f.words))
	mont.Mod(mont, s.f.p)
	var words []vec
	for range s.f.words {
		word := new(big.Int).And(mont, new(big.Int).SetUint64(1<<64-1))
		words = append(words, i.new(word, new(big.Int), pow2(64)))
		mont.Rsh(mont, 64)
	}
	var values [2]*big.Int
	for j, half := range s.halves(i, words) {
		v := new(big.Int).Lsh(half[1].(*interval).value, 64)
		v.Add(v, half[0].(*interval).value)
		v.Lsh(v, 1).Add(v, big.NewInt(1))
		values[j] = v.Sub(v, pow2(halfBits))
	}
	sum := new(big.Int).Mul(values[1], s.eigenvalue())
	sum.Add(sum, values[0])
	if sum.Mod(sum, s.f.p).Cmp(k) != 0 {
		t.Fatalf("%s: the halves of %x are %x", s.f.name, k, values)
	}
}

// eigenvalue is λ = -a/b for a vector (a, b) of the lattice.
func (s *splitting) eigenvalue() *big.Int {
	v := s.basis[0]
	l := new(big.Int).ModInverse(v[1], s.f.p)
	l.Mul(l, v[0]).Neg(l)
	return l.Mod(l, s.f.p)
}

// TestHalvesAreShort bounds the halves by the distance of cᵢ to the exact quotient:
// 1 from rounding to a parity, twice the error of sᵢ times k/R, and twice 2⁻⁴⁸.
func TestHalvesAreShort(t *testing.T) {
	for _, s := range splittings {
		for j := range 2 {
			bound := new(big.Int)
			for i := range 2 {
				v := new(big.Int).Abs(s.basis[i][j])
				bound.Add(bound, v.Mul(v, big.NewInt(17)))
			}
			if bound.Rsh(bound, 4).Cmp(pow2(halfBits)) >= 0 {
				t.Errorf("%s: half %d may be as large as %x", s.f.name, j, bound)
			}
		}
	}
}
