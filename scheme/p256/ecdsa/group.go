package ecdsa

import (
	"math/big"

	"github.com/zkatbench/zkatbench/scheme/p256/curve"
)

// Group is the curve P-256 as ECDSA uses it. Scalars are 32 bytes, most
// significant first. Coordinates are affine, and nil for the point at infinity.
type Group interface {
	// BaseMult returns k·G and the field operations that it took, without the
	// conversion to affine coordinates. Ops is 0 where they are not counted.
	BaseMult(k *[32]byte) (x, y *big.Int, ops curve.Ops)
	// Combine returns u·G + v·Q for the point Q = (x, y). The error is
	// curve.ErrNotOnCurve without such a point.
	Combine(u, v *[32]byte, x, y *big.Int) (rx, ry *big.Int, err error)
}

// Over returns the group over a field with the limits of its package.
func Over[E any, F curve.Field[E]](limits curve.Limits) Group {
	return overField[E, F]{curve.New[E, F](limits)}
}

type overField[E any, F curve.Field[E]] struct{ *curve.Curve[E, F] }

func (g overField[E, F]) BaseMult(k *[32]byte) (x, y *big.Int, ops curve.Ops) {
	p, ops := g.Multiply(k, g.Generator())
	x, y, _ = g.Affine(p)
	return x, y, ops
}

func (g overField[E, F]) Combine(u, v *[32]byte, x, y *big.Int) (rx, ry *big.Int, err error) {
	q, err := g.Point(x, y)
	if err != nil {
		return nil, nil, err
	}
	first, _ := g.Multiply(u, g.Generator())
	second, _ := g.Multiply(v, q)
	rx, ry, _ = g.Affine(g.Add(first, second))
	return rx, ry, nil
}
