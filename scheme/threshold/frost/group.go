package frost

import (
	"filippo.io/edwards25519"

	"github.com/zkatbench/zkatbench/scheme/threshold/ops"
)

// base returns s·B.
func base(s *edwards25519.Scalar) *edwards25519.Point {
	ops.Add(ops.BaseMul, 1)
	return new(edwards25519.Point).ScalarBaseMult(s)
}

// add returns P + Q.
func add(p, q *edwards25519.Point) *edwards25519.Point {
	ops.Add(ops.PointAdd, 1)
	return new(edwards25519.Point).Add(p, q)
}

// sum returns Σ sᵢ·Pᵢ in variable time.
func sum(scalars []*edwards25519.Scalar, points []*edwards25519.Point) *edwards25519.Point {
	ops.Add(ops.MSM(len(points)), 1)
	return new(edwards25519.Point).VarTimeMultiScalarMult(scalars, points)
}
