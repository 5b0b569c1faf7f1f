package cost

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/opcount/count"
)

// TableSize asks for the costs of sums over a table of that many points, made
// with that budget (group.Fixed.NewTable).
type TableSize struct{ Points, Budget int }

// Measure measures g. Each figure is the median of several samples that take
// at least sample together with their neighbours' caches: a second or two in
// all for a sample of a millisecond. Nothing else should run.
func Measure(g group.Group, sample time.Duration, tables []TableSize) *Costs {
	m := newMeasurer(g, sample)
	c := &Costs{Ops: map[string]Curve{}}
	for op, sizes := range sizesOf {
		curve := make(Curve, len(sizes))
		for i, n := range sizes {
			curve[i] = Sample{n, m.median(m.operation(op, n))}
		}
		c.Ops[op.String()] = curve
	}
	// A negation has no call of its own; what a subtraction takes more than
	// an addition can be below the noise.
	add := c.Ops[count.Add.String()].At(1)
	sub := m.median(func() { m.sink = g.SubPoints(m.points[0], m.points[1]) })
	c.Ops[count.Neg.String()] = Curve{{1, max(sub-add, 0)}}
	for _, t := range tables {
		c.Fixed = append(c.Fixed, m.fixed(t))
	}
	return c
}

// sizesOf are the sizes at which each operation is measured.
var sizesOf = map[count.Op][]int{
	count.Add: {1}, count.Double: {1}, count.ScalarMul: {1},
	count.MSM:      {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128},
	count.Sum:      {1, 2, 3, 8, 64, 512},
	count.SumPow2:  {1, 16, 32, 64},
	count.SumBits:  {1, 16, 32, 64},
	count.Encode:   {1, 16, 128},
	count.Decode:   {1},
	count.FieldMul: {1, 4, 16, 64, 512},
	count.FieldInv: {1, 2, 8, 64},

	count.HashToCurve: {1},
}

// fixedSizes are the terms of a call at which tables are measured, all even.
var fixedSizes = []int{2, 4, 6, 16, 34, 66, 130, 256}

const (
	mostTerms  = 512 // in the lists above
	repeats    = 5   // samples of which the median is taken
	scalarSeed = 1
)

type measurer struct {
	g       group.Group
	sample  time.Duration
	points  []group.Point
	scalars []group.Scalar
	bytes   []byte
	vec     []group.Scalar
	dst     []group.Point
	buf     []byte
	sink    any
}

func newMeasurer(g group.Group, sample time.Duration) *measurer {
	m := &measurer{
		g: g, sample: sample,
		points:  make([]group.Point, mostTerms),
		scalars: make([]group.Scalar, mostTerms),
		vec:     make([]group.Scalar, mostTerms),
		dst:     make([]group.Point, mostTerms),
	}
	for i := range m.points {
		m.points[i] = g.HashToPoint(binary.BigEndian.AppendUint32(nil, uint32(i)))
	}
	if err := group.Sample(g, rand.NewChaCha8([32]byte{scalarSeed}), m.scalars); err != nil {
		panic("cost: ChaCha8 does not end: " + err.Error())
	}
	m.bytes = g.AppendPoint(nil, m.points[0])
	return m
}

// operation returns one call of op with n terms.
func (m *measurer) operation(op count.Op, n int) func() {
	g, ps, ss := m.g, m.points[:n], m.scalars[:n]
	switch op {
	case count.Add:
		return func() { m.dst[0] = g.AddPoints(ps[0], m.points[1]) }
	case count.Double:
		return func() { m.dst[0] = g.AddPoints(ps[0], ps[0]) }
	case count.ScalarMul:
		return func() { m.dst[0] = g.MulPoint(ps[0], ss[0]) }
	case count.MSM:
		return func() { m.dst[0] = g.MSM(ps, ss) }
	case count.Sum:
		return func() { m.dst[0] = g.Sum(ps) }
	case count.SumPow2:
		return func() { m.dst[0] = g.SumPow2(ps) }
	case count.SumBits:
		t := g.NewBitTable(ps, m.points[mostTerms-n:])
		return func() { m.dst[0] = g.SumBits(t, 0xa5a5_5a5a_c3c3_3c3c) }
	case count.Encode:
		return func() { m.buf = g.AppendPoints(m.buf[:0], nil, ps) }
	case count.Decode:
		return func() { m.dst[0], _ = g.DecodePoint(m.bytes) }
	case count.HashToCurve:
		return func() { m.dst[0] = g.HashToPoint(m.bytes) }
	case count.FieldInv:
		return m.inversion(n)
	case count.FieldMul:
		return m.multiplication(n)
	}
	panic("cost: no measurement of " + op.String())
}

func (m *measurer) inversion(n int) func() {
	if n == 1 {
		return func() { m.vec[0] = m.g.Inv(m.scalars[0]) }
	}
	return func() { m.g.InvVec(m.vec[:n], m.scalars[:n]) }
}

func (m *measurer) multiplication(n int) func() {
	if n == 1 {
		return func() { m.vec[0] = m.g.Mul(m.scalars[0], m.scalars[1]) }
	}
	return func() { m.g.MulVec(m.vec[:n], m.scalars[:n], m.scalars[:n]) }
}

// fixed measures one table.
func (m *measurer) fixed(size TableSize) Fixed {
	t := m.g.NewTable(m.points[:size.Points], size.Budget)
	f := Fixed{Table: size.Points, Bytes: t.Bytes()}
	for _, n := range fixedSizes {
		index := make([]int32, n)
		each := make([]group.Row, n)
		for i := range index {
			index[i] = int32(i % size.Points)
			each[i] = group.Row{Index: index[i : i+1], Scalars: m.scalars[i : i+1]}
		}
		one := []group.Row{{Index: index, Scalars: m.scalars[:n]}}
		two := []group.Row{
			{Index: index[:n/2], Scalars: m.scalars[:n/2]},
			{Index: index[n/2:], Scalars: m.scalars[n/2 : n]},
		}
		call := func(rows []group.Row) Sample {
			return Sample{n, m.median(func() { m.g.FixedMSM(m.dst[:len(rows)], t, rows) })}
		}
		f.One, f.Two, f.Each = append(f.One, call(one)), append(f.Two, call(two)), append(f.Each, call(each))
	}
	return f
}

// median returns the nanoseconds of one call of f, after a first one that is
// not measured.
func (m *measurer) median(f func()) float64 {
	f()
	calls, samples := 1, make([]float64, 0, repeats)
	for len(samples) < repeats {
		start := time.Now()
		for range calls {
			f()
		}
		took := time.Since(start)
		if took < m.sample/repeats {
			calls *= 2
			samples = samples[:0]
			continue
		}
		samples = append(samples, float64(took.Nanoseconds())/float64(calls))
	}
	slices.Sort(samples)
	return samples[repeats/2]
}
