package mathlib

import (
	"strings"

	math "github.com/IBM/mathlib"
	"github.com/IBM/mathlib/driver"

	"github.com/zkatbench/zkatbench/count"
)

// curve is a driver.Curve that counts the operations on v.
type curve struct {
	v      *math.Curve
	id     math.CurveID
	bucket count.Bucket
}

var _ driver.Curve = (*curve)(nil)

// The names of the groups of a pairing in events; the name of G1 is empty. The target
// group is written multiplicatively, but counted with the names of the other groups: a
// multiplication is an addition.
const (
	nameG2 = "G2"
	nameGt = "GT"
)

func (c *curve) count(group string, op count.Op, size int) {
	c.bucket.Count(count.Event{Group: group, Op: op, Size: size}, 1)
}

// all converts a list.
func all[D, P any](list []D, one func(D) P) []P {
	converted := make([]P, len(list))
	for i, v := range list {
		converted[i] = one(v)
	}
	return converted
}

// decoded panics on bytes that are refused, as drivers do. mathlib returns the text of
// the panic in an error "failure [...]".
func decoded[V any](v V, err error) V {
	if err != nil {
		panic(strings.TrimSuffix(strings.TrimPrefix(err.Error(), "failure ["), "]"))
	}
	return v
}

// GenGt copies by encoding and decoding, since mathlib's Gt has no Copy.
func (c *curve) GenGt() driver.Gt {
	v, _ := c.v.NewGtFromBytes(c.v.GenGt.Bytes()) // its own encoding
	return c.newGt(v)
}

func (c *curve) Pairing2(p2a, p2b driver.G2, p1a, p1b driver.G1) driver.Gt {
	c.count(nameGt, count.Pairing, 2)
	return c.newGt(c.v.Pairing2(c.g2(p2a), c.g1(p1a), c.g2(p2b), c.g1(p1b)))
}

// element is a value of mathlib that can be compared.
type element[P any] interface{ Equals(P) bool }

// countAdd counts an addition, or a doubling if the operands are equal.
func countAdd[P element[P]](c *curve, group string, p, q P) {
	op := count.Add
	if p.Equals(q) {
		op = count.Double
	}
	c.count(group, op, 1)
}

// Add compares copies, since a comparison normalises a point on some curves.
func (g *g1) Add(a driver.G1) {
	p := g.c.g1(a)
	countAdd(g.c, "", g.v.Copy(), p.Copy())
	g.v.Add(p)
}

// Add compares copies, as for G1.
func (g *g2) Add(a driver.G2) {
	p := g.c.g2(a)
	countAdd(g.c, nameG2, g.v.Copy(), p.Copy())
	g.v.Add(p)
}

func (g *gt) Mul(a driver.Gt) {
	v := g.c.gt(a)
	countAdd(g.c, nameGt, g.v, v)
	g.v.Mul(v)
}

// countSub counts a subtraction.
func (c *curve) countSub(group string) {
	c.count(group, count.Neg, 1)
	c.count(group, count.Add, 1)
}

func (g *g1) Sub(a driver.G1) {
	g.c.countSub("")
	g.v.Sub(g.c.g1(a))
}

func (g *g2) Sub(a driver.G2) {
	g.c.countSub(nameG2)
	g.v.Sub(g.c.g2(a))
}
