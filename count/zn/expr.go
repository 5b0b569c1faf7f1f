package zn

import (
	"math/big"
	"sync"
)

// Element is a group element, as a value or as an unevaluated expression.
// Building expressions is free. An Element may be shared between
// goroutines; its value never changes, and it keeps its precomputed powers.
type Element struct {
	core *core

	mu    sync.Mutex
	value *big.Int // nil until evaluated; then constant
	odd   []*big.Int
	sq    *big.Int // x², the step between odd powers

	expr expr // the expression to evaluate
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

func (e *Element) build(x expr) *Element { return &Element{core: e.core, expr: x} }

// Mul returns e·f; e·e is a squaring.
func (e *Element) Mul(f *Element) *Element {
	if e == f {
		return e.Square()
	}
	return e.build(product{e, f})
}

// Square returns e².
func (e *Element) Square() *Element { return e.build(square{e}) }

// Inv returns 1/e.
func (e *Element) Inv() *Element { return e.build(inverse{e}) }

// Div returns e/f.
func (e *Element) Div(f *Element) *Element { return e.Mul(f.Inv()) }

// Pow returns eᵏ. A negative k makes its digits negative. k is reduced only if
// its absolute value is at least the order. The powers 0, 1 and -1 do not count
// as exponentiations.
func (e *Element) Pow(k *big.Int) *Element {
	if k.CmpAbs(e.core.order) >= 0 {
		k = new(big.Int).Mod(k, e.core.order)
	}
	switch {
	case k.Sign() == 0:
		return &Element{core: e.core, value: new(big.Int)}
	case !k.IsInt64():
	case k.Int64() == 1:
		return e
	case k.Int64() == -1:
		return e.Inv()
	}
	return e.build(power{e, new(big.Int).Set(k)})
}

// PowInt returns eᵏ.
func (e *Element) PowInt(k int64) *Element { return e.Pow(big.NewInt(k)) }

// look returns the value of e, or its expression if it is not evaluated.
func (e *Element) look() (*big.Int, expr) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.value, e.expr
}
