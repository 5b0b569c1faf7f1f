package zn

import (
	"math/big"
	"sync"

	"github.com/zkatbench/zkatbench/count"
)

// Element is a group element, as a value or as an unevaluated expression.
// Building expressions is free: the value of an expression is known without the
// operations that evaluating it counts. An Element may be shared between
// goroutines; its value never changes, and it keeps its precomputed powers.
type Element struct {
	core  *core
	value *big.Int

	mu   sync.Mutex
	expr expr // the expression to evaluate, nil afterwards
	kept int  // number of precomputed powers x, x³, …
}

// expr is one operation on elements.
type expr any

type (
	product struct{ a, b *Element }
	power   struct {
		base *Element
		exp  *big.Int
	}
	inverse  struct{ operand *Element }
	square   struct{ operand *Element }
	pairings struct{ ps, qs []*Element }
)

func (p power) inverted() power { return power{p.base, new(big.Int).Neg(p.exp)} }

// element returns v mod n as an element; x is the expression to evaluate, if it is
// not nil.
func (c *core) element(v *big.Int, x expr) *Element {
	return &Element{core: c, value: v.Mod(v, c.order), expr: x}
}

// Mul returns e·f; e·e is a squaring.
func (e *Element) Mul(f *Element) *Element {
	if e == f {
		return e.Square()
	}
	return e.core.element(new(big.Int).Add(e.value, f.value), product{e, f})
}

// Square returns e².
func (e *Element) Square() *Element {
	return e.core.element(new(big.Int).Lsh(e.value, 1), square{e})
}

// Inv returns 1/e.
func (e *Element) Inv() *Element { return e.core.element(new(big.Int).Neg(e.value), inverse{e}) }

// Pow returns eᵏ. A negative k makes its digits negative. k is reduced only if
// its absolute value is at least the order. The powers 0, 1 and -1 do not count
// as exponentiations.
func (e *Element) Pow(k *big.Int) *Element {
	if k.CmpAbs(e.core.order) >= 0 {
		k = new(big.Int).Mod(k, e.core.order)
	}
	switch {
	case k.Sign() == 0:
		return e.core.element(new(big.Int), nil)
	case !k.IsInt64():
	case k.Int64() == 1:
		return e
	case k.Int64() == -1:
		return e.Inv()
	}
	return e.core.element(new(big.Int).Mul(e.value, k), power{e, new(big.Int).Set(k)})
}

// PowInt returns eᵏ.
func (e *Element) PowInt(k int64) *Element { return e.Pow(big.NewInt(k)) }

// pending returns the expression of e, or nil if e is evaluated.
func (e *Element) pending() expr {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.expr
}

// keep returns the work to make the powers x³, … x^(2ʷ-1) that e does not keep yet: the
// step x² between them is the first.
func (e *Element) keep(window int) (work count.Tally) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.kept == 0 {
		work.Doubles, e.kept = 1, 1
	}
	if powers := 1 << (window - 1); powers > e.kept {
		work.Adds, e.kept = uint64(powers-e.kept), powers
	}
	return work
}
