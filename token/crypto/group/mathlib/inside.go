package mathlib

import (
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
