package mathlib

import (
	math "github.com/IBM/mathlib"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Inside returns, by name, the operations that those of the Group are made of
// and that mathlib shows, for measuring what one costs: additions in place. Each
// does one for each of points from to to-1, on other operands every time; no
// two calls at the same time.
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
