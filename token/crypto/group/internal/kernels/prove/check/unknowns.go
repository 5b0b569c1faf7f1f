package main

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
)

var zero, one = new(big.Int), big.NewInt(1)

func add(a, b *big.Int) *big.Int { return new(big.Int).Add(a, b) }

func mul(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) }

func left(a *big.Int, n int) *big.Int { return new(big.Int).Lsh(a, uint(n)) }

func right(a *big.Int, n int) *big.Int { return new(big.Int).Rsh(a, uint(n)) }

// below returns 2^n - 1.
func below(n int) *big.Int { return add(left(one, n), big.NewInt(-1)) }

func least(a, b *big.Int) *big.Int {
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}

// term is c·a·b for unknowns a and b. Unknown 0 is the number 1.
type term struct {
	a, b int
	c    *big.Int
}

// unknown is an integer: the content of a register or a limb, or a part of it.
type unknown struct {
	low, high *big.Int
	parts     []term // with an equation, it is their sum
	shift     int    // divided by 2^shift
	// Without an equation, it is this modulo p. If value is nil, it must vanish.
	value residue

	bits   map[int]int // the unknown for its lowest bits
	copied int         // it is a copy of this unknown
	plus   int         // it is this unknown + 2⁵² - 1
	factor func() int  // it is a limb of a number in memory, and so multiplied
	source [2]int      // it is this unknown, shifted by that
	choice *choice     // it is an entry of a table
}

// choice is the entries that one index has in several tables.
type choice struct {
	source  [2]int
	tables  [][8]int64
	entries []int
	to      []int // the unknowns that they are added to
}

// system is the unknowns and equations of a run.
type system struct {
	p         *big.Int
	limbs     int
	missing   bool // the lane may be without an element
	unknowns  []*unknown
	highs     map[[2]int]int
	constants map[int64]int
	numbers   map[string][]int
	quotients map[int]int
	choices   map[int]*choice
}

func (s *system) new(low, high *big.Int, shift int, parts ...term) int {
	s.unknowns = append(s.unknowns,
		&unknown{low: low, high: high, parts: parts, shift: shift, bits: map[int]int{}})
	return len(s.unknowns) - 1
}

func (s *system) constant(c int64) int {
	if _, there := s.constants[c]; !there {
		s.constants[c] = s.new(big.NewInt(c), big.NewInt(c), 0, term{0, 0, big.NewInt(c)})
	}
	return s.constants[c]
}

// sum returns a + sign·b.
func (s *system) sum(a, b int, sign int64) int {
	x, y, c := s.unknowns[a], s.unknowns[b], big.NewInt(sign)
	l, h := mul(c, y.low), mul(c, y.high)
	if sign < 0 {
		l, h = h, l
	}
	v := s.new(add(x.low, l), add(x.high, h), 0, term{a, 0, one}, term{b, 0, c})
	if sign > 0 && b == s.constant(below(52).Int64()) {
		s.unknowns[v].plus = a
	}
	if y.choice != nil {
		y.choice.to[slices.Index(y.choice.entries, b)] = a
	}
	return v
}

// copyOf returns v as a limb of a number in memory.
func (s *system) copyOf(v int, factor func() int) int {
	w := s.new(s.unknowns[v].low, s.unknowns[v].high, 0, term{v, 0, one})
	s.unknowns[w].factor, s.unknowns[w].bits, s.unknowns[w].copied = factor, s.unknowns[v].bits, v
	return w
}

// fits reports whether low ≤ v ≤ high. If the bounds of v do not show it, fits improves them with
// the bounds of the parts of v.
func (s *system) fits(v int, low, high *big.Int) bool {
	x := s.unknowns[v]
	if x.low.Cmp(low) < 0 || x.high.Cmp(high) > 0 {
		l, h := s.bounds([]term{{v, 0, one}})
		x.low, x.high = new(big.Int).Neg(least(mul(l, big.NewInt(-1)), mul(x.low, big.NewInt(-1)))),
			least(h, x.high)
	}
	return x.low.Cmp(low) >= 0 && x.high.Cmp(high) <= 0
}

