package bn254

import (
	curve "github.com/consensys/gnark-crypto/ecc/bn254"
	"github.com/consensys/gnark-crypto/ecc/bn254/fp"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Inside returns, by name, the operations that those of the Group are made of,
// as this package does them, for measuring what one costs. Each does one
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
	operands := newColumns(len(points))
	for i := range points {
		p := affine(&points[i])
		operands.set(i, &p)
	}
	ops := fieldInside(operands)
	sum := new(curve.G1Jac)
	ops["mixed-add"] = func(from, to int) {
		for i := from; i < to; i++ {
			p := operands.at(i)
			sum.AddMixed(&p)
		}
	}
	ops["jacobian-double"] = func(from, to int) {
		if sum.Z.IsZero() {
			p := operands.at(from)
			sum.FromAffine(&p)
		}
		for range to - from {
			double(sum)
		}
	}
	ops["affine-add"] = affineInside(operands)
	return ops
}

// affineInside adds operands to as many sums, which start as one point: at
// first all of them may be equal to what is added.
func affineInside(operands columns) func(from, to int) {
	ws := take() // never put back: it lives as long as what measures
	sums := newColumns(batchLen)
	for i := range sums.x {
		sums.x[i], sums.y[i] = operands.x[0], operands.y[0]
	}
	return func(from, to int) {
		in := ws.in.cut(0, to-from)
		copy(in.x, operands.x[from:to])
		copy(in.y, operands.y[from:to])
		ws.add(sums.cut(0, to-from), in)
	}
}

// fieldInside are the operations of the base field, on the coordinates.
func fieldInside(operands columns) map[string]func(from, to int) {
	x, y := operands.x, operands.y
	out := make(fp.Vector, len(x))
	return map[string]func(from, to int){
		"base-mul": func(from, to int) {
			for i := from; i < to; i++ {
				out[i].Mul(&x[i], &y[i])
			}
		},
		"base-mul-vec": func(from, to int) {
			v := out[from:to]
			v.Mul(x[from:to], y[from:to])
		},
		"base-inv": func(from, to int) {
			for i := from; i < to; i++ {
				out[i].Inverse(&x[i])
			}
		},
	}
}
