package main

import (
	"fmt"
	"math/big"
	"math/bits"
)

// form says what the limbs of a number hold.
type form int

const (
	// clean limbs but the last are below 2⁵².
	clean form = iota
	// factor limbs have undefined bits above 52, which multiply-adds ignore.
	factor
	// raw limbs are any integers, which may be negative.
	raw
)

// number is eight elements of a field in limbs of 52 bits, not reduced: in
// registers, or in memory, from where limbs are loaded when they are used.
type number struct {
	limbs []vec
	from  memory   // where limbs is nil
	low   *big.Int // the values are at least low, or 0 where it is nil
	bound *big.Int // and below bound
	form  form
}

// least returns what the values of n are at least.
func (n number) least() *big.Int {
	if n.low == nil {
		return new(big.Int)
	}
	return n.low
}

// isZero reports whether n has no limbs and no memory.
func (n number) isZero() bool { return n.limbs == nil && n.from.name == "" }

// program writes a kernel for one field on one machine. Every operation derives
// the bound of its result from those of its operands, and panics if a result
// does not fit the limbs.
type program struct {
	machine
	f *field
}

// says returns the bound of a number in units of p.
func (pr program) says(bound *big.Int) string {
	q := new(big.Float).Quo(new(big.Float).SetInt(bound), new(big.Float).SetInt(pr.f.p))
	return q.Text('g', 4) + "·p"
}

func (pr program) require(ok bool, what string, bound *big.Int) {
	if !ok {
		panic(fmt.Sprintf("%s: %s, bound %s", pr.f.name, what, pr.says(bound)))
	}
}

// inMemory is a clean number below bound in memory.
func (pr program) inMemory(m memory, bound *big.Int) number {
	pr.require(bound.Cmp(pr.f.radix()) <= 0, "a number does not fit its limbs", bound)
	return number{from: m, bound: bound}
}

// factorInMemory is a number below bound in memory that is only multiplied.
func (pr program) factorInMemory(m memory, bound *big.Int) number {
	n := pr.inMemory(m, bound)
	n.form = factor
	return n
}

// limb returns limb i of n, which must not be changed.
func (pr program) limb(n number, i int) vec {
	if n.limbs != nil {
		return n.limbs[i]
	}
	return pr.fresh(n, i)
}

// fresh returns a copy of limb i of n.
func (pr program) fresh(n number, i int) vec {
	var v vec
	if n.limbs != nil {
		v = pr.clone(n.limbs[i])
	} else {
		v = pr.load(n.from, i)
	}
	switch n.form {
	case clean:
		pr.claim(v, new(big.Int), pr.highOf(n, i))
	case factor:
		v = pr.modulo(v)
	}
	return v
}

// inRegisters returns n with all limbs in registers.
func (pr program) inRegisters(n number) number {
	if n.limbs == nil {
		loaded := n
		for i := range pr.f.limbs {
			loaded.limbs = append(loaded.limbs, pr.fresh(n, i))
		}
		return loaded
	}
	return n
}

// highOf returns what limb i of a clean number n is below.
func (pr program) highOf(n number, i int) *big.Int {
	if i < pr.f.limbs-1 {
		return pow2(limbBits)
	}
	high := new(big.Int).Rsh(n.bound, uint(limbBits*i))
	return high.Add(high, big.NewInt(1))
}

// storeNumber stores a number that is not negative and below bound.
func (pr program) storeNumber(m memory, n number, bound *big.Int) {
	pr.require(n.bound.Cmp(bound) <= 0 && n.form != raw, "a stored number may be too large", n.bound)
	for i, v := range n.limbs {
		pr.store(m, i, v)
	}
}

// keep stores a number in scratch memory and returns it as one there, which
// frees the registers.
func (pr program) keep(m memory, n number) number {
	for i, v := range n.limbs {
		pr.store(m, i, v)
	}
	n.from, n.limbs = m, nil
	return n
}

