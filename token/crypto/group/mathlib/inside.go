package mathlib

import (
	"crypto/sha256"

	math "github.com/IBM/mathlib"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Inside returns, by name, the operations inside the operations of the Group
// that mathlib exposes, to measure their costs: in-place additions. Each
// function performs one operation for each of the points from to to-1, on
// different operands each time; calls must not be concurrent.
func (c *Curve) Inside(points []group.Point) map[string]func(from, to int) {
	operands := make([]*math.G1, len(points))
	for i := range points {
		operands[i] = c.g1(points[i])
	}
	sum := operands[0].Copy()
	return map[string]func(from, to int){
		"in-place-add": func(from, to int) {
			for _, p := range operands[from:to] {
				sum.Add(p)
			}
		},
		"in-place-double": func(from, to int) {
			for range operands[from:to] {
				sum.Add(sum)
			}
		},
	}
}

// Yardstick returns one multiplication of the generator by a scalar of full
// length, as mathlib does it. Benchmarks state times in this unit.
func (c *Curve) Yardstick() (mul func()) {
	digest := sha256.Sum256([]byte("yardstick"))
	base, s := c.g1(c.gen), c.zr(c.Reduce(digest[:]))
	return func() { base.Mul(s) }
}
