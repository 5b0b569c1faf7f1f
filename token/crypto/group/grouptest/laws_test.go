package grouptest_test

import (
	"math/big"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/internal/rep"
)

// conform checks the contract of package group for g. Points are known multiples of
// the generator, so that every expected result can be computed with integers.
// Its sums have the given shapes and random ones.
func conform(t *testing.T, g group.Group, shapes ...[]byte) {
	c := &suite{Group: g, q: g.Order(), rand: rand.New(rand.NewPCG(1, 2)), shapes: shapes,
		doubled: map[group.CurvePoint][]group.CurvePoint{}}
	t.Run("field", c.field)
	t.Run("vectors", c.vectors)
	t.Run("inverses", c.inverses)
	t.Run("scalar encoding", c.scalarEncoding)
	t.Run("point encoding", c.pointEncoding)
	t.Run("addition", c.addition)
	t.Run("sums of every kind", c.everyKind)
	t.Run("multiplication", c.multiplication)
	t.Run("tables", c.tables)
	t.Run("points of the whole curve", c.curves)
	t.Run("concurrency", c.concurrency)
}

type suite struct {
	group.Group
	q       *big.Int
	rand    *rand.Rand
	shapes  [][]byte
	doubled map[group.CurvePoint][]group.CurvePoint // P, 2·P, 4·P, ..., of points multiplied before
	few     []known
}

// known is a point with its discrete logarithm.
type known struct {
	p   group.Point
	log *big.Int
}

// isToy reports whether the group is a toy, which has no curve.
func (c *suite) isToy() bool { return strings.HasPrefix(c.Name(), "TOY") }

// value is a scalar and the integer that it represents.
type value struct {
	s group.Scalar
	v *big.Int
}

// scalar returns v mod q in both forms, v of any sign.
func (c *suite) scalar(v *big.Int) value {
	v = new(big.Int).Mod(v, c.q)
	return value{c.Reduce(v.Bytes()), v}
}

func (c *suite) random() value {
	b := make([]byte, 48)
	for i := range b {
		b[i] = byte(c.rand.Uint32())
	}
	return c.scalar(new(big.Int).SetBytes(b))
}

// edges are the scalars where recoding, splitting or reducing could break.
func (c *suite) edges() (s []value) {
	for _, v := range []int64{0, 1, -1, 2, -2, 3, 128, -128, 255, 256, 257} {
		s = append(s, c.scalar(big.NewInt(v)))
	}
	bits := []uint{63, 64, 126, 127, 128, 129, 191, 192, 252, 253, 254}
	for _, bit := range nightly.Pick(bits[2:5], bits, bits) {
		power := new(big.Int).Lsh(big.NewInt(1), bit)
		for _, d := range []int64{-1, 0, 1} {
			s = append(s, c.scalar(power.Add(power, big.NewInt(d))), c.scalar(new(big.Int).Neg(power)))
		}
	}
	half := new(big.Int).Rsh(c.q, 1)
	return append(s, c.scalar(half), c.scalar(half.Add(half, big.NewInt(1))))
}

// some returns n scalars. Every third one is an edge.
func (c *suite) some(n int) []value {
	edges := c.edges()
	s := make([]value, n)
	for i := range s {
		s[i] = c.random()
		if i%3 == 2 {
			s[i] = edges[c.rand.IntN(len(edges))]
		}
	}
	return s
}

// point is v·G, as times computes it.
func (c *suite) point(v *big.Int) group.Point {
	p := c.times(group.OnCurve(c.Generator()), new(big.Int).Mod(v, c.q))
	return *rep.Coordinates(&p)
}

// points returns n points with their logarithms: few different ones, so that
// equal and opposite points meet, and the identity.
func (c *suite) points(n int) (ps []group.Point, logs []*big.Int) {
	if c.few == nil {
		c.few = append(c.few, known{group.Point{}, new(big.Int)})
		for range 12 {
			v := c.random().v
			p := c.point(v)
			c.few = append(c.few, known{p, v}, known{c.SubPoints(group.Point{}, p), new(big.Int).Neg(v)})
		}
	}
	for i := range n {
		k := c.few[i%len(c.few)]
		if i >= len(c.few) {
			k = c.few[c.rand.IntN(len(c.few))]
		}
		ps, logs = append(ps, k.p), append(logs, k.log)
	}
	return ps, logs
}

func scalars(vs []value) []group.Scalar {
	s := make([]group.Scalar, len(vs))
	for i := range vs {
		s[i] = vs[i].s
	}
	return s
}

func inner(a []*big.Int, b []value) *big.Int {
	sum, t := new(big.Int), new(big.Int)
	for i := range a {
		sum.Add(sum, t.Mul(a[i], b[i].v))
	}
	return sum
}

// parallel runs f in several goroutines at once.
func parallel(f func(worker int)) {
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() { f(i) })
	}
	wg.Wait()
}
