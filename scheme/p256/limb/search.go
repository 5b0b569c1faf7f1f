package limb

import (
	"context"
	"math/big"
	"math/rand/v2"
	"slices"
)

// A Witness is a pair of operands, as limbs, for which a setting is wrong: each
// doubled MaxAdds times and multiplied in wrapping arithmetic, they do not give
// the product of their values.
type Witness struct{ A, B []int64 }

// A Search looks for witnesses. The same seed tries the same pairs.
type Search struct {
	Seed uint64
	// Pairs bounds how many pairs are tried; 0 leaves the bound to the context.
	Pairs int
}

// searcher holds one search.
type searcher struct {
	Setting
	mult program
	p    *big.Int
	rng  *rand.Rand
}

// cornerPairs pairs have all limbs at their ends; in later pairs every second limb is
// random. All known witnesses are corners.
const cornerPairs = 1 << 14

// find looks for a witness of s until it has one, ctx is done, or all pairs have been
// tried. It returns nil without a witness, and the number of tried pairs.
func (f Search) find(ctx context.Context, s Setting) (w *Witness, pairs int) {
	sr := &searcher{Setting: s, mult: s.mult(), p: s.Modulus.P(), rng: rand.New(rand.NewPCG(f.Seed, 0))}
	for w == nil && ctx.Err() == nil && (f.Pairs == 0 || pairs < f.Pairs) {
		inside := 0
		if pairs >= cornerPairs {
			inside = 2
		}
		w = sr.pair(inside)
		pairs++
	}
	return w, pairs
}

// pair tries a pair of operands with limbs at their ends. If inside is not 0, one limb in
// inside is uniformly random instead. It returns nil without a witness.
func (s *searcher) pair(inside int) *Witness {
	a, ok := s.operand(inside)
	if !ok {
		return nil
	}
	b := a
	if s.rng.IntN(2) == 1 {
		b, ok = s.operand(inside)
		if !ok {
			return nil
		}
	}
	if !s.wrong(a, b) {
		return nil
	}
	return &Witness{a, b}
}

// operand returns random limbs of a value below p, or false if decoding the value
// of these limbs gives other ones.
func (s *searcher) operand(inside int) ([]int64, bool) {
	l := make([]int64, s.Limbs)
	for i := range l {
		lo, hi := s.ends(i)
		switch {
		case inside > 0 && s.rng.IntN(inside) == 0:
			l[i] = lo + s.rng.Int64N(hi-lo+1)
		case s.rng.IntN(2) == 0:
			l[i] = lo
		default:
			l[i] = hi
		}
	}
	return l, s.canonical(l)
}

// ends returns the lowest and the highest value of limb i of an operand.
func (s *searcher) ends(i int) (lo, hi int64) {
	if i == s.Limbs-1 {
		return 0, 1 << s.topShift()
	}
	return -1 << (s.Bits - 1), 1<<(s.Bits-1) - 1
}

// canonical reports whether l are the limbs of a decoded value below p.
func (s *searcher) canonical(l []int64) bool {
	v := s.Value(l)
	return v.Sign() >= 0 && v.Cmp(s.p) < 0 && slices.Equal(s.decode(v), l)
}

// wrong reports whether the product of a and b, each doubled MaxAdds times, is
// wrong in wrapping arithmetic.
func (s *searcher) wrong(a, b []int64) bool {
	got := s.Value(s.multWrapping(s.mult, s.doubled(a), s.doubled(b)))
	want := new(big.Int).Mul(s.Value(a), s.Value(b))
	want.Lsh(want, uint(2*s.MaxAdds))
	return want.Sub(want, got).Mod(want, s.p).Sign() != 0
}

// doubled returns l·2^MaxAdds in wrapping arithmetic.
func (s Setting) doubled(l []int64) []int64 {
	out := make([]int64, len(l))
	for i, x := range l {
		out[i] = x << s.MaxAdds
	}
	return out
}
