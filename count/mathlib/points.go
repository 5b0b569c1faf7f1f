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

// element is what the points of G1 and G2 have in common.
type element[P any] interface {
	Add(P)
	Sub(P)
	Mul(*math.Zr) P
	Copy() P
	Clone(P)
	Equals(P) bool
	Bytes() []byte
	Compressed() []byte
	String() string
}

// point counts the operations that G1 and G2 share. D is its type in the driver layer.
type point[D any, P element[P]] struct {
	c     *curve
	p     P
	group string
	in    func(D) P
	out   func(P) D
}

func (g *point[D, P]) Clone(a D)       { g.p.Clone(g.in(a)) }
func (g *point[D, P]) Copy() D         { return g.out(g.p.Copy()) }
func (g *point[D, P]) Equals(a D) bool { return g.p.Equals(g.in(a)) }
func (g *point[D, P]) String() string  { return g.p.String() }

// Add compares copies, since a comparison normalises a point on some curves.
func (g *point[D, P]) Add(a D) {
	p := g.in(a)
	g.c.count(g.group, addOrDouble(g.p.Copy().Equals(p.Copy())), 1)
	g.p.Add(p)
}

func (g *point[D, P]) Sub(a D) {
	g.c.count(g.group, count.Neg, 1)
	g.c.count(g.group, count.Add, 1)
	g.p.Sub(g.in(a))
}

func (g *point[D, P]) Mul(s driver.Zr) D {
	g.c.count(g.group, count.ScalarMul, 1)
	return g.out(g.p.Mul(g.c.zr(s)))
}

func (g *point[D, P]) Bytes() []byte {
	g.c.count(g.group, count.Encode, 1)
	return g.p.Bytes()
}

func (g *point[D, P]) Compressed() []byte {
	g.c.count(g.group, count.Encode, 1)
	return g.p.Compressed()
}

// g1 is a driver.G1 that counts.
type g1 struct {
	point[driver.G1, *math.G1]
}

func (c *curve) newG1(p *math.G1) driver.G1 {
	return &g1{point[driver.G1, *math.G1]{c, p, "", c.g1, c.newG1}}
}

func (g *g1) IsInfinity() bool { return g.p.IsInfinity() }

func (g *g1) Neg() {
	g.c.count("", count.Neg, 1)
	g.p.Neg()
}

func (g *g1) Mul2(e driver.Zr, q driver.G1, f driver.Zr) driver.G1 {
	g.c.count("", count.MSM, 2)
	return g.out(g.p.Mul2(g.c.zr(e), g.in(q), g.c.zr(f)))
}

func (g *g1) Mul2InPlace(e driver.Zr, q driver.G1, f driver.Zr) {
	g.c.count("", count.MSM, 2)
	g.p.Mul2InPlace(g.c.zr(e), g.in(q), g.c.zr(f))
}

// g2 is a driver.G2 that counts.
type g2 struct {
	point[driver.G2, *math.G2]
}

func (c *curve) newG2(p *math.G2) driver.G2 {
	return &g2{point[driver.G2, *math.G2]{c, p, nameG2, c.g2, c.newG2}}
}

func (g *g2) Affine() { g.p.Affine() }
