package mathlib

import (
	math "github.com/IBM/mathlib"
	"github.com/IBM/mathlib/driver"

	"github.com/zkatbench/zkatbench/count"
)

// gt is a driver.Gt that counts. Its group is written multiplicatively, but
// counted with the names of the other groups: a multiplication is an addition.
type gt struct {
	c *curve
	v *math.Gt
}

var _ driver.Gt = (*gt)(nil)

func (g *gt) Equals(a driver.Gt) bool { return g.v.Equals(g.c.gt(a)) }
func (g *gt) IsUnity() bool           { return g.v.IsUnity() }
func (g *gt) ToString() string        { return g.v.String() }

func (g *gt) Inverse() {
	g.c.count(nameGt, count.Neg, 1)
	g.v.Inverse()
}

func (g *gt) Mul(a driver.Gt) {
	v := g.c.gt(a)
	g.c.count(nameGt, addOrDouble(g.v.Equals(v)), 1)
	g.v.Mul(v)
}

func (g *gt) Exp(s driver.Zr) driver.Gt {
	g.c.count(nameGt, count.ScalarMul, 1)
	return g.c.newGt(g.v.Exp(g.c.zr(s)))
}

func (g *gt) Bytes() []byte {
	g.c.count(nameGt, count.Encode, 1)
	return g.v.Bytes()
}
