package main

import (
	"fmt"
	"math/big"
)

// limbBits is the width of a limb: VPMADD52 multiplies 52 bits.
const limbBits = 52

// value is the content of 64 bits of a lane: the integer poly modulo 2⁶⁴. The integer is in
// span. Sums and products of values are exact on the integers, and so no operation loses a
// carry here. Shifts to the right and masks depend on bits that a carry might have left:
// they demand that the integer fits 64 bits.
type value struct {
	id   int
	poly poly
	span span

	low      map[int]*value // modulo 2^n
	factor   *value         // as a factor, if it differs from low[52]
	limb     func() *value  // makes factor: this is a limb of a number in memory
	ceiling  *value         // this is ceiling + 2⁵² - 1
	quotient bool           // this is a quotient: see multiplyLow
	index    *index         // this is a signed shift to the right
	entry    *entry         // this is an entry of a table
	lanes    []*value       // the values of all lanes, if they differ
	parts    parts
}

// variableOf holds the known facts about a variable.
type variableOf struct {
	name  string
	span  span
	value residue // modulo p, or nil if it must cancel
	rule  poly    // equal to the variable, or nil
	entry *entry  // it is an entry of a table
	// It is the lowest bits of a value, how many, or the high half of a product of 52 bits.
	low     *value
	bits    int
	product poly
	equal   poly // it is another name of a sum
}

// lane computes values of one lane. All lanes of a register do the same.
type lane struct {
	field     *field
	ring      ring
	variables []variableOf
	ids       int
	constants map[string]*value
	high      map[[2]int]*value // of products of two factors
	numbers   map[string][]*value
	quotients map[int]*value // by the factor that they are made of
	// missing is set for a lane without an element. Its coordinates may be any bits.
	missing bool
	// bounds are the bounds of the numbers that are multiplied, by where they were loaded.
	bounds map[string][2]*big.Int
	words  *words // in kernels that move words across lanes
}

func newLane(f *field, missing bool) *lane {
	return &lane{
		field: f, ring: ring{f.p}, missing: missing, variables: make([]variableOf, 1),
		constants: map[string]*value{}, high: map[[2]int]*value{}, numbers: map[string][]*value{},
		quotients: map[int]*value{}, bounds: map[string][2]*big.Int{},
	}
}

func (l *lane) value(p poly, s span) *value {
	l.ids++
	return &value{id: l.ids, poly: p, span: s, low: map[int]*value{}}
}

// fresh returns a new variable.
func (l *lane) fresh(name string, s span) *value {
	l.variables = append(l.variables, variableOf{name: name, span: s})
	return l.value(variable(int32(len(l.variables)-1)), s)
}

// of returns the variable that v is.
func (l *lane) of(v *value) *variableOf { return &l.variables[v.poly[0].mono[1]] }

func (l *lane) constant(c *big.Int) *value {
	key := c.String()
	if l.constants[key] == nil {
		l.constants[key] = l.value(constant(c), exactly(c))
	}
	return l.constants[key]
}

func (v *value) isConstant() bool { return v.span.lo.Cmp(v.span.hi) == 0 }

// normal applies the rules of variables.
func (l *lane) normal(p poly) poly {
	for again := true; again; {
		again = false
		for _, t := range p {
			v := &l.variables[t.mono[1]]
			if v.entry != nil {
				v.entry.in.complete(l)
				v = &l.variables[t.mono[1]]
			}
			if v.rule == nil {
				continue
			}
			if t.mono[0] != 0 {
				refuse("a product with an entry of a table")
			}
			p = p.plus(variable(t.mono[1]), dyadic{new(big.Int).Neg(t.c.m), t.c.e}).plus(v.rule, t.c)
			again = true
			break
		}
	}
	return p
}

// rangeOf returns bounds of p: all terms are taken apart.
func (l *lane) rangeOf(p poly) span {
	lo, hi := l.termwise(p)
	out := span{ceil(lo), floor(hi)}
	if l.words != nil {
		return l.byAssumptions(p, out)
	}
	return out
}