// carried changes the limbs of n to those of the given form.
func (pr program) carried(n number, to form) number {
	pr.require(n.least().Sign() >= 0, "a number may be negative", n.least())
	pr.require(n.bound.Cmp(pr.f.radix()) <= 0, "a number does not fit its limbs", n.bound)
	out := number{bound: n.bound, form: to}
	for i := range n.limbs {
		v := n.limbs[i]
		if i < pr.f.limbs-1 {
			c := pr.shiftSigned(v, limbBits)
			pr.machine.add(n.limbs[i+1], c)
			if to == clean {
				pr.andConst(v, mask52)
			} else {
				v = pr.modulo(v)
			}
		}
		if to == clean || i == pr.f.limbs-1 {
			pr.claim(v, new(big.Int), pr.highOf(n, i))
		}
		out.limbs = append(out.limbs, v)
	}
	return out
}

// clean brings all limbs of n, which it changes, below 2⁵².
func (pr program) clean(n number) number { return pr.carried(n, clean) }

// factor makes n, which it changes, a number that can only be multiplied.
func (pr program) factor(n number) number { return pr.carried(n, factor) }

// factors are two numbers whose product is to be added.
type factors struct{ a, b number }

// product returns the sum of all a·b/R mod p, of one or two pairs, as raw limbs:
// Montgomery multiplication.
func (pr program) product(pairs ...factors) number {
	if len(pairs) == 1 {
		return pr.productFrom(nil, pairs[0])
	}
	limbs := pr.multiply(twoProducts, pairs[0].a, pairs[0].b, pairs[1].a, pairs[1].b)
	return pr.reduced(limbs, productsOf(pairs), nil)
}

// productFrom returns product(pair) + start.
func (pr program) productFrom(start *number, pair factors) number {
	c := number{}
	if start != nil {
		c = *start
	}
	limbs := pr.multiply(productPlus, pair.a, pair.b, c)
	return pr.reduced(limbs, productsOf([]factors{pair}), start)
}

// productsOf is the bound of the sum of all a·b.
func productsOf(pairs []factors) *big.Int {
	bound := new(big.Int)
	for _, pair := range pairs {
		bound.Add(bound, new(big.Int).Mul(pair.a.bound, pair.b.bound))
	}
	return bound
}

// byConstant returns a·c/R mod p for a constant c < p, as raw limbs.
func (pr program) byConstant(a number, c *big.Int) number {
	return pr.product(factors{a, pr.fixed(c)})
}

// addMultiple adds a times all limbs of another number to t.
func (pr program) addMultiple(t []vec, a vec, limb func(j int) vec) {
	for j := range pr.f.limbs {
		b := limb(j)
		pr.mulLow(t[j], a, b)
		pr.mulHigh(t[j+1], a, b)
	}
}

// rows returns the limbs of product(pairs) + start, one limb of a at a time, with
// the reduction after each. The accumulators of the limbs that stay begin with those
// of start.
func (pr program) rows(start *number, pairs ...factors) []vec {
	n := pr.f.limbs
	if pr.f.loadsFactors() {
		for k := range pairs {
			if k == 0 || !pr.fewRegisters() {
				pairs[k].b = pr.inRegisters(pairs[k].b)
			}
		}
	}
	t := make([]vec, 2*n)
	for j := range n {
		t[j] = pr.zero()
	}
	for i := range n {
		if start == nil || start.isZero() {
			t[n+i] = pr.zero()
		} else {
			t[n+i] = pr.fresh(*start, i)
		}
		for _, pair := range pairs {
			pr.addMultiple(t[i:], pr.limb(pair.a, i), func(j int) vec { return pr.limb(pair.b, j) })
		}
		if i > 0 {
			pr.clearLimb(t, i-1)
		}
	}
	pr.clearLimb(t, n-1)
	return t[n:]
}

// fewRegisters reports whether the registers do not suffice for two factors.
func (pr program) fewRegisters() bool {
	_, ok := pr.machine.(*recorder)
	return ok
}

// square returns a²/R mod p as raw limbs.
func (pr program) square(a number) number {
	return pr.reduced(pr.multiply(squareOf, a), new(big.Int).Mul(a.bound, a.bound), nil)
}

