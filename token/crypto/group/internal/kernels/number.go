package main

import (
	"fmt"
	"math/big"
	"math/bits"
)

// number is eight elements of a field in limbs of 52 bits, not reduced: in
// registers, or in memory, from where limbs are loaded when they are used.
type number struct {
	limbs []vec
	from  memory   // where limbs is nil
	bound *big.Int // the values are below it
}

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

// inMemory is a number below bound in memory, with limbs below 2⁵².
func (pr program) inMemory(m memory, bound *big.Int) number {
	pr.require(bound.Cmp(pr.f.radix()) <= 0, "a number does not fit its limbs", bound)
	return number{from: m, bound: bound}
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
	if n.limbs != nil {
		return pr.clone(n.limbs[i])
	}
	v := pr.load(n.from, i)
	pr.claim(v, new(big.Int), pr.highOf(n, i))
	return v
}

// inRegisters returns n with all limbs in registers.
func (pr program) inRegisters(n number) number {
	if n.limbs == nil {
		for i := range pr.f.limbs {
			n.limbs = append(n.limbs, pr.fresh(number{from: n.from, bound: n.bound}, i))
		}
	}
	return n
}

// highOf returns what limb i of n is below.
func (pr program) highOf(n number, i int) *big.Int {
	if i < pr.f.limbs-1 {
		return pow2(limbBits)
	}
	high := new(big.Int).Rsh(n.bound, uint(limbBits*i))
	return high.Add(high, big.NewInt(1))
}

// claimNumber states the bounds of the limbs of a number.
func (pr program) claimNumber(n number) {
	for i, v := range n.limbs {
		pr.claim(v, new(big.Int), pr.highOf(n, i))
	}
	pr.require(n.bound.Cmp(pr.f.radix()) <= 0, "a number does not fit its limbs", n.bound)
}

// storeNumber stores a number below bound.
func (pr program) storeNumber(m memory, n number, bound *big.Int) {
	pr.require(n.bound.Cmp(bound) <= 0, "a stored number may be too large", n.bound)
	for i, v := range n.limbs {
		pr.store(m, i, v)
	}
}

// carry brings all limbs below 2⁵², for a number known to be in 0 … bound.
func (pr program) carry(n number) {
	for i := range n.limbs[:len(n.limbs)-1] {
		c := pr.shiftSigned(n.limbs[i], limbBits)
		pr.andConst(n.limbs[i], mask52)
		pr.machine.add(n.limbs[i+1], c)
	}
	pr.claimNumber(n)
}

// mul returns a·b/R mod p: Montgomery multiplication, one limb of a at a time,
// with the reduction after each. It is below a·b/R + p.
func (pr program) mul(a, b number) number {
	p := pr.f.split(pr.f.p)
	t := make([]vec, pr.f.limbs)
	for j := range t {
		t[j] = pr.zero()
	}
	b = pr.inRegisters(b)
	for i := range t {
		ai := pr.limb(a, i)
		for j := range t {
			pr.mulLow(t[j], ai, b.limbs[j])
		}
		t = pr.reduceLimb(t, p, func(next []vec) {
			for j := range next {
				pr.mulHigh(next[j], ai, b.limbs[j])
			}
		})
	}
	return pr.reduced(t, new(big.Int).Mul(a.bound, b.bound))
}

// mulAdd returns (a·b + c·d)/R mod p, with one reduction for both products. It
// is below (a·b + c·d)/R + p.
func (pr program) mulAdd(a, b, c, d number) number {
	p := pr.f.split(pr.f.p)
	t := make([]vec, pr.f.limbs)
	for j := range t {
		t[j] = pr.zero()
	}
	b, d = pr.inRegisters(b), pr.inRegisters(d)
	for i := range t {
		ai, ci := pr.limb(a, i), pr.limb(c, i)
		for j := range t {
			pr.mulLow(t[j], ai, b.limbs[j])
			pr.mulLow(t[j], ci, d.limbs[j])
		}
		t = pr.reduceLimb(t, p, func(next []vec) {
			for j := range next {
				pr.mulHigh(next[j], ai, b.limbs[j])
				pr.mulHigh(next[j], ci, d.limbs[j])
			}
		})
	}
	products := new(big.Int).Mul(a.bound, b.bound)
	return pr.reduced(t, products.Add(products, new(big.Int).Mul(c.bound, d.bound)))
}