func (l *lane) termwise(p poly) (lo, hi dyadic) {
	lo, hi = dyadic{new(big.Int), 0}, dyadic{new(big.Int), 0}
	for _, t := range p {
		s := exactly(num(1))
		switch a, b := t.mono[0], t.mono[1]; {
		case a != 0 && a == b && l.variables[a].span.lo.Sign() >= 0:
			s = span{times(l.variables[a].span.lo, l.variables[a].span.lo),
				times(l.variables[a].span.hi, l.variables[a].span.hi)}
		case a != 0:
			s = l.variables[a].span.times(l.variables[b].span)
		case b != 0:
			s = l.variables[b].span
		}
		s = s.times(exactly(t.c.m))
		lo, hi = lo.plus(dy(s.lo, t.c.e)), hi.plus(dy(s.hi, t.c.e))
	}
	return lo, hi
}

func floor(d dyadic) *big.Int {
	if d.e >= 0 {
		return new(big.Int).Lsh(d.m, uint(d.e))
	}
	return new(big.Int).Rsh(d.m, uint(-d.e))
}

func ceil(d dyadic) *big.Int {
	v := floor(dyadic{new(big.Int).Neg(d.m), d.e})
	return v.Neg(v)
}

// tighten improves the bounds of v with the bounds of its polynomial: a limb after all carries
// is bounded by the whole number. A value is an integer even if its terms are not.
func (l *lane) tighten(v *value) {
	v.poly = l.normal(v.poly)
	v.span = v.span.and(l.rangeOf(v.poly))
	if v.span.lo.Cmp(v.span.hi) > 0 {
		refuse("a value with contradicting bounds")
	}
}

var (
	unsigned64 = upTo(minus(pow2(64), num(1)))
	signed64   = span{new(big.Int).Neg(pow2(63)), minus(pow2(63), num(1))}
	mask52     = minus(pow2(limbBits), num(1))
)

// fits demands that v is in s. In lanes without an element, v may be any bits instead.
func (l *lane) fits(v *value, s span, use string) *value {
	if v.span.within(s) {
		return v
	}
	l.tighten(v)
	if v.span.within(s) {
		return v
	}
	if l.missing {
		return l.fresh("any bits", s)
	}
	refuse("%s of a value from %s to %s", use, says(v.span.lo), says(v.span.hi))
	return nil
}

func says(v *big.Int) string {
	if v.BitLen() < 20 {
		return v.String()
	}
	return fmt.Sprintf("%s (%d bits)", new(big.Float).SetInt(v).Text('g', 4), v.BitLen())
}

// modulo returns v modulo 2^n, which is a variable unless v is already that small. A product
// gets a variable in any case: the same one in factors and in shifts, so that it cancels.
func (l *lane) modulo(v *value, n int) *value {
	small := upTo(minus(pow2(n), num(1)))
	if l.words != nil && v.low[n] == nil && !v.span.within(small) {
		l.tighten(v)
	}
	if v.span.within(small) && v.poly.isLinear() {
		return v
	}
	if v.low[n] == nil && l.words != nil {
		v.low[n] = l.cut(v, n)
	}
	if v.low[n] == nil {
		v.low[n] = l.fresh("low bits", upTo(minus(pow2(n), num(1))))
		l.of(v.low[n]).low, l.of(v.low[n]).bits = v, n
		if v.span.within(v.low[n].span) {
			v.low[n].span = v.span
			l.of(v.low[n]).span = v.span
		}
	}
	return v.low[n]
}

// factorOf returns v as a factor of a multiply-add, which takes it modulo 2⁵².
func (l *lane) factorOf(v *value) *value {
	switch {
	case v.factor != nil:
	case v.limb != nil:
		v.factor = v.limb()
	case v.quotient:
		v.factor = l.fresh("a quotient", upTo(mask52))
		l.of(v.factor).low, l.of(v.factor).bits = v, limbBits
	case l.words != nil:
		return l.named(l.modulo(v, limbBits))
	default:
		return l.modulo(v, limbBits)
	}
	return v.factor
}

