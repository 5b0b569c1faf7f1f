package main

import (
	"fmt"
	"math/big"
	"math/bits"
	"slices"
)

var zero, one = new(big.Int), big.NewInt(1)

func add(a, b *big.Int) *big.Int { return new(big.Int).Add(a, b) }

func sub(a, b *big.Int) *big.Int { return new(big.Int).Sub(a, b) }

func mul(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) }

func left(a *big.Int, n int) *big.Int { return new(big.Int).Lsh(a, uint(n)) }

func right(a *big.Int, n int) *big.Int { return new(big.Int).Rsh(a, uint(n)) }

// power returns c·2^n, and below 2^n - 1.
func power(c int64, n int) *big.Int { return left(big.NewInt(c), n) }

func below(n int) *big.Int { return sub(power(1, n), one) }

func least(a, b *big.Int) *big.Int {
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}

func most(a, b *big.Int) *big.Int { return sub(add(a, b), least(a, b)) }

// term is c·a·b for unknowns a and b. Unknown 0 is the number 1.
type term struct {
	a, b int
	c    *big.Int
}

// sumOf returns the number in limbs, times c.
func sumOf(limbs []int, c int64) (p []term) {
	for i, v := range limbs {
		p = append(p, term{v, 0, power(c, 52*i)})
	}
	return p
}

// unknown is an integer: the content of a register or a limb, or a part of it.
type unknown struct {
	low, high *big.Int
	parts     []term   // with an equation, it is their sum
	shift     int      // divided by 2^shift
	value     *big.Int // modulo p at the point of the run; without a value and an equation, it must vanish

	same    int         // it is this unknown, which only its value depends on
	zeros   int         // its lowest bits that are 0
	bits    map[int]int // the unknown for its lowest bits
	copied  int         // it is a copy of this unknown
	limbs   []int       // it is a limb of this number in memory, and so multiplied
	limb    int         // its place among them
	where   string      // where it was loaded
	plus    int         // it is this unknown + 2⁵² - 1
	pieces  [2]int      // it is the first one, which is below 2^by, + 2^by·the second one
	by      int
	source  [2]int // it is this unknown, shifted by that
	index   int    // it is an entry of a table that this unknown chose
	tables  [][8]int64
	entries []int // that it chose
	to      []int // the unknowns that they are added to, or instead of
	others  []int
}

// system is the unknowns and equations of a run.
type system struct {
	p     *big.Int
	limbs int
	certificate
	missing   bool // the lane may be without an element
	unknowns  []*unknown
	highs     map[[2]int]int
	constants map[int64]int
	numbers   map[string][]int
	quotients map[int]int
}

func (s *system) new(low, high *big.Int, shift int, parts ...term) int {
	s.unknowns = append(s.unknowns,
		&unknown{low: low, high: high, parts: parts, shift: shift, bits: map[int]int{}})
	return len(s.unknowns) - 1
}

func (s *system) constant(c int64) int {
	if s.constants[c] == 0 {
		s.constants[c] = s.new(big.NewInt(c), big.NewInt(c), 0, term{0, 0, big.NewInt(c)})
		s.unknowns[s.constants[c]].zeros = bits.TrailingZeros64(uint64(c))
	}
	return s.constants[c]
}

func (x *unknown) isConstant() bool { return x.low.Cmp(x.high) == 0 }

// sum returns a + c·b.
func (s *system) sum(a, b int, c *big.Int) int {
	x, y := s.unknowns[a], s.unknowns[b]
	l, h := mul(c, y.low), mul(c, y.high)
	v := s.new(add(x.low, least(l, h)), add(x.high, most(l, h)), 0, term{a, 0, one}, term{b, 0, c})
	if c == one && b == s.constant(below(52).Int64()) {
		s.unknowns[v].plus = a
	}
	s.unknowns[v].zeros = min(x.zeros, y.zeros)
	if x := s.unknowns[y.index]; y.index != 0 {
		x.to = append(x.to, a)
		s.settle(x)
	}
	return v
}

// join returns a + 2^n·b, where a is below 2^n.
func (s *system) join(a, b, n int) int {
	a = s.must(a, zero, below(n))
	if s.unknowns[a].isConstant() && s.unknowns[b].isConstant() {
		return s.constant(s.unknowns[a].low.Int64() + s.unknowns[b].low.Int64()<<n)
	}
	v := s.sum(a, b, power(1, n))
	s.unknowns[v].pieces, s.unknowns[v].by = [2]int{a, b}, n
	return v
}

// or returns a | b. One of them was shifted to the left.
func (s *system) or(a, b int) int {
	if s.unknowns[b].by == 0 {
		a, b = b, a
	}
	y := s.unknowns[b]
	if y.by == 0 || y.pieces[0] != s.constant(0) {
		fail("VPORQ of values that may have the same bits")
	}
	return s.join(a, y.pieces[1], y.by)
}

