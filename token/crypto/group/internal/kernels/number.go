package main

import (
	"fmt"
	"math/big"
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
	return pr.reduced(t, a.bound, b.bound)
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
	return pr.reduced(t, a.bound, pr.f.p)
}

// reduced returns the result of a Montgomery multiplication of numbers with the
// given bounds.
func (pr program) reduced(t []vec, a, b *big.Int) number {
	bound := new(big.Int).Mul(a, b)
	bound.Div(bound, pr.f.radix()).Add(bound, pr.f.p).Add(bound, big.NewInt(1))
	product := number{limbs: t, bound: bound}
	pr.carry(product)
	return product
}

// reduceLimb adds the multiple of p that clears the lowest limb of t, drops that
// limb and adds the high halves of the products.
func (pr program) reduceLimb(t []vec, p []uint64, addHigh func(next []vec)) []vec {
	m := pr.quotient(t[0], pr.f.negInverse())
	for j := range t {
		pr.mulLowBy(t[j], m, p[j])
	}
	carry := pr.shiftRight(t[0], limbBits)
	next := append(append([]vec(nil), t[1:]...), pr.zero())
	addHigh(next)
	for j := range next {
		pr.mulHighBy(next[j], m, p[j])
	}
	pr.machine.add(next[0], carry)
	return next
}

// times returns k·a for a small k.
func (pr program) times(k int, a number) number {
	sum := number{bound: new(big.Int).Mul(a.bound, big.NewInt(int64(k)))}
	for i := range pr.f.limbs {
		limb := pr.limb(a, i)
		v := pr.clone(limb)
		for range k - 1 {
			pr.machine.add(v, limb)
		}
		sum.limbs = append(sum.limbs, v)
	}
	pr.carry(sum)
	return sum
}

// multipleFrom returns the least multiple of p that is at least v.
func (f *field) multipleFrom(v *big.Int) *big.Int {
	q := new(big.Int).Add(v, f.p)
	q.Sub(q, big.NewInt(1)).Div(q, f.p)
	return q.Mul(q, f.p)
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
	bits := pr.f.coordinate().BitLen() - 1 - top
	unit := pow2(bits + top)
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
	index := pr.shiftSigned(difference.limbs[pr.f.limbs-1], bits)
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