func (l *lane) add(a, b *value) *value {
	out := l.value(a.poly.plus(b.poly, dy(num(1), 0)), a.span.plus(b.span))
	if b.isConstant() && b.span.lo.Cmp(mask52) == 0 {
		out.ceiling = a
	}
	if b.entry != nil && b.entry.to == nil {
		b.entry.to = a
	}
	out.parts.sum = [2]*value{a, b}
	return out
}

func (l *lane) sub(a, b *value) *value {
	return l.value(a.poly.plus(b.poly, dy(num(-1), 0)), a.span.minus(b.span))
}

// product returns the low 52 bits of a·b and the bits above. With the high half as a
// variable h, the low half is a·b - 2⁵²h.
func (l *lane) product(a, b *value) (low, high *value) {
	a, b = l.factorOf(a), l.factorOf(b)
	if a.id > b.id {
		a, b = b, a
	}
	key := [2]int{a.id, b.id}
	whole := a.span.times(b.span)
	high = l.high[key]
	if high == nil {
		high = l.constant(new(big.Int))
		if whole.hi.Cmp(mask52) > 0 {
			high = l.fresh("a high half", whole.shifted(limbBits))
			l.of(high).product = a.poly.times(b.poly)
		}
		l.high[key] = high
	}
	p := a.poly.times(b.poly).plus(high.poly, dy(num(-1), limbBits))
	return l.value(p, upTo(smaller(mask52, whole.hi))), high
}

// isQuotient reports whether m is -1/p modulo 2⁵².
func (f *field) isQuotient(m *big.Int) bool {
	v := times(m, f.p)
	return v.Add(v, num(1)).Mod(v, pow2(limbBits)).Sign() == 0
}

// multiplyLow is VPMADD52LUQ. With 0 and -1/p modulo 2⁵² it makes a quotient, which gives the
// multiple of p to add. As a factor, the quotient is always a variable: see ceilingOf.
func (l *lane) multiplyLow(acc, a, b *value) *value {
	low, _ := l.product(a, b)
	out := l.add(acc, low)
	if !acc.isConstant() || acc.span.hi.Sign() != 0 || !b.isConstant() || !l.field.isQuotient(b.span.lo) {
		return out
	}
	of := l.factorOf(a).id
	if l.quotients[of] == nil {
		out.quotient, out.parts.of = true, a
		l.quotients[of] = out
	}
	return l.quotients[of]
}

// multiplyHigh is VPMADD52HUQ.
func (l *lane) multiplyHigh(acc, a, b *value) *value {
	_, high := l.product(a, b)
	return l.add(acc, high)
}

// shiftRight is VPSRLQ. ⌊v/2ⁿ⌋ is (v - (v mod 2ⁿ))/2ⁿ.
func (l *lane) shiftRight(v *value, n int) *value {
	v = l.fits(v, unsigned64, "a logical shift")
	if v.ceiling != nil && n == limbBits {
		if out := l.ceilingOf(v); out != nil {
			return out
		}
	}
	return l.shifted(v, n)
}

// shiftSigned is VPSRAQ.
func (l *lane) shiftSigned(v *value, n int) *value {
	bit := v.parts.left
	if l.words != nil && bit != nil && v.parts.by == n && n == 63 && bit.span.within(upTo(num(1))) {
		return l.value(bit.poly.scaled(dy(num(-1), 0)), span{num(-1), new(big.Int)}) // all bits are this one
	}
	v = l.fits(v, signed64, "an arithmetic shift")
	out := l.shifted(v, n)
	out.index = &index{of: v, by: n}
	return out
}

func (l *lane) shifted(v *value, n int) *value {
	if l.words != nil && l.isMultiple(v, n) {
		return l.value(v.poly.scaled(dy(num(1), -n)), v.span.shifted(n))
	}
	low := l.modulo(v, n)
	if low == v {
		return l.constant(new(big.Int))
	}
	out := l.value(v.poly.plus(low.poly, dy(num(-1), 0)).scaled(dy(num(1), -n)), v.span.shifted(n))
	out.parts.right, out.parts.by = v, n
	return out
}