// must returns v if it fits. Where no element is, v may also be anything that fits.
func (s *system) must(v int, low, high *big.Int) int {
	if s.fits(v, low, high) {
		return v
	}
	if !s.missing {
		fail("a value from %v to %v", s.unknowns[v].low, s.unknowns[v].high)
	}
	return s.new(low, high, 0)
}

// lowest returns the unknown for v modulo 2^n: v itself, if it is small and without an equation.
func (s *system) lowest(v, n int) int {
	x := s.unknowns[v]
	isSmall := x.low.Sign() >= 0 && x.high.BitLen() <= n
	if isSmall && (len(x.parts) == 0 || x.low.Cmp(x.high) == 0) {
		return v
	}
	if x.bits[n] == 0 {
		x.bits[n] = s.new(zero, below(n), 0)
		if isSmall {
			s.unknowns[x.bits[n]].high = x.high
		}
	}
	return x.bits[n]
}

// part returns v modulo 2⁵² as a limb of a number.
func (s *system) part(v int) int {
	if s.unknowns[v].bits[52] == 0 && s.fits(v, zero, below(52)) {
		return v
	}
	return s.lowest(v, 52)
}

func (s *system) factorOf(v int) int {
	if f := s.unknowns[v].factor; f != nil {
		return f()
	}
	return s.lowest(v, 52)
}

// multiply adds a half of a·b to acc: a·b - 2⁵²h or h. With 0 and -1/p it is a quotient q: modulo
// 2⁵², q·p is -a.
func (s *system) multiply(acc, a, b int, upper bool) int {
	f, g, x := s.factorOf(a), s.factorOf(b), s.unknowns[acc]
	key, most := [2]int{min(f, g), max(f, g)}, mul(s.unknowns[f].high, s.unknowns[g].high)
	h, there := s.highs[key]
	if !there {
		h = s.new(zero, right(most, 52), 0)
		s.highs[key] = h
	}
	if upper {
		return s.sum(acc, h, 1)
	}
	y := s.unknowns[b]
	isQuotient := x.low.Sign() == 0 && x.high.Sign() == 0 && y.low.Cmp(y.high) == 0
	if isQuotient && add(mul(y.high, s.p), one).TrailingZeroBits() >= 52 {
		if s.quotients[f] == 0 {
			s.quotients[f] = s.new(zero, below(52), 0)
		}
		return s.quotients[f]
	}
	return s.new(x.low, add(x.high, least(most, below(52))), 0, term{acc, 0, one}, term{f, g, one},
		term{h, 0, left(big.NewInt(-1), 52)})
}

// right shifts v to the right: it is (v - lowest)/2^n.
func (s *system) right(v, n int, signed bool) int {
	if signed {
		v = s.must(v, left(big.NewInt(-1), 63), below(63))
	} else {
		v = s.must(v, zero, below(64))
	}
	x := s.unknowns[v]
	low, high := right(x.low, n), right(x.high, n)
	if t := x.plus; t != 0 && n == 52 && !signed && s.unknowns[t].low.Sign() >= 0 {
		// If a quotient q was made from t, adding the low half of q·p to t gives the smallest
		// multiple of 2⁵² that is at least t. That multiple divided by 2⁵² is ⌊(t + 2⁵² - 1)/2⁵²⌋.
		if q := s.quotients[s.factorOf(t)]; q != 0 {
			p := s.constant(new(big.Int).And(s.p, below(52)).Int64())
			return s.new(low, high, n, term{s.multiply(t, q, p, false), 0, one})
		}
	}
	bits := s.lowest(v, n)
	if bits == v {
		return s.constant(0)
	}
	out := s.new(low, high, n, term{v, 0, one}, term{bits, 0, big.NewInt(-1)})
	if signed {
		s.unknowns[out].source = [2]int{v, n}
	}
	return out
}

