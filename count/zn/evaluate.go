package zn

import (
	"math/big"

	"github.com/zkatbench/zkatbench/count"
)

// Compute evaluates e, counting in the bucket of g, and returns e. Using the
// evaluated e again is free.
func (g *Group) Compute(e *Element) *Element {
	g.value(e)
	return e
}

// Precompute evaluates e and prepares it for single powers, so that its first
// power costs the same as later ones.
func (g *Group) Precompute(e *Element) *Element {
	g.value(e)
	m := g.machine(e.core)
	m.oddPowers(e, e.core.alg.Exp.Window)
	m.done(nil)
	return e
}

// Cost returns the operations inside a product of powers of new bases: the work
// of the algorithm for these exponents.
func (g *Group) Cost(exps []*big.Int) count.Counts {
	m := (&Group{core: g.core}).machine(g.core)
	ts := make([]term, len(exps))
	for i, e := range exps {
		ts[i] = term{&Element{core: g.core, value: big.NewInt(1)}, e}
	}
	if len(ts) > 0 {
		m.powers(ts)
	}
	m.done(nil)
	return m.counts.Select(func(e count.Event) bool { return e.Layer != count.Outer })
}

// value evaluates e once. e may belong to another group than g, as an argument
// of a pairing does.
func (g *Group) value(e *Element) *big.Int {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.value == nil {
		e.value = g.evaluate(e)
		e.expr = nil
	}
	return e.value
}

func (g *Group) evaluate(e *Element) *big.Int {
	m := g.machine(e.core)
	switch x := e.expr.(type) {
	case square:
		v := g.value(x.operand)
		return m.done(m.double(count.Outer, v))
	case pairings:
		v, product := new(big.Int), new(big.Int)
		for i := range x.ps {
			v.Add(v, product.Mul(g.value(x.ps[i]), g.value(x.qs[i])))
		}
		m.counts[count.Event{Group: e.core.name, Op: count.Pairing, Size: len(x.ps)}]++
		m.counts[count.Event{Group: e.core.name, Op: count.FinalExp, Size: 1}]++
		return m.done(v.Mod(v, e.core.order))
	}
	var f factors
	g.gather(&f, e.expr, 1)
	return m.done(m.product(f))
}

// factors is a product, with factors sorted by the required work.
type factors struct {
	num, den []*big.Int
	powers   []term
}

// term is one power of an evaluated base.
type term struct {
	base *Element
	exp  *big.Int
}

// gather splits an expression or its inverse (sign -1) into factors, through
// products, inverses and powers.
func (g *Group) gather(f *factors, x expr, sign int) {
	switch x := x.(type) {
	case product:
		g.factor(f, x.a, sign)
		g.factor(f, x.b, sign)
	case inverse:
		g.factor(f, x.operand, -sign)
	case power:
		g.value(x.base)
		f.powers = append(f.powers, term{x.base, new(big.Int).Mul(x.exp, big.NewInt(int64(sign)))})
	}
}

func (g *Group) factor(f *factors, e *Element, sign int) {
	v, x := e.look()
	if v == nil {
		switch x.(type) {
		case product, inverse, power:
			g.gather(f, x, sign)
			return
		}
		v = g.value(e)
	}
	if sign > 0 {
		f.num = append(f.num, v)
	} else {
		f.den = append(f.den, v)
	}
}

// product multiplies f: all powers together, and all inverted factors before
// their inversion.
func (m *machine) product(f factors) *big.Int {
	parts := f.num
	if len(f.powers) > 0 {
		parts = append(parts, m.powers(f.powers))
	}
	if len(f.den) > 0 {
		parts = append(parts, m.neg(count.Outer, m.multiply(f.den)))
	}
	return m.multiply(parts)
}

func (m *machine) multiply(parts []*big.Int) *big.Int {
	v := parts[0]
	for _, p := range parts[1:] {
		v = m.add(count.Outer, v, p)
	}
	return v
}
