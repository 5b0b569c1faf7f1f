package zn

import (
	"github.com/zkatbench/zkatbench/count"
)

// Compute evaluates e, counting in the bucket of g, and returns e. Using the
// evaluated e again is free. e may belong to another group than g, as an argument
// of a pairing does.
func (g *Group) Compute(e *Element) *Element {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.expr == nil {
		return e
	}
	counts := count.Counts{}
	switch x := e.expr.(type) {
	case square:
		g.Compute(x.operand)
		counts.AddTally(count.Outer, e.core.name, count.Tally{Doubles: 1})
	case pairings:
		for i := range x.ps {
			g.Compute(x.ps[i])
			g.Compute(x.qs[i])
		}
		counts[count.Event{Group: e.core.name, Op: count.Pairing, Size: len(x.ps)}]++
		counts[count.Event{Group: e.core.name, Op: count.FinalExp, Size: 1}]++
	default:
		var f factors
		g.gather(&f, x, 1)
		f.count(counts, e.core)
	}
	g.bucket.Merge(counts)
	e.expr = nil
	return e
}

// Precompute evaluates e and prepares it for single powers, so that its first
// power costs the same as later ones.
func (g *Group) Precompute(e *Element) *Element {
	g.Compute(e)
	counts := count.Counts{}
	counts.AddTally(count.Precomputed, e.core.name, e.keep(e.core.alg.Exp.Window))
	g.bucket.Merge(counts)
	return e
}

// factors is a product, with factors sorted by the required work.
type factors struct {
	values   uint64 // factors without a power
	inverted bool   // whether one of them is inverted
	powers   []power
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
		g.Compute(x.base)
		if sign < 0 {
			x = x.inverted()
		}
		f.powers = append(f.powers, x)
	}
}

func (g *Group) factor(f *factors, e *Element, sign int) {
	switch x := e.pending().(type) {
	case product, inverse, power:
		g.gather(f, x, sign)
	default:
		g.Compute(e)
		f.values++
		f.inverted = f.inverted || sign < 0
	}
}

// count adds the operations of a product: all powers together, and all inverted
// factors before their inversion.
func (f factors) count(counts count.Counts, c *core) {
	outer := count.Tally{Adds: f.values - 1}
	if f.inverted {
		outer.Negs = 1
	}
	if n := len(f.powers); n > 0 {
		outer.Adds++
		e := count.Of(count.MSM, n)
		if n == 1 {
			e.Op = count.ScalarMul
		}
		e.Group = c.name
		counts[e]++
		c.alg.count(counts, c.name, f.powers)
	}
	counts.AddTally(count.Outer, c.name, outer)
}