// fits reports whether low ≤ v ≤ high. If the bounds of v do not show it, fits improves them with
// the bounds of the parts of v.
func (s *system) fits(v int, low, high *big.Int) bool {
	x := s.unknowns[v]
	if x.low.Cmp(low) < 0 || x.high.Cmp(high) > 0 {
		l, h := s.bounds([]term{{v, 0, one}})
		x.low, x.high = most(l, x.low), least(h, x.high)
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
	switch {
	case isSmall && (len(x.parts) == 0 || x.isConstant()):
		return v
	case x.bits[n] != 0:
	case n <= x.zeros:
		return s.constant(0)
	case !isSmall && x.by > 0 && n > x.by:
		x.bits[n] = s.join(x.pieces[0], s.lowest(x.pieces[1], n-x.by), x.by)
	case !isSmall && x.source[0] != 0 && n+x.source[1] < 64:
		x.bits[n] = s.right(s.lowest(x.source[0], n+x.source[1]), x.source[1], false)
	default:
		x.bits[n] = s.new(zero, below(n), 0)
		y := s.unknowns[x.bits[n]]
		y.zeros = x.zeros
		if isSmall {
			y.high = x.high
		} else {
			y.bits = x.bits // its lowest bits are those of v
		}
		if s.isPlain(v, n) {
			y.same = v
		}
	}
	return x.bits[n]
}

// isPlain reports whether v is below 2^n and not made of products.
func (s *system) isPlain(v, n int) bool {
	x := s.unknowns[v]
	return x.low.Sign() >= 0 && x.high.BitLen() <= n &&
		!slices.ContainsFunc(s.eliminate([]term{{v, 0, one}}, false), func(t term) bool { return t.b != 0 })
}

// part returns v modulo 2⁵² as a limb of a number.
func (s *system) part(v int) int {
	if s.unknowns[v].bits[52] == 0 && s.fits(v, zero, below(52)) {
		return v
	}
	return s.lowest(v, 52)
}

func (s *system) factorOf(v int) int {
	if x := s.unknowns[v]; x.limbs != nil {
		return s.number(x.limbs, x.where)[x.limb]
	}
	return s.lowest(v, 52)
}

// multiply adds a half of a·b to acc: a·b - 2⁵²h or h. With 0 and -1/p it is a quotient q: modulo
// 2⁵², q·p is -a.
func (s *system) multiply(acc, a, b int, upper bool) int {
	f, g := s.factorOf(a), s.factorOf(b)
	x, y := s.unknowns[acc], s.unknowns[b]
	key, high := [2]int{min(f, g), max(f, g)}, mul(s.unknowns[f].high, s.unknowns[g].high)
	if s.highs[key] == 0 && high.BitLen() <= 52 {
		s.highs[key] = s.constant(0)
	} else if s.highs[key] == 0 {
		s.highs[key] = s.new(zero, right(high, 52), 0)
	}
	switch {
	case upper:
		return s.sum(acc, s.highs[key], one)
	case acc == s.constant(0) && y.isConstant() && add(mul(y.high, s.p), one).TrailingZeroBits() >= 52:
		if s.quotients[f] == 0 {
			s.quotients[f] = s.new(zero, below(52), 0)
		}
		return s.quotients[f]
	}
	product := term{f, g, one}
	if c := s.unknowns[g]; c.isConstant() {
		product = term{f, 0, c.low}
	}
	out := s.new(x.low, add(x.high, least(high, below(52))), 0, term{acc, 0, one}, product,
		term{s.highs[key], 0, power(-1, 52)})
	q := s.quotients[s.factorOf(acc)]
	if q != 0 && b == s.constant(new(big.Int).And(s.p, below(52)).Int64()) {
		for n, v := range s.unknowns[q].bits {
			if v == f { // the lowest bits of the quotient of acc, times p
				s.unknowns[out].zeros = n
			}
		}
	}
	return out
}

// right shifts v to the right: it is (v - lowest)/2^n.
func (s *system) right(v, n int, signed bool) int {
	from, to := zero, below(64)
	if signed {
		from, to = power(-1, 63), below(63)
	}
	v = s.must(v, from, to)
	x := s.unknowns[v]
	low, high := right(x.low, n), right(x.high, n)
	if x.isConstant() {
		return s.constant(low.Int64())
	}
	if t := x.plus; t != 0 && n == 52 && !signed && s.unknowns[t].low.Sign() >= 0 {
		// If a quotient q was made from t, adding the low half of q·p to t gives the smallest
		// multiple of 2⁵² that is at least t. That multiple divided by 2⁵² is ⌊(t + 2⁵² - 1)/2⁵²⌋.
		if q := s.quotients[s.factorOf(t)]; q != 0 {
			p := s.constant(new(big.Int).And(s.p, below(52)).Int64())
			return s.new(low, high, n, term{s.multiply(t, q, p, false), 0, one})
		}
	}
	parts := []term{{0, 0, zero}}
	if !s.isPlain(v, n) {
		parts = []term{{v, 0, one}, {s.lowest(v, n), 0, power(-1, 0)}}
	}
	out := s.new(low, high, n, parts...)
	s.unknowns[out].source = [2]int{v, n}
	return out
}

// lookUp returns the entry of a table that v, a signed shift, chooses of eight.
func (s *system) lookUp(v int, table [8]int64) int {
	e := s.new(big.NewInt(slices.Min(table[:])), big.NewInt(slices.Max(table[:])), 0)
	x := s.unknowns[v]
	if x.source[0] == 0 || !s.fits(v, big.NewInt(-4), big.NewInt(3)) {
		if !s.missing {
			fail("an index outside of its table")
		}
		return e
	}
	x.tables, x.entries, s.unknowns[e].index = append(x.tables, table), append(x.entries, e), v
	return e
}

// settle gives the first entry that an index chose an equation, once entries were added to the limbs of
// a number, of which the index is the highest bits: the sum is a new number y, bounded case by case, and
// the same modulo p.
func (s *system) settle(x *unknown) {
	top := s.limbs - 1
	if len(x.tables) != s.limbs || len(x.to) != s.limbs || x.to[top] != x.source[0] {
		return
	}
	whole := sumOf(x.to, 1)
	low, high := s.direct(x.to[:top])
	from, to := s.bounds(whole)
	y := s.new(power(1, 60*s.limbs), power(-1, 60*s.limbs), 0)
	for k := int64(-4); k < 4; k++ {
		multiple := zero
		for i, table := range x.tables {
			multiple = add(multiple, power(table[k&7], 52*i))
		}
		if new(big.Int).Mod(multiple, s.p).Sign() != 0 {
			fail("an entry that is not a multiple of p")
		}
		l := most(from, add(power(k, x.source[1]+52*top), low))
		h := least(to, add(left(sub(power(k+1, x.source[1]), one), 52*top), high))
		if l.Cmp(h) <= 0 {
			s.unknowns[y].low = least(s.unknowns[y].low, add(l, multiple))
			s.unknowns[y].high = most(s.unknowns[y].high, add(h, multiple))
		}
	}
	s.unknowns[y].value = s.reduce(whole)
	parts := append(sumOf(x.to, -1), sumOf(x.entries, -1)[1:]...)
	s.unknowns[x.entries[0]].parts = append(parts, term{y, 0, one})
}

// choose returns yes if the mask v is -1, the sign of the highest limb of a number d, and no if it is 0, a
// limb of d. Once all limbs of a number y are chosen, it is bounded case by case, and the same modulo p.
func (s *system) choose(v, no, yes int) int {
	if s.must(v, power(-1, 0), zero) != v {
		return s.new(zero, below(64), 0)
	}
	x, a, b := s.unknowns[v], s.unknowns[no], s.unknowns[yes]
	e := s.new(least(a.low, b.low), most(a.high, b.high), 0)
	s.unknowns[e].zeros = min(a.zeros, b.zeros)
	x.entries, x.to, x.others = append(x.entries, e), append(x.to, no), append(x.others, yes)
	top := s.limbs - 1
	if len(x.to) != s.limbs || x.to[top] != x.source[0] || x.source[1] != 63 {
		return e
	}
	d, other := sumOf(x.to, 1), sumOf(x.others, 1)
	low, high := s.direct(x.to[:top]) // of d if it is not negative, and 2^(52·top) more than if it is
	dLow, dHigh := s.bounds(d)
	from, to := s.bounds(other)
	_, more := s.bounds(append(sumOf(x.to, -1), other...))
	high = add(high, sub(more, power(1, 52*top))) // of the other number
	y := s.new(least(most(low, dLow), from), most(dHigh, least(to, high)), 0)
	if value := s.reduce(d); value != nil && value.Cmp(s.reduce(other)) == 0 {
		s.unknowns[y].value = value
	}
	s.unknowns[e].parts = append(sumOf(x.entries[:top], -1), term{y, 0, one})
	s.unknowns[e].shift = 52 * top
	return e
}

// scale is the power of 2 that coefficients have while unknowns are eliminated.
const scale = 52 * 40

// eliminate replaces unknowns by their equations, the latest first. For values, it also replaces unknowns by
// those that are the same.
func (s *system) eliminate(p []term, values bool) (out []term) {
	rows := make(map[int]map[int]*big.Int) // by two unknowns: an equation first, then the later one
	has := func(v int) bool { return len(s.unknowns[v].parts) > 0 || values && s.unknowns[v].same != 0 }
	next := 0 // all that have equations are below
	put := func(a, b int, c *big.Int) {
		a, b = max(a, b), min(a, b)
		if !has(a) && has(b) {
			a, b = b, a
		}
		if rows[a] == nil {
			rows[a] = map[int]*big.Int{}
		}
		if rows[a][b] != nil {
			c = add(rows[a][b], c)
		}
		rows[a][b] = c
		if has(a) {
			next = max(next, a+1)
		}
	}
	for _, t := range p {
		put(t.a, t.b, left(t.c, scale))
	}
	for next > 0 {
		next--
		x, row := s.unknowns[next], rows[next]
		if row == nil || !has(next) {
			continue
		}
		delete(rows, next)
		parts := x.parts
		if x.same != 0 {
			parts = []term{{x.same, 0, one}}
		}
		for b, c := range row {
			for _, t := range parts {
				d := mul(c, t.c)
				if d.Sign() != 0 && (d.TrailingZeroBits() < uint(x.shift) || b != 0 && t.b != 0) {
					fail("an equation that is not of degree 2")
				}
				put(t.a, max(t.b, b), right(d, x.shift))
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

// direct returns the bounds of a number by the bounds of its limbs.
func (s *system) direct(limbs []int) (low, high *big.Int) {
	low, high = zero, zero
	for i, v := range limbs {
		low = add(low, left(s.unknowns[v].low, 52*i))
		high = add(high, left(s.unknowns[v].high, 52*i))
	}
	return low, high
}

// bounds returns bounds of a polynomial.
func (s *system) bounds(p []term) (low, high *big.Int) {
	low, high = zero, zero
	for _, t := range s.eliminate(p, false) {
		a, b := s.unknowns[t.a], s.unknowns[t.b]
		if t.b != 0 && (a.low.Sign() < 0 || b.low.Sign() < 0) {
			fail("a product of negative numbers")
		}
		l, h := mul(mul(a.low, b.low), t.c), mul(mul(a.high, b.high), t.c)
		low, high = add(low, least(l, h)), add(high, most(l, h))
	}
	return sub(zero, right(sub(zero, low), scale)), right(high, scale)
}

// reduce returns a polynomial modulo p, or nil if an unknown without a value does not vanish.
func (s *system) reduce(p []term) *big.Int {
	out, inverse := zero, new(big.Int).ModInverse(power(1, scale), s.p)
	for _, t := range s.eliminate(p, true) {
		c := new(big.Int).Mod(mul(t.c, inverse), s.p)
		a, b := s.unknowns[t.a].value, s.unknowns[t.b].value
		if c.Sign() != 0 && (a == nil || b == nil) {
			return nil
		} else if c.Sign() != 0 {
			out = add(out, mul(c, mul(a, b)))
		}
	}
	return new(big.Int).Mod(out, s.p)
}

// number returns the limbs of a number in memory as factors: the first one is the number less the
// others, so that in products only whole numbers are left. The number has the bounds that are certified.
func (s *system) number(limbs []int, where string) []int {
	key := fmt.Sprint(limbs)
	if s.numbers[key] != nil {
		return s.numbers[key]
	}
	var parts []int
	for _, v := range limbs {
		parts = append(parts, s.part(v))
	}
	whole := sumOf(parts, 1)
	low, high := s.bounds(whole)
	if c, there := s.certificate[where]; !s.missing { // otherwise any bounds do
		if !there || c[0].Cmp(low) > 0 || c[1].Cmp(high) < 0 {
			fail("a number from %v to %v, which is not certified at %s: %v", low, high, where, c)
		}
		low, high = c[0], c[1]
	}
	v := s.new(low, high, 0)
	s.unknowns[v].value = s.reduce(whole)
	s.numbers[key] = s.cut(v, len(limbs), 52, func(i int) *big.Int { return s.unknowns[parts[i]].high })
	return s.numbers[key]
}

// cut makes parts of a number, of some bits each. The first part is the number less the others.
func (s *system) cut(v, n, bits int, high func(i int) *big.Int) []int {
	rest, parts := []term{{v, 0, one}}, make([]int, n)
	for i := n - 1; i > 0; i-- {
		parts[i] = s.new(zero, high(i), 0)
		rest = append(rest, term{parts[i], 0, power(-1, bits*i)})
	}
	parts[0] = s.new(zero, high(0), 0, rest...)
	return parts
}