// square returns a²/R mod p. Products of different limbs are computed once and
// doubled; the reduction follows.
func (pr program) square(a number) number {
	a = pr.inRegisters(a)
	t := make([]vec, 2*pr.f.limbs)
	for k := range t {
		t[k] = pr.zero()
	}
	for i, ai := range a.limbs {
		for j, aj := range a.limbs[:i] {
			pr.mulLow(t[i+j], ai, aj)
			pr.mulHigh(t[i+j+1], ai, aj)
		}
	}
	for i, ai := range a.limbs {
		pr.machine.add(t[2*i], t[2*i])
		pr.machine.add(t[2*i+1], t[2*i+1])
		pr.mulLow(t[2*i], ai, ai)
		pr.mulHigh(t[2*i+1], ai, ai)
	}
	p := pr.f.split(pr.f.p)
	for range a.limbs {
		t = pr.reduceLimb(t, p, func([]vec) {})
	}
	return pr.reduced(t, new(big.Int).Mul(a.bound, a.bound))
}

// mulConst returns a·c/R mod p for a constant c < p.
func (pr program) mulConst(a number, c *big.Int) number {
	p, limbs := pr.f.split(pr.f.p), pr.f.split(c)
	t := make([]vec, pr.f.limbs)
	for j := range t {
		t[j] = pr.zero()
	}
	for i := range t {
		ai := pr.limb(a, i)
		for j := range t {
			pr.mulLowBy(t[j], ai, limbs[j])
		}
		t = pr.reduceLimb(t, p, func(next []vec) {
			for j := range next {
				pr.mulHighBy(next[j], ai, limbs[j])
			}
		})
	}
	return pr.reduced(t, new(big.Int).Mul(a.bound, pr.f.p))
}

// reduced returns the result of a Montgomery multiplication, for a sum of
// products below the given bound.
func (pr program) reduced(t []vec, products *big.Int) number {
	bound := new(big.Int).Div(products, pr.f.radix())
	bound.Add(bound, pr.f.p).Add(bound, big.NewInt(1))
	product := number{limbs: t, bound: bound}
	pr.carry(product)
	return product
}

// reduceLimb adds the multiple of p that clears the lowest limb of t, drops that
// limb and adds the high halves of the products.
func (pr program) reduceLimb(t []vec, p []uint64, addHigh func(next []vec)) []vec {
	m := pr.quotient(t[0], pr.f.negInverse())
	for j, c := range p {
		pr.mulLowBy(t[j], m, c)
	}
	carry := pr.shiftRight(t[0], limbBits)
	next := append([]vec(nil), t[1:]...)
	if len(next) < len(p) {
		next = append(next, pr.zero())
	}
	addHigh(next)
	for j, c := range p {
		pr.mulHighBy(next[j], m, c)
	}
	pr.machine.add(next[0], carry)
	return next
}

// times returns k·a for a small k.
func (pr program) times(k uint, a number) number {
	multiple := number{bound: new(big.Int).Mul(a.bound, new(big.Int).SetUint64(uint64(k)))}
	lowest := bits.TrailingZeros(k)
	for l := range pr.f.limbs {
		limb := pr.limb(a, l)
		v := pr.shiftLeft(limb, lowest)
		for bit := lowest + 1; bit < bits.Len(k); bit++ {
			if k>>bit&1 == 1 {
				pr.machine.add(v, pr.shiftLeft(limb, bit))
			}
		}
		multiple.limbs = append(multiple.limbs, v)
	}
	pr.carry(multiple)
	return multiple
}

// multipleFrom returns the least multiple of p that is at least v.
func (f *field) multipleFrom(v *big.Int) *big.Int {
	q := new(big.Int).Add(v, f.p)
	q.Sub(q, big.NewInt(1)).Div(q, f.p)
	return q.Mul(q, f.p)
}

// negative returns multiple - n for n ≤ multiple, which p divides.
func (pr program) negative(n number, multiple *big.Int) number {
	out := number{bound: new(big.Int).Add(multiple, big.NewInt(1))}
	for i, c := range pr.f.split(multiple) {
		v := pr.zero()
		pr.addConst(v, c)
		pr.machine.sub(v, pr.limb(n, i))
		out.limbs = append(out.limbs, v)
	}
	pr.carry(out)
	return out
}