// columns returns the limbs of square(a), one limb of the product at a time.
// Products of different limbs are computed once and doubled. A limb is complete
// before the reduction first adds to it, so that few registers are in use.
func (pr program) columns(a number) []vec {
	n := pr.f.limbs
	if pr.f.loadsFactors() {
		a = pr.inRegisters(a)
	}
	t := make([]vec, 2*n)
	for k := range t {
		t[k] = pr.zero()
		if k == 0 {
			continue
		}
		// The limbs i < j with i + j = k - 1.
		for i := max(0, k-n); 2*i < k-1; i++ {
			ai, aj := pr.limb(a, i), pr.limb(a, k-1-i)
			pr.mulLow(t[k-1], ai, aj)
			pr.mulHigh(t[k], ai, aj)
		}
		pr.finishSquare(t, k-1, a)
	}
	pr.finishSquare(t, 2*n-1, a)
	pr.clearLimb(t, n-1)
	return t[n:]
}

// finishSquare doubles limb k of t, adds the square of a limb, and clears the limb
// that is the first to add to limb k.
func (pr program) finishSquare(t []vec, k int, a number) {
	n := pr.f.limbs
	if k > 0 && k < 2*n-1 {
		pr.machine.add(t[k], t[k])
	}
	ai := pr.limb(a, k/2)
	if k%2 == 0 {
		pr.mulLow(t[k], ai, ai)
	} else {
		pr.mulHigh(t[k], ai, ai)
	}
	if k > n {
		pr.clearLimb(t, k-n-1)
	}
}

// reduced returns limbs as the result of a multiplication.
func (pr program) reduced(limbs []vec, products *big.Int, start *number) number {
	n := number{limbs: limbs, bound: pr.f.reduced(products), form: raw}
	if start != nil {
		n.low = start.least()
		n.bound.Add(n.bound, start.bound)
	}
	return n
}

// clearLimb replaces limb i of t, where all below are clear, by limbs above with
// the same value modulo p, for a sum that is divided by R. For all limbs but the
// last one the value is the limb times 2⁵²·(2⁻⁵² mod p), which takes no quotient
// (a modulus -1 mod 2⁵², as in Gueron and Krasnov, "Fast prime field elliptic-curve
// cryptography with 256-bit primes", section 4). The last one is cleared by a
// multiple of p, which is smaller, unless both are the same.
func (pr program) clearLimb(t []vec, i int) {
	n := pr.f.limbs
	if i < n-1 || pr.f.quotientFree() {
		carry := pr.shiftRight(t[i], limbBits)
		low := pr.modulo(t[i])
		pr.machine.add(t[i+1], carry)
		for j, c := range pr.f.split(pr.f.inverseOfLimb()) {
			if c == 0 {
				continue
			}
			limb := pr.constant(int64(c))
			pr.mulLow(t[i+1+j], low, limb)
			pr.mulHigh(t[i+2+j], low, limb)
		}
		return
	}
	// The sum of limb i and the lowest product is a multiple of 2⁵²: the least one
	// that is not below the limb.
	q := pr.quotient(t[i], pr.f.negInverse())
	pr.addConst(t[i], mask52)
	pr.machine.add(t[i+1], pr.shiftRight(t[i], limbBits))
	for j, c := range pr.f.split(pr.f.p) {
		limb := pr.constant(int64(c))
		if j > 0 {
			pr.mulLow(t[i+j], q, limb)
		}
		pr.mulHigh(t[i+j+1], q, limb)
	}
}

// multipleFrom returns the least multiple of p that is at least v.
func (f *field) multipleFrom(v *big.Int) *big.Int {
	q := new(big.Int).Add(v, f.p)
	q.Sub(q, big.NewInt(1)).Div(q, f.p)
	return q.Mul(q, f.p)
}

// multiple returns a constant multiple of p, which may be negative.
func (pr program) multiple(of *big.Int) number {
	n := number{low: of, bound: new(big.Int).Add(of, big.NewInt(1)), form: raw}
	for _, c := range pr.f.split(new(big.Int).Abs(of)) {
		n.limbs = append(n.limbs, pr.constant(int64(c)*int64(of.Sign())))
	}
	return n
}

// fixed returns a constant below p in clean limbs.
func (pr program) fixed(v *big.Int) number {
	n := number{bound: pr.f.p}
	for _, c := range pr.f.split(v) {
		n.limbs = append(n.limbs, pr.constant(int64(c)))
	}
	return n
}

