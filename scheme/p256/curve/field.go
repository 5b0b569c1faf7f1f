package curve

// Field is a pointer to a field element of type E, as package limb generates it.
type Field[E any] interface {
	*E
	Mul(x, y *E)
	Square(x *E)
	Add(x, y *E)
	Sub(x, y *E)
	Reduce()
	Select(x, y *E, choice int)
	FromBytes(b []byte) error
	Bytes() [32]byte
}

// Limits are the constants of a field's package: the largest addition counts of
// operands of products and of additions.
type Limits struct{ MaxAdds, MaxSum int }

// Ops counts field operations.
type Ops struct{ Mul, Square, Add, Reduce int }

// A value is a field element with its addition count. The count depends on the
// sequence of operations and never on values.
type value[E any] struct {
	e    E
	adds int
}

// arith is the arithmetic of one computation: it keeps operands within the limits
// of the field, by reducing them in place, and counts operations.
type arith[E any, F Field[E]] struct {
	Limits
	ops Ops
	// t are the temporary values of a formula. They stand here because values on
	// the stack of a generic function would be allocated at every call.
	t [5]value[E]
}

// within reduces x in place if its count is above limit.
func (a *arith[E, F]) within(x *value[E], limit int) {
	if x.adds > limit {
		F(&x.e).Reduce()
		x.adds = 0
		a.ops.Reduce++
	}
}

// mul sets z = x·y.
func (a *arith[E, F]) mul(z, x, y *value[E]) {
	a.within(x, a.MaxAdds)
	a.within(y, a.MaxAdds)
	F(&z.e).Mul(&x.e, &y.e)
	z.adds = 0
	a.ops.Mul++
}

// square sets z = x².
func (a *arith[E, F]) square(z, x *value[E]) {
	a.within(x, a.MaxAdds)
	F(&z.e).Square(&x.e)
	z.adds = 0
	a.ops.Square++
}

// add sets z = x + y.
func (a *arith[E, F]) add(z, x, y *value[E]) {
	a.within(x, a.MaxSum)
	a.within(y, a.MaxSum)
	F(&z.e).Add(&x.e, &y.e)
	z.adds = max(x.adds, y.adds) + 1
	a.ops.Add++
}

// sub sets z = x − y.
func (a *arith[E, F]) sub(z, x, y *value[E]) {
	a.within(x, a.MaxSum)
	a.within(y, a.MaxSum)
	F(&z.e).Sub(&x.e, &y.e)
	z.adds = max(x.adds, y.adds) + 1
	a.ops.Add++
}
