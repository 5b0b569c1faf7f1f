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
	in := g.newInside(points)
	return map[string]func(from, to int){
		"mixed-add":       in.mixedAdd,
		"jacobian-double": in.jacobianDouble,
		"affine-add":      in.affineAdd,
		"base-mul":        in.baseMul,
		"base-mul-vec":    in.baseMulVec,
		"base-inv":        in.baseInv,
	}
}

// inside has the operands and the results of the operations.
type inside struct {
	operands []curve.G1Affine
	refs     []uint32 // of the operands
	x, y     vector   // their coordinates
	sum      curve.G1Jac
	ws       *workspace // with batchLen sums; never put back
	out      vector     // of the base field
}

// newInside starts all sums at the first operand.
func (g *Group) newInside(points []group.Point) *inside {
	n := len(points)
	in := &inside{
		operands: make([]curve.G1Affine, n), refs: make([]uint32, n),
		x: make(vector, n), y: make(vector, n), out: make(vector, n), ws: g.take(),
	}
	for i := range points {
		p := affine(&points[i])
		in.operands[i], in.refs[i] = p, uint32(i)<<1
		in.x[i], in.y[i] = p.X, p.Y
	}
	in.sum.FromAffine(&in.operands[0])
	for i := range batchLen {
		in.ws.acc.load(i, in.operands[0])
	}
	return in
}

func (in *inside) mixedAdd(from, to int) { addAll(&in.sum, in.operands[from:to]) }

func (in *inside) jacobianDouble(from, to int) {
	for range to - from {
		double(&in.sum)
	}
}

func (in *inside) affineAdd(from, to int) {
	b := in.ws.in.cut(0, to-from)
	b.gather(entries{points: in.operands}, in.refs[from:to])
	in.ws.acc.cut(0, to-from).add(b)
}

func (in *inside) baseMul(from, to int) {
	for i := from; i < to; i++ {
		in.out[i].Mul(&in.x[i], &in.y[i])
	}
}

func (in *inside) baseMulVec(from, to int) { in.out[from:to].mul(in.x[from:to], in.y[from:to]) }

func (in *inside) baseInv(from, to int) {
	for i := from; i < to; i++ {
		invertElement(&in.out[i], &in.x[i])
	}
}
