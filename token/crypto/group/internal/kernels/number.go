package main

import (
	"fmt"
	"math/big"
	"math/bits"
	"slices"
)

// form is the content of the limbs of a number.
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

// least returns a lower bound of the values of n.
func (n number) least() *big.Int {
	if n.low == nil {
		return new(big.Int)
	}
	return n.low
}

// isZero reports whether n is without limbs and memory.
func (n number) isZero() bool { return n.limbs == nil && n.from.name == "" }

// program writes a kernel for one field on one machine. Every operation derives
// the bound of its result from the bounds of its operands, and panics if a result
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

// factorInMemory is a number below bound in memory, used as a factor only.
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
	if n.limbs != nil {
		return pr.clone(n.limbs[i])
	}
	return pr.load(n.from, i)
}

// inRegisters returns n with all limbs in registers.
func (pr program) inRegisters(n number) number {
	if n.limbs == nil {
		n.limbs = pr.do(nil,
			task{name: "set", operands: []number{n}, body: func(pr program, acc []vec, o []number) {
				for i, v := range acc {
					pr.into(v, func() vec { return pr.fresh(o[0], i) })
				}
			}})
	}
	return n
}

// copied returns n in other registers.
func (pr program) copied(n number) number {
	limbs := n.limbs
	n.limbs = nil
	for _, v := range limbs {
		n.limbs = append(n.limbs, pr.clone(v))
	}
	return n
}

// storeNumber stores a number from 0 to bound, exclusive.
func (pr program) storeNumber(m memory, n number, bound *big.Int) {
	pr.require(n.bound.Cmp(bound) <= 0 && n.form != raw, "a stored number may be too large", n.bound)
	pr.put(m, pr.inRegisters(n).limbs)
}

// keep stores a number in scratch memory and returns it as one there, which
// frees the registers.
func (pr program) keep(m memory, n number) number {
	pr.put(m, pr.inRegisters(n).limbs)
	n.from, n.limbs = m, nil
	return n
}

// put stores limbs.
func (pr program) put(m memory, limbs []vec) {
	pr.do(limbs,
		task{name: "put", operands: []number{{from: m}}, writes: true,
			body: func(pr program, limbs []vec, o []number) {
				for i, v := range limbs {
					pr.store(o[0].from, i, v)
				}
			}})
}

// carried changes the limbs of n to the given form.
func (pr program) carried(n number, to form) number {
	pr.require(n.least().Sign() >= 0, "a number may be negative", n.least())
	pr.require(n.bound.Cmp(pr.f.radix()) <= 0, "a number does not fit its limbs", n.bound)
	name := "clean"
	if to == factor {
		name = "carry"
	}
	limbs := pr.do(n.limbs,
		task{name: name, body: func(pr program, limbs []vec, _ []number) { pr.carry(limbs, to) }})
	return pr.withLimbs(limbs, n.bound, to)
}

// carry adds the bits above 52 of each limb but the last to the next one.
func (pr program) carry(limbs []vec, to form) {
	for i, v := range limbs[:pr.f.limbs-1] {
		pr.machine.add(limbs[i+1], pr.shiftSigned(v, limbBits))
		if to == clean {
			pr.andConst(v, mask52)
		}
	}
}

// withLimbs returns a number in limbs that were carried.
func (pr program) withLimbs(limbs []vec, bound *big.Int, form form) number {
	return number{limbs: slices.Clone(limbs), bound: bound, form: form}
}

// clean brings all limbs of n, which it changes, below 2⁵².
func (pr program) clean(n number) number { return pr.carried(n, clean) }

// factor makes n, which it changes, a number that can only be multiplied.
func (pr program) factor(n number) number { return pr.carried(n, factor) }

// factors are the two factors of a product to add.
type factors struct{ a, b number }

// product returns the sum of all a·b/R mod p, of one or two pairs, as raw limbs:
// Montgomery multiplication.
func (pr program) product(pairs ...factors) number {
	return pr.reduced(pr.multiply(nil, pairs...), productsOf(pairs), nil)
}

// productFrom returns product(pair) + start.
func (pr program) productFrom(start *number, pair factors) number {
	return pr.reduced(pr.multiply(start, pair), productsOf([]factors{pair}), start)
}

