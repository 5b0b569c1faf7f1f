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
