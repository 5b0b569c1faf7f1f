package mathlib

import (
	math "github.com/IBM/mathlib"
	"github.com/IBM/mathlib/driver"

	"github.com/zkatbench/zkatbench/count"
)

// addOrDouble returns the operation of an addition: a doubling if the operands
// are equal.
func addOrDouble(equal bool) count.Op {
	if equal {
		return count.Double
	}
	return count.Add
}

// g1 is a driver.G1 that counts.
type g1 struct {
	c *curve
	p *math.G1
}

var _ driver.G1 = (*g1)(nil)

func (g *g1) Clone(a driver.G1)       { g.p.Clone(g.c.g1(a)) }
func (g *g1) Copy() driver.G1         { return g.c.newG1(g.p.Copy()) }
func (g *g1) Equals(a driver.G1) bool { return g.p.Equals(g.c.g1(a)) }
func (g *g1) IsInfinity() bool        { return g.p.IsInfinity() }
func (g *g1) String() string          { return g.p.String() }

// Add compares copies, since a comparison normalises a point on some curves.
func (g *g1) Add(a driver.G1) {
	p := g.c.g1(a)
	g.c.count("", addOrDouble(g.p.Copy().Equals(p.Copy())), 1)
	g.p.Add(p)
}

func (g *g1) Sub(a driver.G1) {
	g.c.count("", count.Neg, 1)
	g.c.count("", count.Add, 1)
	g.p.Sub(g.c.g1(a))
}

func (g *g1) Neg() {
	g.c.count("", count.Neg, 1)
	g.p.Neg()
}

func (g *g1) Mul(s driver.Zr) driver.G1 {
	g.c.count("", count.ScalarMul, 1)
	return g.c.newG1(g.p.Mul(g.c.zr(s)))
}

func (g *g1) Mul2(e driver.Zr, q driver.G1, f driver.Zr) driver.G1 {
	g.c.count("", count.MSM, 2)
	return g.c.newG1(g.p.Mul2(g.c.zr(e), g.c.g1(q), g.c.zr(f)))
}

func (g *g1) Mul2InPlace(e driver.Zr, q driver.G1, f driver.Zr) {
	g.c.count("", count.MSM, 2)
	g.p.Mul2InPlace(g.c.zr(e), g.c.g1(q), g.c.zr(f))
}

func (g *g1) Bytes() []byte {
	g.c.count("", count.Encode, 1)
	return g.p.Bytes()
}

func (g *g1) Compressed() []byte {
	g.c.count("", count.Encode, 1)
	return g.p.Compressed()
}

// g2 is a driver.G2 that counts.
type g2 struct {
	c *curve
	p *math.G2
}

var _ driver.G2 = (*g2)(nil)

func (g *g2) Clone(a driver.G2)       { g.p.Clone(g.c.g2(a)) }
func (g *g2) Copy() driver.G2         { return g.c.newG2(g.p.Copy()) }
func (g *g2) Equals(a driver.G2) bool { return g.p.Equals(g.c.g2(a)) }
func (g *g2) Affine()                 { g.p.Affine() }
func (g *g2) String() string          { return g.p.String() }

func (g *g2) Add(a driver.G2) {
	p := g.c.g2(a)
	g.c.count(nameG2, addOrDouble(g.p.Copy().Equals(p.Copy())), 1)
	g.p.Add(p)
}

func (g *g2) Sub(a driver.G2) {
	g.c.count(nameG2, count.Neg, 1)
	g.c.count(nameG2, count.Add, 1)
	g.p.Sub(g.c.g2(a))
}

func (g *g2) Mul(s driver.Zr) driver.G2 {
	g.c.count(nameG2, count.ScalarMul, 1)
	return g.c.newG2(g.p.Mul(g.c.zr(s)))
}

func (g *g2) Bytes() []byte {
	g.c.count(nameG2, count.Encode, 1)
	return g.p.Bytes()
}

func (g *g2) Compressed() []byte {
	g.c.count(nameG2, count.Encode, 1)
	return g.p.Compressed()
}
