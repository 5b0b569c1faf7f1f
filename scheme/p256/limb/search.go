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

// Tried says how far a search went.
type Tried struct {
	Pairs int
	// Largest is the largest absolute value of an accumulator, over the
	// integers, that climbing reached.
	Largest *big.Int
}

// searcher holds one search.
type searcher struct {
	Setting
	mult  program
	p     *big.Int
	rng   *rand.Rand
	pairs int
	limit int
	done  func() bool
}

// The search tries cornerPairs pairs with all limbs at their ends, then
// randomPairs pairs with some limbs elsewhere, and then climbs.
const (
	cornerPairs = 1 << 14
	randomPairs = 1 << 14
)

// find looks for a witness of s until it has one, ctx is done, or all pairs
// have been tried: corners first, then random limbs, then climbing towards the
// largest accumulator. It returns nil without a witness.
func (f Search) find(ctx context.Context, s Setting) (*Witness, Tried) {
	sr := &searcher{
		Setting: s, mult: s.mult(), p: s.Modulus.P(),
		rng: rand.New(rand.NewPCG(f.Seed, 0)), limit: f.Pairs,
		done: func() bool { return ctx.Err() != nil },
	}
	w, largest := sr.sample(cornerPairs, 0), new(big.Int)
	if w == nil {
		w = sr.sample(randomPairs, 2)
	}
	if w == nil {
		w, largest = sr.climb()
	}
	return w, Tried{sr.pairs, largest}
}

// more counts a pair and reports whether it may be tried.
func (s *searcher) more() bool {
	if s.limit > 0 && s.pairs >= s.limit || s.done() {
		return false
	}
	s.pairs++
	return true
}

// sample tries pairs of operands with limbs at their ends. If inside is not 0,
// one limb in inside is uniformly random instead.
func (s *searcher) sample(pairs, inside int) *Witness {
	for range pairs {
		if !s.more() {
			return nil
		}
		a, ok := s.operand(inside)
		if !ok {
			continue
		}
		b := a
		if s.rng.IntN(2) == 1 {
			if b, ok = s.operand(inside); !ok {
				continue
			}
		}
		if s.wrong(a, b) {
			return &Witness{a, b}
		}
	}
	return nil
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

// stuck is how many steps without progress end a climb.
const stuck = 200

// climb changes one limb at a time and keeps changes that make the largest
// accumulator larger. It starts again where it gets stuck.
func (s *searcher) climb() (*Witness, *big.Int) {
	largest := new(big.Int)
	for {
		l, ok := s.operand(2)
		if !ok {
			if !s.more() {
				return nil, largest
			}
			continue
		}
		best := new(big.Int)
		for idle := 0; idle < stuck; idle++ {
			if !s.more() {
				return nil, largest
			}
			next := s.neighbour(l)
			if next == nil {
				continue
			}
			peak := s.peak(next)
			if s.wrong(next, next) {
				return &Witness{next, next}, peak
			}
			if peak.Cmp(best) > 0 {
				l, best, idle = next, peak, 0
			}
		}
		if largest.Cmp(best) < 0 {
			largest = best
		}
	}
}

// neighbour returns l with one limb changed, nil if no value decodes to the result.
func (s *searcher) neighbour(l []int64) []int64 {
	next := slices.Clone(l)
	i := s.rng.IntN(s.Limbs)
	lo, hi := s.ends(i)
	switch s.rng.IntN(3) {
	case 0:
		next[i] = lo
	case 1:
		next[i] = hi
	default:
		next[i] = lo + s.rng.Int64N(hi-lo+1)
	}
	if !s.canonical(next) {
		return nil
	}
	return next
}

// peak returns the largest accumulator of the square of l, doubled MaxAdds
// times, over the integers.
func (s *searcher) peak(l []int64) *big.Int {
	x := make([]*big.Int, len(l))
	for i, v := range l {
		x[i] = new(big.Int).Lsh(big.NewInt(v), uint(s.MaxAdds))
	}
	_, peak := s.multExact(s.mult, x, x)
	return peak
}