// sum returns the sum of all plus less all of minus, as raw limbs.
func (pr program) sum(plus, minus []number) number {
	out := number{low: new(big.Int), bound: big.NewInt(1), form: raw}
	for i := range pr.f.limbs {
		v := pr.fresh(plus[0], i)
		for _, n := range plus[1:] {
			pr.machine.add(v, pr.limb(n, i))
		}
		for _, n := range minus {
			pr.machine.sub(v, pr.limb(n, i))
		}
		out.limbs = append(out.limbs, v)
	}
	for _, n := range plus {
		out.low.Add(out.low, n.least())
		out.bound.Add(out.bound, n.bound).Sub(out.bound, big.NewInt(1))
	}
	for _, n := range minus {
		out.low.Sub(out.low, n.bound).Add(out.low, big.NewInt(1))
		out.bound.Sub(out.bound, n.least())
	}
	return out
}

// minus returns a less all of bs, plus the least multiple of p that keeps it from
// being negative, as raw limbs.
func (pr program) minus(a number, bs ...number) number {
	low := new(big.Int).Set(a.least())
	for _, b := range bs {
		low.Sub(low, b.bound).Add(low, big.NewInt(1))
	}
	return pr.sum([]number{pr.multiple(pr.f.multipleFrom(low.Neg(low))), a}, bs)
}

// negative returns k·p - n for the least k that keeps it from being negative, as
// raw limbs.
func (pr program) negative(n number) number {
	return pr.sum([]number{pr.multiple(pr.f.multipleFrom(new(big.Int).Sub(n.bound, big.NewInt(1))))}, []number{n})
}

// lessThan returns -k·p for the least k with k·p ≥ bound - 1. It is a start for
// numbers below bound that are subtracted.
func (pr program) lessThan(bound *big.Int) number {
	of := pr.f.multipleFrom(new(big.Int).Sub(bound, big.NewInt(1)))
	return pr.multiple(of.Neg(of))
}

// times returns k·n for raw limbs n, which it changes; k is 2, 3, 4 or 8.
func (pr program) times(k uint, n number) number {
	of := func(v *big.Int) *big.Int { return new(big.Int).Mul(v, new(big.Int).SetUint64(uint64(k))) }
	out := number{low: of(n.least()), bound: of(n.bound), form: raw}
	for i := range pr.f.limbs {
		limb := pr.limb(n, i)
		v := pr.shiftLeft(limb, bits.Len(k)-1)
		if k == 3 {
			pr.machine.add(v, limb)
		}
		out.limbs = append(out.limbs, v)
	}
	return out
}

// rawBits bounds raw limbs that may be reduced by small: they are -2^rawBits or
// more and below 2^rawBits. The machine of the tests checks it.
const rawBits = 60

// small returns n, in raw limbs, plus the multiple of p that makes it a
// coordinate, in clean limbs: the multiple is looked up by the highest bits before
// carrying. The limbs below the highest one change it by less than slack.
func (pr program) small(n number) number {
	top := limbBits * (pr.f.limbs - 1)
	// The multiple is chosen by how many units fit the difference. A unit is less
	// than the bound of coordinates, so that results are coordinates again.
	unitBit := pr.f.coordinate().BitLen() - 1 - top
	unit := pow2(unitBit + top)
	var tables [][lanes]int64
	for range pr.f.limbs {
		tables = append(tables, [lanes]int64{})
	}
	slack := pow2(top + rawBits - limbBits + 1)
	bound := new(big.Int)
	for k := -lanes / 2; k < lanes/2; k++ {
		from := new(big.Int).Mul(big.NewInt(int64(k)), unit)
		from.Sub(from, slack)
		to := new(big.Int).Add(from, unit)
		to.Add(to, slack).Add(to, slack)
		if to.Cmp(n.least()) < 0 || from.Cmp(n.bound) >= 0 {
			continue
		}
		// The least multiple of p that is at least -from.
		multiple := pr.f.multipleFrom(new(big.Int).Neg(from))
		if to.Add(to, multiple).Cmp(bound) > 0 {
			bound.Set(to)
		}
		for i, limb := range pr.f.split(new(big.Int).Abs(multiple)) {
			tables[i][k&(lanes-1)] = int64(limb) * int64(multiple.Sign())
		}
	}
	pr.require(new(big.Int).Mul(big.NewInt(-lanes/2), unit).Cmp(n.least()) < 0, "a number is not in the table", n.least())
	pr.require(new(big.Int).Mul(big.NewInt(lanes/2), unit).Cmp(n.bound) > 0, "a number is not in the table", n.bound)
	out := number{bound: bound, form: raw}
	index := pr.shiftSigned(n.limbs[pr.f.limbs-1], unitBit)
	for i, table := range tables {
		pr.limits(n.limbs[i], rawBits)
		pr.machine.add(n.limbs[i], pr.lookUp(index, table))
	}
	out.limbs = n.limbs
	return pr.clean(out)
}

