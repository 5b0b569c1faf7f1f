// Code generated from bn254/inside.go by bls12381/generate. DO NOT EDIT.

package bls12381

import (
	curve "github.com/consensys/gnark-crypto/ecc/bls12-381"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Inside returns, by name, the parts of the Group's operations, so that their
// unit costs can be measured. Each does one
// operation for each of points from to to-1, on other operands every time; at
// most batchLen in a call, and no two calls at the same time.
//
//	mixed-add        Jacobian += affine
//	jacobian-double  Jacobian += itself
//	affine-add       affine += affine, with one inversion for all of the call
//	base-mul         a product in the base field
//	base-mul-vec     the same, as one product of vectors
//	base-inv         an inverse in the base field
func (g *Group) Inside(points []group.Point) map[string]func(from, to int) {
	operands := make([]curve.G1Affine, len(points))
	for i := range points {
		operands[i] = affine(&points[i])
	}
	ops := fieldInside(operands)
	sum := new(curve.G1Jac)
	ops["mixed-add"] = func(from, to int) {
		for i := from; i < to; i++ {
			sum.AddMixed(&operands[i])
		}
	}
	ops["jacobian-double"] = func(from, to int) {
		if sum.Z.IsZero() {
			sum.FromAffine(&operands[from])
		}
		for range to - from {
			double(sum)
		}
	}
	ops["affine-add"] = g.affineInside(operands)
	return ops
}

// affineInside adds operands to batchLen sums, which all start as the first
// operand.
func (g *Group) affineInside(operands []curve.G1Affine) func(from, to int) {
	ws := g.take() // never put back: the measurement uses it until its end
	for i := range batchLen {
		ws.acc.load(i, operands[0])
	}
	refs := make([]uint32, len(operands))
	for i := range refs {
		refs[i] = uint32(i) << 1
	}
	return func(from, to int) {
		in := ws.in.cut(0, to-from)
		in.gather(entries{points: operands}, refs[from:to])
		ws.acc.cut(0, to-from).add(in)
	}
}

// fieldInside are the operations of the base field, on the coordinates.
func fieldInside(operands []curve.G1Affine) map[string]func(from, to int) {
	x, y, out := make(vector, len(operands)), make(vector, len(operands)), make(vector, len(operands))
	for i := range operands {
		x[i], y[i] = operands[i].X, operands[i].Y
	}
	return map[string]func(from, to int){
		"base-mul": func(from, to int) {
			for i := from; i < to; i++ {
				out[i].Mul(&x[i], &y[i])
			}
		},
		"base-mul-vec": func(from, to int) {
			out[from:to].mul(x[from:to], y[from:to])
		},
		"base-inv": func(from, to int) {
			for i := from; i < to; i++ {
				invertElement(&out[i], &x[i])
			}
		},
	}
}