// ceilingOf returns ⌊(t + 2⁵² - 1)/2⁵²⌋ for v = t + 2⁵² - 1, if the quotient q = -t/p mod 2⁵² was
// made. Modulo 2⁵², q·p is -t, and so is the low half of the product of q and the lowest limb of p.
// So t plus that half is the least multiple of 2⁵² from t on, and divided by 2⁵² the result.
func (l *lane) ceilingOf(v *value) *value {
	t := v.ceiling
	q := l.quotients[l.factorOf(t).id]
	if q == nil || t.span.lo.Sign() < 0 {
		return nil
	}
	low, _ := l.product(q, l.constant(new(big.Int).And(l.field.p, mask52)))
	p := t.poly.plus(low.poly, dy(num(1), 0)).scaled(dy(num(1), -limbBits))
	return l.value(p, v.span.shifted(limbBits))
}

// shiftLeft is VPSLLQ, which loses the bits above 64.
func (l *lane) shiftLeft(v *value, n int) *value {
	by := exactly(pow2(n))
	if l.words != nil {
		l.tighten(v)
	}
	if s := v.span.times(by); !s.within(unsigned64) && !s.within(signed64) {
		v = l.modulo(v, 64-n)
	}
	out := l.value(v.poly.scaled(dy(num(1), n)), v.span.times(by))
	out.parts.left, out.parts.by = v, n
	return out
}

// and is VPANDQ with 2ⁿ - 1.
func (l *lane) and(v, mask *value) *value {
	n := mask.span.lo.BitLen()
	if !mask.isConstant() || mask.span.lo.Cmp(minus(pow2(n), num(1))) != 0 {
		refuse("a mask that is not 2ⁿ - 1")
	}
	return l.modulo(v, n)
}

// limb returns v modulo 2⁵² as a part of a number, not as a factor.
func (l *lane) limb(v *value) *value {
	if v.low[limbBits] == nil && v.span.within(upTo(mask52)) {
		return v
	}
	return l.modulo(v, limbBits)
}

// number returns the limbs of a number in memory as factors. The number is a variable, and so
// are its limbs but the lowest, which is the number less the others: in a product of
// two numbers all limbs cancel.
func (l *lane) number(name string, limbs []*value) []*value {
	key := ""
	for _, v := range limbs {
		key += fmt.Sprint(v.id, " ")
	}
	if l.numbers[key] != nil {
		return l.numbers[key]
	}
	var factors []*value
	l.tighten(limbs[len(limbs)-1])
	for _, v := range limbs {
		factors = append(factors, l.limb(v))
	}
	whole := l.normal(sumOf(factors))
	n := l.fresh(name, l.rounded(l.rangeOf(whole)))
	bounds := n.span
	if old := l.bounds[name]; old[0] != nil {
		bounds = span{smaller(bounds.lo, old[0]), larger(bounds.hi, old[1])}
	}
	l.bounds[name] = [2]*big.Int{bounds.lo, bounds.hi}
	l.of(n).define(l.residueOf(whole))
	lowest := n.poly
	for i, v := range factors[1:] {
		f := l.fresh("a limb", v.span)
		factors[1+i] = f
		lowest = lowest.plus(f.poly, dy(num(-1), limbBits*(1+i)))
	}
	factors[0] = l.value(lowest, factors[0].span)
	l.numbers[key] = factors
	return factors
}

// rounded returns bounds with simple last bits: the checker may find slightly other ones than this
// program, which must be within them.
func (l *lane) rounded(s span) span {
	n := limbBits*l.field.limbs - 72
	up := new(big.Int).Neg(s.hi)
	return span{times(s.shifted(n).lo, pow2(n)), times(up.Neg(up.Rsh(up, uint(n))), pow2(n))}
}

// sumOf returns the integer in limbs.
func sumOf(limbs []*value) (p poly) {
	for i, v := range limbs {
		p = p.plus(v.poly, dy(num(1), limbBits*i))
	}
	return p
}

// define sets the value of a variable, or adds the reason why the value is missing to its name.
func (v *variableOf) define(r residue, err error) {
	v.value = r
	if err != nil {
		v.name += ", where " + err.Error()
	}
}

