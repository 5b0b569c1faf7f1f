package unitcost

import (
	"encoding/binary"
	"math/rand/v2"

	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/count/cost"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Operands are taken in turn from lists that are much longer than the longest
// call.
const pointCount, scalarCount = 1 << 11, 1 << 13

// measurer uses different operands for every call. With the same ones, branches
// would be predicted, and the used entries of a table of megabytes would all be
// in the first-level cache, which halves the time of some operations
// (docs/measuring.md).
type measurer struct {
	g       group.Group
	points  ring[group.Point]
	scalars ring[group.Scalar]
	bytes   ring[[]byte]
	bits    *rand.ChaCha8
	vec     []group.Scalar
	dst     []group.Point
	buf     []byte
	meter   cost.Meter
}

// ring is a cyclic list.
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

func newMeasurer(g group.Group) *measurer {
	m := &measurer{
		g: g, bits: rand.NewChaCha8([32]byte{1}),
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
		panic("unitcost: ChaCha8 does not end: " + err.Error())
	}
	return m
}

// measured is an operation with a measured cost: its numbers of terms, and the call
// of n terms.
type measured struct {
	sizes []int
	call  func(m *measurer, n int) func()
}

var one = []int{1}

// operations are all that Measure takes, except sums over tables and in lockstep. A test
// finds an operation of package count that is missing here.
var operations = map[count.Op]measured{
	count.Add: {one, func(m *measurer, _ int) func() {
		return func() { m.dst[0] = m.g.AddPoints(m.points.one(), m.points.one()) }
	}},
	count.Double: {one, func(m *measurer, _ int) func() {
		return func() { p := m.points.one(); m.dst[0] = m.g.AddPoints(p, p) }
	}},
	count.ScalarMul: {one, func(m *measurer, _ int) func() {
		return func() { m.dst[0] = group.MulPoint(m.g, m.points.one(), m.scalars.one()) }
	}},
	count.MSM: {[]int{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128}, func(m *measurer, n int) func() {
		return func() { m.dst[0] = group.MSM(m.g, m.points.next(n), m.scalars.next(n)) }
	}},
	count.Sum: {[]int{1, 2, 3, 8, 64, 512}, func(m *measurer, n int) func() {
		return func() { m.dst[0] = group.Sum(m.g, m.points.next(n)) }
	}},
	count.SumPow2: {[]int{1, 16, 32, 64}, func(m *measurer, n int) func() {
		return func() { m.dst[0] = group.SumPow2(m.g, m.points.next(n)) }
	}},
	count.SumBits: {[]int{1, 16, 32, 64}, func(m *measurer, n int) func() {
		t := m.g.NewBitTable(m.points.next(n), m.points.next(n))
		return func() { m.dst[0] = m.g.SumBits(t, m.bits.Uint64()) }
	}},
	count.Encode: {[]int{1, 16, 128}, func(m *measurer, n int) func() {
		return func() { m.buf = m.g.AppendPoints(m.buf[:0], nil, m.points.next(n)) }
	}},
	count.Decode: {[]int{1, 2, 8, 32}, func(m *measurer, n int) func() {
		return func() { _, _ = m.g.DecodePoints(m.dst[:n], m.bytes.next(n)) }
	}},
	count.HashToCurve: {one, func(m *measurer, _ int) func() {
		return func() { m.dst[0] = m.g.HashToPoint(m.bytes.one()) }
	}},
	count.FieldInv: {[]int{1, 2, 8, 64}, (*measurer).inversion},
	count.FieldMul: {[]int{1, 4, 16, 64, 512}, (*measurer).multiplication},
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

// fixed returns calls over t of n terms in sums of each terms.
func (m *measurer) fixed(t group.Table, n, each int) func() {
	index := make([]int32, n)
	for i := range index {
		index[i] = int32(i % t.Len())
	}
	rows := make([]group.Row, n/each)
	return func() {
		for i := range rows {
			rows[i] = group.Row{Index: index[i*each : (i+1)*each], Scalars: m.scalars.next(each)}
		}
		m.g.FixedMSM(m.dst[:len(rows)], t, rows)
	}
}

// lockstep returns calls of several sums with the given number of terms each.
func (m *measurer) lockstep(sums, terms int) func() {
	rows := make([]group.Terms, sums)
	return func() {
		for i := range rows {
			rows[i] = group.Terms{Points: m.points.next(terms), Scalars: m.scalars.next(terms)}
		}
		m.g.MSMs(m.dst[:sums], rows)
	}
}

// inside returns calls of n consecutive operations of the kind inside the
// Group's operations.
func (m *measurer) inside(do func(from, to int), n int) func() {
	return func() {
		m.points.next(n)
		do(m.points.at-n, m.points.at)
	}
}
