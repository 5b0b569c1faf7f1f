// Code generated from bn254/vector.go by bls12381/generate. DO NOT EDIT.

package bls12381

import (
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"github.com/zkatbench/zkatbench/token/crypto/group/internal/simd"
)

// vector is a vector of coordinates. Its methods leave the vector registers
// clean; the methods of fp.Vector leave the upper halves in use.
type vector fp.Vector

// add sets v = a + b.
func (v vector) add(a, b vector) {
	(*fp.Vector)(&v).Add(fp.Vector(a), fp.Vector(b))
	simd.Leave()
}

// sub sets v = a - b.
func (v vector) sub(a, b vector) {
	(*fp.Vector)(&v).Sub(fp.Vector(a), fp.Vector(b))
	simd.Leave()
}

// mul sets vᵢ = aᵢ·bᵢ.
func (v vector) mul(a, b vector) {
	(*fp.Vector)(&v).Mul(fp.Vector(a), fp.Vector(b))
	simd.Leave()
}

// scale sets v = c·a.
func (v vector) scale(a vector, c *fp.Element) {
	(*fp.Vector)(&v).ScalarMul(fp.Vector(a), c)
	simd.Leave()
}

// scalars is a vector of scalars. Its methods leave the vector registers clean;
// the methods of fr.Vector leave the upper halves in use.
type scalars fr.Vector

// add sets v = a + b.
func (v scalars) add(a, b scalars) {
	(*fr.Vector)(&v).Add(fr.Vector(a), fr.Vector(b))
	simd.Leave()
}

// mul sets vᵢ = aᵢ·bᵢ.
func (v scalars) mul(a, b scalars) {
	(*fr.Vector)(&v).Mul(fr.Vector(a), fr.Vector(b))
	simd.Leave()
}

// scale sets v = c·a.
func (v scalars) scale(a scalars, c *fr.Element) {
	(*fr.Vector)(&v).ScalarMul(fr.Vector(a), c)
	simd.Leave()
}

// inner returns Σ vᵢ·aᵢ.
func (v scalars) inner(a scalars) fr.Element {
	sum := (*fr.Vector)(&v).InnerProduct(fr.Vector(a))
	simd.Leave()
	return sum
}
