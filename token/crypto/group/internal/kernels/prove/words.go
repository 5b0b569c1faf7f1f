package main

import (
	"math/big"
	"slices"
)

// Values of kernels that move words across lanes and cut them into limbs or digits. Such a
// kernel is proved for one element at a time: the values of other elements are unknown.

// parts are how a value was made of others.
type parts struct {
	left, right *value    // it is left·2^by, or ⌊right/2^by⌋
	by          int       //
	or, sum     [2]*value // it is the sum; in or the second is a multiple of a power of 2 above the first
	of          *value    // it is a quotient of this value
	name        *value    // another name of it, a variable
	half        int       // it is this half, 32 bits, of the value word
	word        *value
	digit       *digit
}

// words is the state of the proof for one element.
type words struct {
	unknown *value
	element int // its lane
	// A choice is whether a mask is set. Choices after the script are true at first.
	script, made []bool
	chosen       map[*value]bool
	assumed      []assumption
}

// assumption is a sum that is in a span by the choices made.
type assumption struct {
	poly poly
	span span
}

// impossible ends a path on which a choice contradicts the bounds.
type impossible struct{}

func newWords(l *lane, element int, script []bool) *words {
	unknown := l.fresh("a value of another element", unsigned64)
	return &words{unknown: unknown, element: element, script: script, chosen: map[*value]bool{}}
}

// lanewise returns f of the values in each lane.
func (l *lane) lanewise(f func(v []*value) *value, v ...*value) *value {
	n := 0
	for _, x := range v {
		n = max(n, len(x.lanes))
	}
	if n == 0 {
		return f(v)
	}
	out := make([]*value, n)
	for i := range out {
		at := make([]*value, len(v))
		for k, x := range v {
			at[k] = x.in(i)
			if len(x.lanes) != 0 && len(x.lanes) != n {
				refuse("lanes of different widths")
			}
		}
		out[i] = l.words.unknown
		if !slices.Contains(at, l.words.unknown) {
			out[i] = f(at)
		}
	}
	return l.lanesOf(out)
}

// lanesOf returns a register with values in its lanes.
func (l *lane) lanesOf(lanes []*value) *value {
	out := l.fresh("a register with different lanes", unsigned64)
	out.lanes = lanes
	return out
}

// in returns the value in a lane.
func (v *value) in(lane int) *value {
	if v.lanes == nil {
		return v
	}
	return v.lanes[lane]
}

// cut returns v modulo 2^n if v is made of parts for which it is known, or nil.
func (l *lane) cut(v *value, n int) *value {
	p := v.parts
	switch {
	case p.left != nil && n <= p.by:
		return l.constant(new(big.Int))
	case p.left != nil:
		return l.shiftLeft(l.modulo(p.left, n-p.by), p.by)
	case p.right != nil:
		return l.shifted(l.modulo(p.right, n+p.by), p.by)
	case p.or[1] != nil && p.or[1].zeros() <= n:
		return l.or(p.or[0], l.modulo(p.or[1], n))
	case len(v.poly) == 1 && v.poly.equal(variable(v.poly[0].mono[1])):
		if x := l.of(v); x.low != nil && x.bits > n {
			return l.modulo(x.low, n)
		}
	case n == 1 && p.sum[1] != nil && p.sum[1].isConstant() && p.sum[1].span.lo.Bit(0) == 1:
		return l.sub(l.constant(num(1)), l.modulo(p.sum[0], 1))
	}
	return nil
}

func (p poly) equal(q poly) bool { return len(p.plus(q, dy(num(-1), 0))) == 0 }

// zeros returns how many of the lowest bits of v are certainly 0.
func (v *value) zeros() int {
	if v.parts.left != nil {
		return v.parts.by
	}
	return 0
}

// or is VPORQ of a value and a multiple of a power of 2 above it.
func (l *lane) or(a, b *value) *value {
	if a.zeros() > b.zeros() {
		a, b = b, a
	}
	a = l.fits(a, unsigned64, "VPORQ")
	if !a.span.within(upTo(minus(pow2(b.zeros()), num(1)))) {
		refuse("VPORQ of values that may have the same bits")
	}
	out := l.value(a.poly.plus(b.poly, dy(num(1), 0)), a.span.plus(b.span))
	out.parts.or = [2]*value{a, b}
	return out
}

// named returns a variable for a sum. Products with it are bounded better.
func (l *lane) named(v *value) *value {
	if len(v.poly) < 2 {
		return v
	}
	if v.parts.name == nil {
		l.tighten(v)
		v.parts.name = l.fresh("a limb", v.span)
		l.of(v.parts.name).equal = v.poly
	}
	return v.parts.name
}