// minus returns a - b + k·p for the least k that keeps it from being negative.
func (pr program) minus(a, b number) number {
	multiple := pr.f.multipleFrom(b.bound)
	difference := number{bound: new(big.Int).Add(a.bound, multiple)}
	for i, c := range pr.f.split(multiple) {
		v := pr.fresh(a, i)
		pr.addConst(v, c)
		pr.machine.sub(v, pr.limb(b, i))
		difference.limbs = append(difference.limbs, v)
	}
	pr.carry(difference)
	return difference
}

// minusSmall returns a minus all of bs, plus the multiple of p that makes it
// small: the multiple is looked up by the highest bits of the difference before
// carrying. All limbs of the operands are below 2⁵², so that the limbs below the
// highest one change it by less than slack.
func (pr program) minusSmall(a number, bs ...number) number {
	const slack = 3
	low := new(big.Int)
	difference := number{}
	for i := range pr.f.limbs {
		v := pr.fresh(a, i)
		for _, b := range bs {
			pr.machine.sub(v, pr.limb(b, i))
		}
		difference.limbs = append(difference.limbs, v)
	}
	for _, b := range bs {
		low.Sub(low, b.bound)
	}
	// The multiple is chosen by how many units fit the difference. A unit is less
	// than the bound of coordinates, so that results are coordinates again.
	top := limbBits * (pr.f.limbs - 1)
	unitBit := pr.f.coordinate().BitLen() - 1 - top
	unit := pow2(unitBit + top)
	var tables [][lanes]uint64
	for range pr.f.limbs {
		tables = append(tables, [lanes]uint64{})
	}
	bound, slackBelow := new(big.Int).Set(a.bound), new(big.Int).Lsh(big.NewInt(slack), uint(top))
	for k := -4; k < 4; k++ {
		from := new(big.Int).Mul(big.NewInt(int64(k)), unit)
		from.Sub(from, slackBelow)
		to := new(big.Int).Add(from, unit)
		to.Add(to, slackBelow).Add(to, slackBelow)
		if to.Cmp(low) < 0 || from.Cmp(a.bound) >= 0 {
			continue
		}
		multiple := new(big.Int)
		if from.Sign() < 0 && k < 0 {
			multiple = pr.f.multipleFrom(new(big.Int).Neg(from))
		} else if k == 0 {
			multiple = pr.f.multipleFrom(slackBelow)
		}
		to.Add(to, multiple)
		if to.Cmp(bound) > 0 {
			bound.Set(to)
		}
		for i, limb := range pr.f.split(multiple) {
			tables[i][k&(lanes-1)] = limb
		}
	}
	lowest := new(big.Int).Mul(big.NewInt(-4), unit)
	pr.require(low.Cmp(lowest) >= 0, "a difference is not in the table", low)
	index := pr.shiftSigned(difference.limbs[pr.f.limbs-1], unitBit)
	for i, table := range tables {
		pr.machine.add(difference.limbs[i], pr.lookUp(index, table))
	}
	difference.bound = bound
	pr.carry(difference)
	return difference
}

// canonical returns a mod p for a below 2p.
func (pr program) canonical(a number) number {
	pr.require(a.bound.Cmp(pr.f.product()) <= 0, "one subtraction does not reduce a number", a.bound)
	last := pr.f.limbs - 1
	reduced := number{bound: pr.f.p}
	for i, c := range pr.f.split(pr.f.p) {
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
	}
	pr.claimNumber(reduced)
	return reduced
}

// fromWords returns the elements in words of 64 bits, below p, as a number.
func (pr program) fromWords(words []vec) number {
	n := number{bound: pr.f.coordinate()}
	for i := range pr.f.limbs {
		n.limbs = append(n.limbs, pr.bitsOf(words, 64, limbBits*i-pr.f.shift(), limbBits))
	}
	pr.claimNumber(n)
	return n
}

// toWords returns a number below p in words of 64 bits.
func (pr program) toWords(n number) (words []vec) {
	for i := range pr.f.words {
		words = append(words, pr.bitsOf(n.limbs, limbBits, 64*i, 64))
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
