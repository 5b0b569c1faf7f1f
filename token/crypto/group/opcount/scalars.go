package opcount

import (
	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Multiplications and inversions of scalars are counted. Additions are not:
// they are an order of magnitude cheaper. A call over vectors is one event of
// the number of multiplications as its size.

func (c *counting) Mul(a, b group.Scalar) group.Scalar {
	c.count(count.FieldMul, 1)
	return c.Group.Mul(a, b)
}

func (c *counting) MulVec(dst, a, b []group.Scalar) {
	c.count(count.FieldMul, len(dst))
	c.Group.MulVec(dst, a, b)
}

func (c *counting) ScaleVec(dst, a []group.Scalar, x group.Scalar) {
	c.count(count.FieldMul, len(dst))
	c.Group.ScaleVec(dst, a, x)
}

func (c *counting) FoldVec(dst, a, b []group.Scalar, x, y group.Scalar) {
	c.count(count.FieldMul, 2*len(dst))
	c.Group.FoldVec(dst, a, b, x, y)
}

func (c *counting) Powers(dst []group.Scalar, x group.Scalar) {
	c.count(count.FieldMul, max(len(dst)-1, 0))
	c.Group.Powers(dst, x)
}

func (c *counting) Inner(a, b []group.Scalar) group.Scalar {
	c.count(count.FieldMul, len(a))
	return c.Group.Inner(a, b)
}

func (c *counting) Inv(a group.Scalar) group.Scalar {
	c.count(count.FieldInv, 1)
	return c.Group.Inv(a)
}

func (c *counting) InvVec(dst, a []group.Scalar) {
	c.count(count.FieldInv, len(dst))
	c.Group.InvVec(dst, a)
}
