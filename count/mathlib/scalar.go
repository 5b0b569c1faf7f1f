package mathlib

import (
	"math/big"

	math "github.com/IBM/mathlib"
	"github.com/IBM/mathlib/driver"

	"github.com/zkatbench/zkatbench/count"
)

// scalar is a driver.Zr that counts multiplications, inversions and powers.
type scalar struct {
	c *curve
	z *math.Zr
}

var _ driver.Zr = (*scalar)(nil)

func (s *scalar) IsZero() bool               { return s.z.IsZero() }
func (s *scalar) IsOne() bool                { return s.z.IsOne() }
func (s *scalar) BigInt() *big.Int           { return s.z.BigInt() }
func (s *scalar) Plus(a driver.Zr) driver.Zr { return s.c.newZr(s.z.Plus(s.c.zr(a))) }

func (s *scalar) Minus(a driver.Zr) driver.Zr { return s.c.newZr(s.z.Minus(s.c.zr(a))) }
func (s *scalar) Mod(a driver.Zr)             { s.z.Mod(s.c.zr(a)) }
func (s *scalar) Bytes() []byte               { return s.z.Bytes() }
func (s *scalar) Equals(a driver.Zr) bool     { return s.z.Equals(s.c.zr(a)) }
func (s *scalar) Copy() driver.Zr             { return s.c.newZr(s.z.Copy()) }
func (s *scalar) Clone(a driver.Zr)           { s.z.Clone(s.c.zr(a)) }
func (s *scalar) String() string              { return s.z.String() }
func (s *scalar) Neg()                        { s.z.Neg() }

func (s *scalar) Mul(a driver.Zr) driver.Zr {
	s.c.muls(1)
	return s.c.newZr(s.z.Mul(s.c.zr(a)))
}

func (s *scalar) PowMod(a driver.Zr) driver.Zr {
	s.c.count("", count.FieldExp, 1)
	return s.c.newZr(s.z.PowMod(s.c.zr(a)))
}

func (s *scalar) InvModP(p driver.Zr) {
	s.c.count("", count.FieldInv, 1)
	s.z.InvModP(s.c.zr(p))
}

func (s *scalar) InvModOrder() {
	s.c.count("", count.FieldInv, 1)
	s.z.InvModOrder()
}

// Modular arithmetic of the curve.

func (c *curve) muls(n int) { c.count("", count.FieldMul, n) }

func (c *curve) ModAdd(a, b, m driver.Zr) driver.Zr {
	return c.newZr(c.c.ModAdd(c.zr(a), c.zr(b), c.zr(m)))
}

func (c *curve) ModSub(a, b, m driver.Zr) driver.Zr {
	return c.newZr(c.c.ModSub(c.zr(a), c.zr(b), c.zr(m)))
}

func (c *curve) ModNeg(a, m driver.Zr) driver.Zr {
	return c.newZr(c.c.ModNeg(c.zr(a), c.zr(m)))
}

func (c *curve) ModMul(a, b, m driver.Zr) driver.Zr {
	c.muls(1)
	return c.newZr(c.c.ModMul(c.zr(a), c.zr(b), c.zr(m)))
}

func (c *curve) ModAddMul(as, bs []driver.Zr, m driver.Zr) driver.Zr {
	c.muls(len(as))
	return c.newZr(c.c.ModAddMul(c.zrs(as), c.zrs(bs), c.zr(m)))
}

func (c *curve) ModAddMul2(a1, c1, b1, c2, m driver.Zr) driver.Zr {
	c.muls(2)
	z := c.zrs([]driver.Zr{a1, c1, b1, c2, m})
	return c.newZr(c.c.ModAddMul2(z[0], z[1], z[2], z[3], z[4]))
}

func (c *curve) ModAddMul3(a1, a2, b1, b2, c1, c2, m driver.Zr) driver.Zr {
	c.muls(3)
	z := c.zrs([]driver.Zr{a1, a2, b1, b2, c1, c2, m})
	return c.newZr(c.c.ModAddMul3(z[0], z[1], z[2], z[3], z[4], z[5], z[6]))
}

func (c *curve) ModMulInPlace(result, a, b, m driver.Zr) {
	c.muls(1)
	c.c.ModMulInPlace(c.zr(result), c.zr(a), c.zr(b), c.zr(m))
}

func (c *curve) ModAddMul2InPlace(result, a1, c1, b1, c2, m driver.Zr) {
	c.muls(2)
	z := c.zrs([]driver.Zr{result, a1, c1, b1, c2, m})
	c.c.ModAddMul2InPlace(z[0], z[1], z[2], z[3], z[4], z[5])
}

func (c *curve) ModAddMul3InPlace(result, a1, a2, b1, b2, c1, c2, m driver.Zr) {
	c.muls(3)
	z := c.zrs([]driver.Zr{result, a1, a2, b1, b2, c1, c2, m})
	c.c.ModAddMul3InPlace(z[0], z[1], z[2], z[3], z[4], z[5], z[6], z[7])
}