// multiply returns the limbs of product(pairs) + start. Subroutines read the first
// factor in any memory and the other ones in blocks; they read a start in a block, or
// find it in the accumulator if there are few limbs.
func (pr program) multiply(start *number, pairs ...factors) []vec {
	t := task{name: "product", long: true}
	for k, pair := range pairs {
		if pr.isBlock(pair.a) {
			pair.a, pair.b = pair.b, pair.a
		}
		pair.b = pr.inBlock(pair.b)
		if pair.a.limbs != nil || k > 0 {
			pair.a = pr.inBlock(pair.a)
		}
		t.operands = append(t.operands, pair.a, pair.b)
	}
	if len(pairs) > 1 {
		t.name = "products"
	}
	t.body = func(pr program, acc []vec, o []number) { pr.rows(acc, start, o) }
	if start == nil {
		pr.turn()
		return pr.do(nil, t)
	}
	t.name += "Plus"
	from := *start
	if from.limbs != nil || !pr.f.fewLimbs() {
		from = pr.inBlock(from)
	}
	pr.turn()
	if pr.f.fewLimbs() {
		return pr.do(pr.inRegisters(from).limbs, t)
	}
	t.operands = append(t.operands, from)
	t.body = func(pr program, acc []vec, o []number) { pr.loopOfRows(acc, &o[len(o)-1], o[:len(o)-1]) }
	return pr.do(nil, t)
}

// isBlock reports whether n is in a block of memory.
func (pr program) isBlock(n number) bool {
	return n.limbs == nil && n.from.constant == nil && n.from.limbBytes == blockBytes
}

