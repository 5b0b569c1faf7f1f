package opcount

import (
	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Multiplications and inversions of scalars are counted. Additions are not:
// they are an order of magnitude cheaper. A call over vectors is one event of
// the number of multiplications as its size.

func (c *counting) Mul(a, b group.Scalar) group.Scalar {
	defer c.enter(count.FieldMul, 1).Leave()
	return c.Group.Mul(a, b)
}

func (c *counting) MulVec(dst, a, b []group.Scalar) {
	defer c.enter(count.FieldMul, len(dst)).Leave()
	c.Group.MulVec(dst, a, b)
}

func (c *counting) ScaleVec(dst, a []group.Scalar, x group.Scalar) {
	defer c.enter(count.FieldMul, len(dst)).Leave()
	c.Group.ScaleVec(dst, a, x)
}

func (c *counting) FoldVec(dst, a, b []group.Scalar, x, y group.Scalar) {
	defer c.enter(count.FieldMul, 2*len(dst)).Leave()
	c.Group.FoldVec(dst, a, b, x, y)
}

func (c *counting) Powers(dst []group.Scalar, x group.Scalar) {
	defer c.enter(count.FieldMul, max(len(dst)-1, 0)).Leave()
	c.Group.Powers(dst, x)
}

func (c *counting) Inner(a, b []group.Scalar) group.Scalar {
	defer c.enter(count.FieldMul, len(a)).Leave()
	return c.Group.Inner(a, b)
}

func (c *counting) Inv(a group.Scalar) group.Scalar {
	defer c.enter(count.FieldInv, 1).Leave()
	return c.Group.Inv(a)
}

func (c *counting) InvVec(dst, a []group.Scalar) {
	defer c.enter(count.FieldInv, len(dst)).Leave()
	c.Group.InvVec(dst, a)
}