// less returns a less of, a multiple of p, where it is not smaller, for a below
// twice of.
func (pr program) less(a number, of *big.Int) number {
	pr.require(a.bound.Cmp(new(big.Int).Lsh(of, 1)) <= 0, "one subtraction does not reduce a number", a.bound)
	last := pr.f.limbs - 1
	reduced := number{bound: of}
	for i, c := range pr.f.split(of) {
		v := pr.clone(a.limbs[i])
		pr.addConst(v, -c)
		reduced.limbs = append(reduced.limbs, v)
	}
	for i := range last {
		c := pr.shiftSigned(reduced.limbs[i], limbBits)
		pr.andConst(reduced.limbs[i], mask52)
		pr.machine.add(reduced.limbs[i+1], c)
	}
	negative := pr.shiftSigned(reduced.limbs[last], 63)
	for i := range reduced.limbs {
		reduced.limbs[i] = pr.selectIf(negative, a.limbs[i], reduced.limbs[i])
		pr.claim(reduced.limbs[i], new(big.Int), pr.highOf(reduced, i))
	}
	return reduced
}

// masked returns a number that is only multiplied in clean limbs.
func (pr program) masked(n number) number {
	out := number{bound: n.bound}
	for i := range pr.f.limbs {
		v := pr.fresh(n, i)
		pr.andConst(v, mask52)
		pr.claim(v, new(big.Int), pr.highOf(out, i))
		out.limbs = append(out.limbs, v)
	}
	return out
}

// divisible adds the multiple of p to a coordinate, which it changes, that makes
// it a multiple of 2^s.
func (pr program) divisible(a number) number {
	s := pr.f.shift
	q := pr.quotient(a.limbs[0], pr.f.negInverse())
	pr.andConst(q, 1<<s-1)
	p := pr.f.split(pr.f.p)
	for i, c := range p {
		limb := pr.constant(int64(c))
		pr.mulLow(a.limbs[i], q, limb)
		if i < pr.f.limbs-1 { // the highest limb of p is below 2^(52-s)
			pr.mulHigh(a.limbs[i+1], q, limb)
		}
	}
	most := new(big.Int).Mul(pr.f.p, new(big.Int).SetUint64(1<<s-1))
	return pr.clean(number{limbs: a.limbs, bound: most.Add(most, a.bound), form: raw})
}

// fromWords returns the elements in words of 64 bits, below p, as a number.
func (pr program) fromWords(words []vec) number {
	n := number{bound: pr.f.entry()}
	for i := range pr.f.limbs {
		n.limbs = append(n.limbs, pr.bitsOf(words, 64, limbBits*i-pr.f.shift, limbBits))
	}
	for i, v := range n.limbs {
		pr.claim(v, new(big.Int), pr.highOf(n, i))
	}
	return n
}

// toWords returns n/2^s in words of 64 bits, for an n below 2^s·p.
func (pr program) toWords(n number) (words []vec) {
	for i := range pr.f.words {
		words = append(words, pr.bitsOf(n.limbs, limbBits, 64*i+pr.f.shift, 64))
	}
	return words
}

// bitsOf returns width bits of an integer in digits of the given size, from bit
// first on, which may be negative: bits below 0 are 0.
func (pr program) bitsOf(digits []vec, size, first, width int) vec {
	var out vec
	for i, d := range digits {
		at := size*i - first // where the digit begins in the result
		if at >= width || at+size <= 0 {
			continue
		}
		var v vec
		switch {
		case at > 0:
			v = pr.shiftLeft(d, at)
		case at < 0:
			v = pr.shiftRight(d, -at)
		default:
			v = pr.clone(d)
		}
		if out == nil {
			out = v
		} else {
			pr.or(out, v)
		}
	}
	if width < 64 {
		pr.andConst(out, 1<<width-1)
	}
	return out
}