// isMultiple reports whether v is a multiple of 2^n by its coefficients, or because of a quotient:
// q is t/-p modulo 2^n, so that t·s + q·c is a multiple of 2^n if s - c/p is.
func (l *lane) isMultiple(v *value, n int) bool {
	p := l.replaced(v.poly, func(v *variableOf, t term) poly {
		if v.low == nil || v.low.parts.of != nil || v.bits < n || t.c.e < 0 {
			return nil
		}
		return v.low.poly
	})
	if p.isMultiple(n) {
		return true
	}
	for _, t := range p {
		x := &l.variables[t.mono[1]]
		if t.mono[0] != 0 || x.low == nil || x.low.parts.of == nil || x.bits < n || t.c.e < 0 {
			continue
		}
		c := new(big.Int).ModInverse(l.field.p, pow2(limbBits))
		c.Sub(num(1), c.Mul(c, floor(t.c)))
		rest := p.plus(x.low.parts.of.poly, dy(num(-1), 0)).plus(poly{t}, dy(num(-1), 0))
		if dy(c, 0).isMultiple(n) && rest.isMultiple(n) {
			return true
		}
	}
	return false
}

func (p poly) isMultiple(n int) bool {
	return !slices.ContainsFunc(p, func(t term) bool { return !t.c.isMultiple(n) })
}

func (a dyadic) isMultiple(n int) bool { return a.m.Sign() == 0 || a.e >= n }

// expanded replaces names by what they name.
func (l *lane) expanded(p poly) poly {
	return l.replaced(p, func(v *variableOf, _ term) poly {
		if v.value != nil {
			return nil
		}
		return v.equal
	})
}

// replaced replaces variables, the latest first, by what by returns, unless it is nil.
func (l *lane) replaced(p poly, by func(v *variableOf, t term) poly) poly {
	for next := int32(len(l.variables)); next > 0; {
		best := term{}
		for _, t := range p {
			if t.mono[0] == 0 && t.mono[1] < next && t.mono[1] > best.mono[1] {
				best = t
			}
		}
		next = best.mono[1]
		if next == 0 {
			break
		}
		if q := by(&l.variables[next], best); q != nil {
			p = p.plus(poly{best}, dy(num(-1), 0)).plus(q, best.c)
		}
	}
	return p
}

// byAssumptions improves bounds of p: if p is a multiple of an assumed sum plus a rest, bounds
// of both bound p.
func (l *lane) byAssumptions(p poly, s span) span {
	for _, a := range l.words.assumed {
		c, has := p.ratio(a.poly)
		if !has || c.m.Sign() < 0 {
			continue
		}
		lo, hi := l.termwise(p.plus(a.poly, dyadic{new(big.Int).Neg(c.m), c.e}))
		s = s.and(span{ceil(lo.plus(c.times(dy(a.span.lo, 0)))), floor(hi.plus(c.times(dy(a.span.hi, 0))))})
	}
	return s
}

// ratio is the ratio of coefficients of the first variable of q.
func (p poly) ratio(q poly) (c dyadic, ok bool) {
	for _, t := range q {
		if t.mono == (mono{}) {
			continue
		}
		for _, u := range p {
			m, rest := new(big.Int).QuoRem(u.c.m, t.c.m, new(big.Int))
			if u.mono == t.mono && rest.Sign() == 0 {
				return dy(m, u.c.e-t.c.e), true
			}
		}
		return dyadic{}, false
	}
	return dyadic{}, false
}

// selected is VPTERNLOGQ $0xca: yes where the mask is -1, and no where it is 0. It follows one case.
func (l *lane) selected(mask, no, yes *value) *value {
	if l.choose(mask) {
		return yes
	}
	return no
}

// choose decides whether a mask is set. The other case is another run.
func (l *lane) choose(mask *value) bool {
	w := l.words
	set, known := w.chosen[mask]
	if known {
		return set
	}
	if mask.isConstant() {
		return mask.span.lo.Sign() != 0
	}
	if !mask.span.within(span{num(-1), new(big.Int)}) {
		refuse("a mask that is not 0 or -1")
	}
	set = true
	if len(w.made) < len(w.script) {
		set = w.script[len(w.made)]
	}
	w.made, w.chosen[mask] = append(w.made, set), set
	one := exactly(new(big.Int))
	if set {
		one = exactly(num(-1))
	}
	l.assume(mask, one)
	if i := mask.index; i != nil { // it is the sign of i.of
		negative := span{signed64.lo, num(-1)}
		if !set {
			negative = upTo(signed64.hi)
		}
		l.assume(i.of, negative)
	}
	return set
}

// assume adds an assumption.
func (l *lane) assume(v *value, s span) {
	l.tighten(v)
	v.span = v.span.and(s)
	if v.span.lo.Cmp(v.span.hi) > 0 {
		panic(impossible{})
	}
	l.words.assumed = append(l.words.assumed, assumption{v.poly, v.span})
}

