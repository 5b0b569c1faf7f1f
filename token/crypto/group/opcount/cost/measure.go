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
	sub := m.median(func() { m.dst[0] = g.SubPoints(m.points.one(), m.points.one()) })
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
	repeats = 5 // samples of which the median is taken
	// Operands go round in lists that are long against the longest call.
	pointCount, scalarCount = 1 << 10, 1 << 13
)

// measurer hands out other operands for every call: with the same ones again,
// branches are foretold and the entries that digits choose from a table of
// megabytes are all in the first cache level, which halves the time of some
// operations (docs/pitfalls.md).
type measurer struct {
	g       group.Group
	sample  time.Duration
	points  ring[group.Point]
	scalars ring[group.Scalar]
	bytes   ring[[]byte]
	bits    *rand.ChaCha8
	vec     []group.Scalar
	dst     []group.Point
	buf     []byte
}

// ring is a list that is read round and round.
type ring[T any] struct {
	list []T
	at   int
}

// next returns the next n elements.
func (r *ring[T]) next(n int) []T {
	if r.at+n > len(r.list) {
		r.at = 0
	}
	r.at += n
	return r.list[r.at-n : r.at]
}

func (r *ring[T]) one() T { return r.next(1)[0] }

func newMeasurer(g group.Group, sample time.Duration) *measurer {
	m := &measurer{
		g: g, sample: sample, bits: rand.NewChaCha8([32]byte{1}),
		points:  ring[group.Point]{list: make([]group.Point, pointCount)},
		scalars: ring[group.Scalar]{list: make([]group.Scalar, scalarCount)},
		bytes:   ring[[]byte]{list: make([][]byte, pointCount)},
		vec:     make([]group.Scalar, pointCount),
		dst:     make([]group.Point, pointCount),
	}
	for i := range m.points.list {
		p := g.HashToPoint(binary.BigEndian.AppendUint32(nil, uint32(i)))
		m.points.list[i], m.bytes.list[i] = p, g.AppendPoint(nil, p)
	}
	if err := group.Sample(g, m.bits, m.scalars.list); err != nil {
		panic("cost: ChaCha8 does not end: " + err.Error())
	}
	return m
}

// operation returns calls of op with n terms.
func (m *measurer) operation(op count.Op, n int) func() {
	g := m.g
	switch op {
	case count.Add:
		return func() { m.dst[0] = g.AddPoints(m.points.one(), m.points.one()) }
	case count.Double:
		return func() { p := m.points.one(); m.dst[0] = g.AddPoints(p, p) }
	case count.ScalarMul:
		return func() { m.dst[0] = g.MulPoint(m.points.one(), m.scalars.one()) }
	case count.MSM:
		return func() { m.dst[0] = g.MSM(m.points.next(n), m.scalars.next(n)) }
	case count.Sum:
		return func() { m.dst[0] = g.Sum(m.points.next(n)) }
	case count.SumPow2:
		return func() { m.dst[0] = g.SumPow2(m.points.next(n)) }
	case count.SumBits:
		t := g.NewBitTable(m.points.next(n), m.points.next(n))
		return func() { m.dst[0] = g.SumBits(t, m.bits.Uint64()) }
	case count.Encode:
		return func() { m.buf = g.AppendPoints(m.buf[:0], nil, m.points.next(n)) }
	case count.Decode:
		return func() { m.dst[0], _ = g.DecodePoint(m.bytes.one()) }
	case count.HashToCurve:
		return func() { m.dst[0] = g.HashToPoint(m.bytes.one()) }
	case count.FieldInv:
		return m.inversion(n)
	case count.FieldMul:
		return m.multiplication(n)
	}
	panic("cost: no measurement of " + op.String())
}

func (m *measurer) inversion(n int) func() {
	if n == 1 {
		return func() { m.vec[0] = m.g.Inv(m.scalars.one()) }
	}
	return func() { m.g.InvVec(m.vec[:n], m.scalars.next(n)) }
}

func (m *measurer) multiplication(n int) func() {
	if n == 1 {
		return func() { m.vec[0] = m.g.Mul(m.scalars.one(), m.scalars.one()) }
	}
	return func() { m.g.MulVec(m.vec[:n], m.scalars.next(n), m.scalars.next(n)) }
}

// fixed measures one table.
func (m *measurer) fixed(size TableSize) Fixed {
	t := m.g.NewTable(m.points.next(size.Points), size.Budget)
	f := Fixed{Table: size.Points, Bytes: t.Bytes()}
	for _, n := range fixedSizes {
		f.One = append(f.One, m.call(t, n, n))
		f.Two = append(f.Two, m.call(t, n, n/2))
		f.Each = append(f.Each, m.call(t, n, 1))
	}
	return f
}

// call measures a call over t of n terms, each terms of which are one sum.
func (m *measurer) call(t group.Table, n, each int) Sample {
	index := make([]int32, n)
	for i := range index {
		index[i] = int32(i % t.Len())
	}
	rows := make([]group.Row, n/each)
	return Sample{n, m.median(func() {
		for i := range rows {
			rows[i] = group.Row{Index: index[i*each : (i+1)*each], Scalars: m.scalars.next(each)}
		}
		m.g.FixedMSM(m.dst[:len(rows)], t, rows)
	})}
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