// lookUp returns the entry that v chooses of eight.
func (s *system) lookUp(v int, table [8]int64) int {
	source := s.unknowns[v].source
	e := s.new(big.NewInt(slices.Min(table[:])), big.NewInt(slices.Max(table[:])), 0)
	if source[0] == 0 || !s.fits(v, big.NewInt(-4), big.NewInt(3)) {
		if !s.missing {
			fail("an index outside of its table")
		}
		return e
	}
	if s.choices[v] == nil {
		s.choices[v] = &choice{source: source}
	}
	c := s.choices[v]
	s.unknowns[e].choice = c
	c.tables, c.entries, c.to = append(c.tables, table), append(c.entries, e), append(c.to, 0)
	return e
}

// settle gives the first entry of a choice an equation, once each limb of a number has an entry:
// the sum is a new number y, bounded index by index, and the same modulo p.
func (s *system) settle(c *choice) bool {
	last := s.limbs - 1
	if len(c.to) != s.limbs || c.to[last] != c.source[0] || slices.Contains(c.to, 0) ||
		len(s.unknowns[c.entries[0]].parts) > 0 {
		return false
	}
	var whole, parts []term
	low, high := zero, zero
	for i, v := range c.to {
		whole = append(whole, term{v, 0, left(one, 52*i)})
		parts = append(parts, term{v, 0, left(big.NewInt(-1), 52*i)})
		if i > 0 {
			parts = append(parts, term{c.entries[i], 0, left(big.NewInt(-1), 52*i)})
		}
		if i < last {
			low, high = add(low, left(s.unknowns[v].low, 52*i)), add(high, left(s.unknowns[v].high, 52*i))
		}
	}
	from, to := s.bounds(whole)
	y := s.new(left(one, 60*s.limbs), left(big.NewInt(-1), 60*s.limbs), 0)
	x := s.unknowns[y]
	for k := int64(-4); k < 4; k++ {
		multiple := zero
		for i, t := range c.tables {
			multiple = add(multiple, left(big.NewInt(t[k&7]), 52*i))
		}
		if new(big.Int).Mod(multiple, s.p).Sign() != 0 {
			fail("an entry that is not a multiple of p")
		}
		l := add(left(big.NewInt(k), c.source[1]+52*last), low)
		h := add(left(add(left(big.NewInt(k+1), c.source[1]), big.NewInt(-1)), 52*last), high)
		if l.Cmp(from) < 0 {
			l = from
		}
		h = least(h, to)
		if l.Cmp(h) <= 0 {
			x.low = least(x.low, add(l, multiple))
			h = add(h, multiple)
			if h.Cmp(x.high) > 0 {
				x.high = h
			}
		}
	}
	x.value, _ = s.reduce(whole)
	s.unknowns[c.entries[0]].parts = append(parts, term{y, 0, one})
	return true
}

// scale is the power of 2 that coefficients have while unknowns are eliminated.
const scale = 52 * 40

// eliminate replaces unknowns by their equations, the latest first.
func (s *system) eliminate(p []term) (out []term) {
	rows := make(map[int]map[int]*big.Int) // by two unknowns: an equation first, then the later one
	put := func(a, b int, c *big.Int) {
		a, b = max(a, b), min(a, b)
		if len(s.unknowns[a].parts) == 0 && len(s.unknowns[b].parts) > 0 {
			a, b = b, a
		}
		if rows[a] == nil {
			rows[a] = map[int]*big.Int{}
		}
		if rows[a][b] != nil {
			c = add(rows[a][b], c)
		}
		rows[a][b] = c
	}
	for _, t := range p {
		put(t.a, t.b, left(t.c, scale))
	}
	for again := true; again; {
		again = false
		for v := len(s.unknowns) - 1; v >= 0; v-- {
			x, row := s.unknowns[v], rows[v]
			if row != nil && x.choice != nil && s.settle(x.choice) {
				return s.eliminate(p) // with one equation more
			}
			if row == nil || len(x.parts) == 0 {
				continue
			}
			delete(rows, v)
			for b, c := range row {
				for _, t := range x.parts {
					d := mul(c, t.c)
					if d.Sign() != 0 && (d.TrailingZeroBits() < uint(x.shift) || b != 0 && t.b != 0) {
						fail("an equation that is not of degree 2")
					}
					put(t.a, max(t.b, b), right(d, x.shift))
					again = again || t.a > v || b >= v
				}
			}
		}
	}
	for a, row := range rows {
		for b, c := range row {
			out = append(out, term{a, b, c})
		}
	}
	return out
}