// inBlock returns n in a block of memory, if the machine has subroutines.
func (pr program) inBlock(n number) number {
	c := pr.caller()
	if c == nil || pr.isBlock(n) {
		return n
	}
	n.from = c.put(pr, n)
	n.limbs = nil
	return n
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

// rows sets acc to the limbs of a·b + c·d + … + start, one limb of a and c at a time. If
// there are few limbs, acc holds the limbs of start.
// A limb of the sum is cleared some rounds after it is complete, so that the processor
// has other instructions while the next limb waits for it.
func (pr program) rows(acc []vec, start *number, of []number) {
	if !pr.f.fewLimbs() {
		pr.loopOfRows(acc, start, of)
		return
	}
	n := pr.f.limbs
	var t []vec
	for range n {
		t = append(t, pr.zero())
	}
	if start == nil {
		for _, v := range acc {
			pr.into(v, pr.zero)
		}
	}
	t = append(t, acc...)
	first := of[1]
	var b []vec
	for j := range n {
		b = append(b, pr.limb(first, j))
	}
	for i := range n {
		for k := 0; k < len(of); k += 2 {
			pr.addMultiple(t[i:], pr.limb(of[k], i), func(j int) vec {
				if k == 0 {
					return b[j]
				}
				return pr.limb(of[k+1], j)
			})
		}
		if i > 0 {
			pr.clearLimb(t[i-1:], false)
		}
	}
	pr.clearLimb(t[n-1:], true)
}

// limbOrZero returns a function that returns a copy of limb i of n, or 0 if there is
// no n.
func (pr program) limbOrZero(n *number, i int) func() vec {
	if n == nil {
		return pr.zero
	}
	return func() vec { return pr.fresh(*n, i) }
}

// loopOfRows is rows in a loop. Round i adds limb i and clears limb i-1 of the sum,
// which is t[0].
func (pr program) loopOfRows(acc []vec, start *number, of []number) {
	n := pr.f.limbs
	t := append(append([]vec{pr.zero()}, acc...), pr.zero())
	for j := 1; j < n; j++ {
		pr.into(t[j], pr.zero)
	}
	pr.into(t[n], pr.limbOrZero(start, 0))
	var moving []memory
	for i := 0; i < len(of); i += 2 {
		moving = append(moving, of[i].from)
	}
	if start != nil {
		moving = append(moving, start.from)
	}
	row := func(i int, t []vec) {
		for k := 0; k < len(of); k += 2 {
			pr.addMultiple(t, pr.limb(of[k], i), func(j int) vec { return pr.limb(of[k+1], j) })
		}
	}
	row(0, t)
	pr.rounds(n, moving, func(i int) {
		pr.into(t[n+1], pr.limbOrZero(start, i))
		row(i, t[1:])
		pr.clearLimb(t, false)
		for j := range n + 1 {
			pr.into(t[j], func() vec { return pr.clone(t[j+1]) })
		}
	})
	pr.clearLimb(t, true)
}

// square returns a²/R mod p as raw limbs.
func (pr program) square(a number) number {
	a = pr.inBlock(a)
	pr.turn()
	limbs := pr.do(nil,
		task{name: "square", long: true, operands: []number{a},
			body: func(pr program, acc []vec, o []number) {
				pr.squared(acc, o[0])
			}})
	return pr.reduced(limbs, new(big.Int).Mul(a.bound, a.bound), nil)
}

// squared sets acc to the limbs of square(a). Products of different limbs are computed
// once and doubled.
func (pr program) squared(acc []vec, a number) {
	n := pr.f.limbs
	var t []vec
	for range n {
		t = append(t, pr.zero())
	}
	for _, v := range acc {
		pr.into(v, pr.zero)
	}
	t = append(t, acc...)
	if pr.f.fewLimbs() {
		for i := range n {
			a.limbs = append(a.limbs, pr.fresh(number{from: a.from, form: a.form, bound: a.bound}, i))
		}
	}
	for i := range n - 1 {
		ai := pr.limb(a, i)
		for j := i + 1; j < n; j++ {
			aj := pr.limb(a, j)
			pr.mulLow(t[i+j], ai, aj)
			pr.mulHigh(t[i+j+1], ai, aj)
		}
	}
	for _, v := range t[1 : 2*n-1] {
		pr.machine.add(v, v)
	}
	for i := range n {
		ai := pr.limb(a, i)
		pr.mulLow(t[2*i], ai, ai)
		pr.mulHigh(t[2*i+1], ai, ai)
	}
	for i := range n {
		pr.clearLimb(t[i:], i == n-1)
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

// clearLimb replaces t[0] by limbs above with the same value modulo p, for a sum that
// is divided by R. For all limbs but the last one the value is the limb times
// 2⁵²·(2⁻⁵² mod p), which takes no quotient (a modulus -1 mod 2⁵², as in Gueron and
// Krasnov, "Fast prime field elliptic-curve cryptography with 256-bit primes", section
// 4). The last one is cleared by a multiple of p, which is smaller, unless both are the
// same.
func (pr program) clearLimb(t []vec, last bool) {
	if !last || pr.f.quotientFree() {
		low := t[0]
		for j, c := range pr.f.split(pr.f.inverseOfLimb()) {
			if c != 0 {
				limb := pr.constant(int64(c))
				pr.mulLow(t[1+j], low, limb)
				pr.mulHigh(t[2+j], low, limb)
			}
			if j == 0 {
				pr.machine.add(t[1], pr.shiftRight(t[0], limbBits))
			}
		}
		return
	}
	// The sum of t[0] and the lowest product is a multiple of 2⁵²: the least one that
	// is not below t[0].
	q := pr.quotient(t[0], pr.f.negInverse())
	pr.addConst(t[0], mask52)
	pr.machine.add(t[1], pr.shiftRight(t[0], limbBits))
	for j, c := range pr.f.split(pr.f.p) {
		limb := pr.constant(int64(c))
		if j > 0 {
			pr.mulLow(t[j], q, limb)
		}
		pr.mulHigh(t[j+1], q, limb)
	}
}

// multipleFrom returns the least multiple of p from v on.
func (f *field) multipleFrom(v *big.Int) *big.Int {
	q := new(big.Int).Add(v, f.p)
	q.Sub(q, big.NewInt(1)).Div(q, f.p)
	return q.Mul(q, f.p)
}

// multiple returns a constant multiple of p, which may be negative.
func (pr program) multiple(of *big.Int) number {
	m := memory{limbBytes: wordBytes, constant: []int64{}}
	for _, c := range pr.f.split(new(big.Int).Abs(of)) {
		m.constant = append(m.constant, int64(c)*int64(of.Sign()))
	}
	return number{from: m, low: of, bound: new(big.Int).Add(of, big.NewInt(1)), form: raw}
}

// fixed returns a constant below p in clean limbs.
func (pr program) fixed(v *big.Int) number { return number{from: pr.multiple(v).from, bound: pr.f.p} }

// sum returns the sum of all plus less all of minus, as raw limbs. At most one of them
// is in registers, which it changes.
func (pr program) sum(plus, minus []number) number {
	out := number{low: new(big.Int), bound: big.NewInt(1), form: raw}
	for _, n := range plus {
		out.low.Add(out.low, n.least())
		out.bound.Add(out.bound, n.bound).Sub(out.bound, big.NewInt(1))
	}
	for _, n := range minus {
		out.low.Sub(out.low, n.bound).Add(out.low, big.NewInt(1))
		out.bound.Sub(out.bound, n.least())
	}
	have := func(n number) bool { return n.limbs != nil }
	if i := slices.IndexFunc(plus, have); i >= 0 {
		out.limbs = plus[i].limbs
		plus = slices.Delete(slices.Clone(plus), i, i+1)
	} else if i := slices.IndexFunc(minus, have); i >= 0 {
		out.limbs = pr.combine("from", minus[i].limbs, plus[0], pr.subFrom)
		plus, minus = plus[1:], slices.Delete(slices.Clone(minus), i, i+1)
	} else {
		out.limbs = pr.inRegisters(plus[0]).limbs
		plus = plus[1:]
	}
	for _, n := range plus {
		out.limbs = pr.combine("add", out.limbs, n, pr.machine.add)
	}
	for _, n := range minus {
		out.limbs = pr.combine("sub", out.limbs, n, pr.machine.sub)
	}
	return out
}

// combine changes all limbs by the limbs of a number in memory.
func (pr program) combine(name string, limbs []vec, n number, by func(acc, v vec)) []vec {
	return pr.do(limbs,
		task{name: name, operands: []number{n}, body: func(pr program, acc []vec, o []number) {
			for i, v := range acc {
				by(v, pr.fresh(o[0], i))
			}
		}})
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
	return pr.sum([]number{pr.multiple(pr.f.multipleFrom(new(big.Int).Sub(n.bound, big.NewInt(1))))},
		[]number{n})
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
	out.limbs = pr.do(n.limbs,
		task{name: fmt.Sprint("times", k), body: func(pr program, acc []vec, _ []number) {
			for _, v := range acc {
				if k == 3 {
					pr.machine.add(v, pr.shiftLeft(v, 1))
				} else {
					pr.into(v, func() vec { return pr.shiftLeft(v, bits.Len(k)-1) })
				}
			}
		}})
	return out
}

// rawBits bounds raw limbs that may be reduced by small: they are -2^rawBits or
// more and below 2^rawBits. Where they are not, the result is wrong and prove refuses it.
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
	tables := make([][lanes]int64, pr.f.limbs)
	slack := pow2(top + rawBits - limbBits + 1)
	bound := new(big.Int)
	for k := -lanes / 2; k < lanes/2; k++ {
		from := new(big.Int).Mul(big.NewInt(int64(k)), unit)
		from.Sub(from, slack)
		to := new(big.Int).Add(from, unit)
		to.Add(to, slack).Add(to, slack)
		// The least multiple of p not below -from.
		multiple := pr.f.multipleFrom(new(big.Int).Neg(from))
		for i, limb := range pr.f.split(new(big.Int).Abs(multiple)) {
			tables[i][k&(lanes-1)] = int64(limb) * int64(multiple.Sign())
		}
		if to.Cmp(n.least()) > 0 && from.Cmp(n.bound) < 0 && to.Add(to, multiple).Cmp(bound) > 0 {
			bound.Set(to)
		}
	}
	pr.require(new(big.Int).Mul(big.NewInt(-lanes/2), unit).Cmp(n.least()) < 0,
		"a number is not in the table", n.least())
	pr.require(new(big.Int).Mul(big.NewInt(lanes/2), unit).Cmp(n.bound) > 0, "a number is not in the table",
		n.bound)
	pr.require(bound.Cmp(pr.f.radix()) <= 0, "a number does not fit its limbs", bound)
	limbs := pr.do(n.limbs, task{name: "small", body: func(pr program, acc []vec, _ []number) {
		index := pr.shiftSigned(acc[pr.f.limbs-1], unitBit)
		for i, table := range tables {
			pr.machine.add(acc[i], pr.lookUp(index, table))
		}
		pr.carry(acc, clean)
	}})
	return pr.withLimbs(limbs, bound, clean)
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
	}
	return reduced
}

// masked returns a number for multiplications in clean limbs only.
func (pr program) masked(n number) number {
	out := number{bound: n.bound}
	for i := range pr.f.limbs {
		v := pr.fresh(n, i)
		pr.andConst(v, mask52)
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