// exact returns a sum equal to p, which is from 0 to 2^n - 1: a sum with bounds from 0 to 2^n - 1
// that is the same modulo 2^n. Lowest bits are replaced by the values that they are of, where the
// others do not count. Then coefficients are changed by multiples of 2^n: to the least ones, and for
// the limbs of a number to the coefficient of the lowest limb, so that the number remains.
func (l *lane) exact(p poly, n int) poly {
	limbs := map[*variableOf]bool{} // of numbers
	for _, x := range l.variables {
		for _, t := range x.equal {
			limbs[&l.variables[t.mono[1]]] = true
		}
	}
	p = l.replaced(p.least(n), func(v *variableOf, t term) poly {
		if v.low == nil || t.c.e >= n || t.c.e+v.bits < n || limbs[v] {
			return nil
		}
		return v.low.poly
	})
	p = p.least(n)
	all := []poly{p}
	for i := len(l.variables) - 1; i > 0; i-- {
		if l.variables[i].equal == nil {
			continue
		}
		for _, p := range all {
			all = append(all, l.whole(p, int32(i), n)...)
		}
	}
	for _, p := range slices.Backward(all) {
		if shift, ok := l.shiftInto(p, n); ok {
			return p.plus(constant(shift), dy(num(1), 0))
		}
	}
	refuse("a number that is not from 0 to 2^%d", n)
	return nil
}

// shiftInto returns the multiple of 2^n that shifts p to 0 to 2^n - 1, if there is one. To bound p, it
// replaces the names of the highest limbs of numbers, the latest first, and high halves of products
// by the products and low halves.
func (l *lane) shiftInto(p poly, n int) (shift *big.Int, ok bool) {
	for next := int32(len(l.variables)); ; {
		lo, hi := l.termwise(p)
		shift = times(new(big.Int).Rsh(ceil(lo), uint(n)), new(big.Int).Neg(pow2(n)))
		if plus(floor(hi), shift).BitLen() <= n && plus(ceil(lo), shift).Sign() >= 0 {
			return shift, true
		}
		last := next
		next = 0
		for _, t := range p {
			if x := t.mono[1]; t.mono[0] == 0 && x < last && x > next && l.variables[x].equal != nil {
				next = x
			}
		}
		if next == 0 {
			return nil, false
		}
		p = l.replaced(p, func(v *variableOf, _ term) poly {
			if v != &l.variables[next] {
				return nil
			}
			return v.equal
		})
		p = l.replaced(p, func(v *variableOf, _ term) poly {
			if v.product == nil {
				return nil
			}
			low := l.fresh("a low half", upTo(mask52))
			return v.product.plus(low.poly, dy(num(-1), 0)).scaled(dy(num(1), -limbBits))
		})
	}
}

// least returns p with coefficients from -2^(n-1) to 2^(n-1).
func (p poly) least(n int) (out poly) {
	for _, t := range p {
		t.c = t.c.least(n)
		if t.c.m.Sign() != 0 {
			out = append(out, t)
		}
	}
	return out
}

// least returns a modulo 2^n, from -2^(n-1) to 2^(n-1).
func (a dyadic) least(n int) dyadic {
	half := dy(num(1), n-1)
	k := floor(a.plus(half).times(dy(num(1), -n)))
	return a.plus(dy(new(big.Int).Neg(k), n))
}

// whole changes the coefficients of the limbs of a number by multiples of 2^n, if they allow it, so
// that they are the coefficient of the lowest limb times powers of 2. The highest limb is a name:
// of the number less the limbs below. The coefficient of the lowest limb may be positive or negative.
func (l *lane) whole(p poly, highest int32, n int) []poly {
	limbs := map[int32]int{highest: 0} // exponents of 2
	for _, t := range l.variables[highest].equal {
		if t.mono[0] == 0 && t.mono[1] != 0 && t.c.m.Cmp(num(-1)) == 0 && l.variables[t.mono[1]].low != nil {
			limbs[t.mono[1]] = t.c.e
		}
	}
	lowest, from := highest, dyadic{new(big.Int), 0}
	for v, e := range limbs { // of p
		if c := p.coefficient(v); c.m.Sign() != 0 && e <= limbs[lowest] {
			lowest, from = v, c
		}
	}
	if from.m.Sign() == 0 {
		return nil
	}
	other := from.plus(dy(num(int64(-from.m.Sign())), n))
	out := []poly{p, p}
	for v, e := range limbs {
		if e < limbs[lowest] {
			continue
		}
		for i, c := range []dyadic{other, from} {
			more := c.times(dy(num(1), e-limbs[lowest])).plus(p.coefficient(v).times(dy(num(-1), 0)))
			if !more.isMultiple(n) {
				return nil
			}
			out[i] = out[i].plus(variable(v), more)
		}
	}
	return out
}

// coefficient returns the coefficient of a variable.
func (p poly) coefficient(v int32) dyadic {
	for _, t := range p {
		if t.mono == (mono{0, v}) {
			return t.c
		}
	}
	return dyadic{new(big.Int), 0}
}