// bounds returns bounds of a polynomial.
func (s *system) bounds(p []term) (low, high *big.Int) {
	low, high = zero, zero
	for _, t := range s.eliminate(p) {
		a, b := s.unknowns[t.a], s.unknowns[t.b]
		if t.b != 0 && (a.low.Sign() < 0 || b.low.Sign() < 0) {
			fail("a product of negative numbers")
		}
		l, h := mul(mul(a.low, b.low), t.c), mul(mul(a.high, b.high), t.c)
		low, high = add(low, least(l, h)),
			add(high, new(big.Int).Neg(least(new(big.Int).Neg(l), new(big.Int).Neg(h))))
	}
	return new(big.Int).Neg(right(new(big.Int).Neg(low), scale)), right(high, scale)
}

// reduce returns a polynomial modulo p. All unknowns without a value must vanish.
func (s *system) reduce(p []term) (out residue, ok bool) {
	out = residue{}
	inverse := new(big.Int).ModInverse(left(one, scale), s.p)
	for _, t := range s.eliminate(p) {
		c := new(big.Int).Mod(mul(t.c, inverse), s.p)
		a, b := s.unknowns[t.a].value, s.unknowns[t.b].value
		if c.Sign() != 0 && (a == nil || b == nil) {
			return nil, false
		}
		out.add(a.times(b, s.p), c, s.p)
	}
	return out, true
}

// number returns the limbs of a number in memory as factors: the first one is the number less the
// others, so that in products only whole numbers are left.
func (s *system) number(limbs []int, where string,
	claim func(where string, low, high *big.Int) (*big.Int, *big.Int)) []int {
	key := fmt.Sprint(limbs)
	if s.numbers[key] != nil {
		return s.numbers[key]
	}
	var whole []term
	for i, v := range limbs {
		whole = append(whole, term{s.part(v), 0, left(one, 52*i)})
	}
	low, high := s.bounds(whole)
	low, high = claim(where, low, high)
	v := s.new(low, high, 0)
	s.unknowns[v].value, _ = s.reduce(whole)
	rest, factors := []term{{v, 0, one}}, make([]int, len(limbs))
	for i := len(limbs) - 1; i >= 0; i-- {
		if high := s.unknowns[whole[i].a].high; i > 0 {
			factors[i] = s.new(zero, high, 0)
			rest = append(rest, term{factors[i], 0, left(big.NewInt(-1), 52*i)})
		} else {
			factors[0] = s.new(zero, high, 0, rest...)
		}
	}
	s.numbers[key] = factors
	return factors
}

// residue is a polynomial modulo p, or over the integers: coefficients by sorted names.
type residue map[string]*big.Int

// add adds c·b to r.
func (r residue) add(b residue, c, p *big.Int) {
	for k, v := range b {
		w := mul(v, c)
		if r[k] != nil {
			w.Add(w, r[k])
		}
		if p != nil {
			w.Mod(w, p)
		}
		r[k] = w
		if w.Sign() == 0 {
			delete(r, k)
		}
	}
}

func (r residue) times(b residue, p *big.Int) residue {
	out := residue{}
	for k, v := range r {
		for l, w := range b {
			names := append(strings.Fields(k), strings.Fields(l)...)
			slices.Sort(names)
			out.add(residue{strings.Join(names, " "): v}, w, p)
		}
	}
	return out
}
