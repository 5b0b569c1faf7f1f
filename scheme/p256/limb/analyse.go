package limb

import (
	"fmt"
	"math/big"
	"slices"
)

// A Setting is a question of head-room: may values be added up to MaxAdds
// times before a product, in programs with Passes passes?
type Setting struct {
	Geometry
	MaxAdds int
	Passes  int
	// ExtraTop repeats the reduction of the top limb in each pass, before the
	// carries of the other limbs.
	ExtraTop bool
}

// maxPasses bounds the work of an analysis; a third pass does not change it.
const maxPasses = 4

// Validate returns an error that says which number cannot be.
func (s Setting) Validate() error {
	if s.MaxAdds < 0 || s.MaxAdds > s.Word/2 {
		return fmt.Errorf("%d additions before a product: from 0 to %d are allowed", s.MaxAdds, s.Word/2)
	}
	if s.Passes < 1 || s.Passes > maxPasses {
		return fmt.Errorf("%d passes: from 1 to %d are allowed", s.Passes, maxPasses)
	}
	return s.Geometry.validate()
}

// bounds returns the intervals of the limbs of a decoded value.
func (s Setting) bounds() []interval {
	half := int64(1) << (s.Bits - 1)
	b := slices.Repeat([]interval{newInterval(-half, half)}, s.Limbs)
	b[s.Limbs-1] = newInterval(0, 1<<s.topShift())
	return b
}

// A Bound is the largest absolute value that the analysis found possible, and
// where.
type Bound struct {
	Where string
	Size  *big.Int
}

// analysis is interval arithmetic over programs of a setting.
type analysis struct {
	Setting
	fold []fold
	word interval // the range of an accumulator
	c    []interval
	peak Bound
	// over is the first bound that left the word.
	over *Bound
}

func newAnalysis(s Setting) *analysis {
	end := new(big.Int).Lsh(big.NewInt(1), uint(s.Word-1))
	word := interval{new(big.Int).Neg(end), new(big.Int).Sub(end, big.NewInt(1))}
	return &analysis{Setting: s, fold: s.folds(), word: word}
}

// load makes limbs the operand of a program without columns.
func (a *analysis) load(limbs []interval) {
	a.c = make([]interval, 2*a.Limbs)
	for i := range a.c {
		a.c[i] = newInterval(0, 0)
	}
	copy(a.c, limbs)
}

// set gives accumulator i an interval that instruction in computes, and
// reports whether it fits a word.
func (a *analysis) set(i int, x interval, in instr) bool {
	a.c[i] = x
	size := x.size()
	if a.peak.Size == nil || size.Cmp(a.peak.Size) > 0 {
		a.peak = Bound{in.where(), size}
	}
	if !a.word.contains(x) {
		a.over = &Bound{in.where(), size}
	}
	return a.over == nil
}

// step executes one instruction on intervals; x is the interval vector of both
// operands of a column. It reports whether everything fits a word.
func (a *analysis) step(in instr, x []interval) bool {
	switch in.Op {
	case col, sqr:
		sum := newInterval(0, 0)
		for i := max(0, in.I-a.Limbs+1); i <= min(in.I, a.Limbs-1); i++ {
			sum = sum.add(x[i].mul(x[in.I-i]))
		}
		return a.set(in.I, sum, in)
	case reduce:
		v := a.c[in.I]
		a.c[in.I] = newInterval(0, 0)
		for _, f := range a.fold {
			if !a.reduce(v, f, in) {
				return false
			}
		}
		return true
	default:
		return a.carry(in)
	}
}

func (a *analysis) reduce(v interval, f fold, in instr) bool {
	high := v
	if !f.whole(a.Bits) {
		keep := uint(a.Bits) - f.off
		low := v.low(keep).shiftLeft(f.off).times(f.coef)
		if !a.set(in.I-f.low, a.c[in.I-f.low].add(low), in) {
			return false
		}
		high = v.shiftRight(keep)
	}
	return a.set(in.I-f.low+1, a.c[in.I-f.low+1].add(high.times(f.coef)), in)
}

func (a *analysis) carry(in instr) bool {
	half := int64(1) << (a.Bits - 1)
	v := a.c[in.I].add(newInterval(half, half))
	if !a.word.contains(v) {
		return a.set(in.I, v, in) // the rounding itself leaves the word
	}
	t := v.shiftRight(uint(a.Bits))
	a.c[in.I] = v.low(uint(a.Bits)).add(newInterval(-half, -half))
	return a.set(in.I+1, a.c[in.I+1].add(t), in)
}

// run executes p on intervals until a bound leaves the word. Record is called
// after every instruction; it may be nil.
func (a *analysis) run(p program, x []interval, record func(instr)) bool {
	for _, in := range p {
		if !a.step(in, x) {
			return false
		}
		if record != nil {
			record(in)
		}
	}
	return true
}

// grown returns the bounds of values after k additions and subtractions.
func grown(limbs []interval, k int) []interval {
	out := make([]interval, len(limbs))
	for i, x := range limbs {
		out[i] = x.symmetric(k)
	}
	return out
}

// round runs the programs of the setting on operands within s and returns
// intervals that hold s and all results, or nil if a bound leaves the word.
func (a *analysis) round(s []interval, product, reduction func(instr)) []interval {
	next := slices.Clone(s)
	a.load(nil)
	if !a.run(a.mult(), grown(s, a.MaxAdds), product) {
		return nil
	}
	unite(next, a.c)
	a.load(grown(s, a.maxSum()+1))
	if !a.run(a.small(), nil, reduction) {
		return nil
	}
	unite(next, a.c)
	return next
}

func unite(dst, src []interval) {
	for i := range dst {
		dst[i] = dst[i].union(src[i])
	}
}

// fixPoint returns intervals that hold the limbs of every value that a program
// of the setting can have with count 0, or nil if a bound leaves the word. A
// bound never shrinks and the word is finite, so the loop ends.
func (a *analysis) fixPoint() []interval {
	s := a.bounds()
	for {
		a.peak = Bound{}
		next := a.round(s, nil, nil)
		if next == nil || slices.EqualFunc(s, next, interval.equal) {
			return next
		}
		s = next
	}
}