// residueOf returns p modulo the order of the field. It fails if a variable without a value in
// terms of the inputs does not cancel.
func (l *lane) residueOf(p poly) (residue, error) {
	out := residue{}
	if l.words != nil {
		p = l.expanded(p)
	}
	for _, t := range p {
		c := l.ring.dyadic(t.c)
		if c.Sign() == 0 {
			continue
		}
		product := residue{"": num(1)}
		for _, v := range t.mono {
			if v == 0 {
				continue
			}
			if l.variables[v].value == nil {
				return nil, fmt.Errorf("%s does not cancel", l.variables[v].name)
			}
			product = l.ring.times(product, l.variables[v].value)
		}
		out = l.ring.plus(out, product, c)
	}
	return out, nil
}

// index is a signed shift to the right, which chooses an entry of tables.
type index struct {
	of      *value
	by      int
	entries []*entry
	done    bool
}

// entry is the chosen entry of one table.
type entry struct {
	in    *index
	value *value
	table [8]*big.Int
	to    *value // the value that it is added to
}

// cases returns the values that an index may have.
func (i *index) cases() (first, last int64) {
	s := i.of.span.shifted(i.by)
	if minus(s.hi, s.lo).Cmp(num(8)) >= 0 {
		refuse("an index from %s to %s for tables with 8 entries", says(s.lo), says(s.hi))
	}
	return s.lo.Int64(), s.hi.Int64()
}

// lookUp is VPERMQ with a constant table of eight words: entry v mod 8.
func (l *lane) lookUp(v *value, table [8]*big.Int) *value {
	if l.missing && (v.index == nil || v.span.hi.Cmp(num(8)) > 0) {
		return l.fresh("any bits", signed64)
	}
	if v.index == nil {
		refuse("an index that is not a signed shift")
	}
	l.tighten(v.index.of)
	first, last := v.index.cases()
	s := exactly(table[first&7])
	for k := first; k <= last; k++ {
		s = span{smaller(s.lo, table[k&7]), larger(s.hi, table[k&7])}
	}
	out := l.fresh("an entry of a table", s)
	out.entry = &entry{in: v.index, value: out, table: table}
	v.index.entries = append(v.index.entries, out.entry)
	l.of(out).entry = out.entry
	return out
}

// complete replaces the entries of all limbs of a number by their sum with the number, y.
// The index is the highest bits of the number, so that y is bounded case by case; all
// choices are multiples of p.
func (i *index) complete(l *lane) {
	n := l.field.limbs
	if i.done || len(i.entries) != n || i.entries[n-1].to != i.of {
		return
	}
	var limbs []*value
	low := exactly(new(big.Int)) // of the limbs below the highest
	for k, e := range i.entries {
		if e.to == nil {
			return
		}
		limbs = append(limbs, e.to)
		if k < n-1 {
			low = low.plus(e.to.span.times(exactly(pow2(limbBits * k))))
		}
	}
	i.done = true
	before := l.normal(sumOf(limbs))
	whole, top := l.rangeOf(before), exactly(pow2(limbBits*(n-1)))
	var y span
	first, last := i.cases()
	for k := first; k <= last; k++ {
		choice := new(big.Int)
		for j, e := range i.entries {
			choice.Add(choice, times(e.table[k&7], pow2(limbBits*j)))
		}
		if new(big.Int).Mod(choice, l.field.p).Sign() != 0 {
			return
		}
		from := span{times(num(k), pow2(i.by)), minus(times(num(k+1), pow2(i.by)), num(1))}
		s := from.times(top).plus(low).and(whole).plus(exactly(choice))
		if s.lo.Cmp(s.hi) > 0 {
			continue
		}
		if y.lo == nil {
			y = s
		}
		y = span{smaller(y.lo, s.lo), larger(y.hi, s.hi)}
	}
	sum := l.fresh("a number near 0", y)
	l.of(sum).define(l.residueOf(before))
	rule := sum.poly.plus(before, dy(num(-1), 0))
	for j, e := range i.entries[1:] {
		rule = rule.plus(e.value.poly, dy(num(-1), limbBits*(1+j)))
	}
	l.of(i.entries[0].value).rule = rule
}
