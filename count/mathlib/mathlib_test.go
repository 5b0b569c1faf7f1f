package mathlib_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"testing"

	math "github.com/IBM/mathlib"
	"github.com/IBM/mathlib/driver/gurvy"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/count/mathlib"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

// foreign is a third-party curve with an identifier outside mathlib's list.
func foreign() *math.Curve {
	const id = 42
	d := gurvy.NewBn254()
	return math.NewCurve(d, math.NewG1(d.GenG1(), id), math.NewG2(d.GenG2(), id), math.NewGt(d.GenGt(), id),
		math.NewZr(d.GroupOrder(), id), d.CoordinateByteSize(), d.G1ByteSize(), d.CompressedG1ByteSize(),
		d.G2ByteSize(), d.CompressedG2ByteSize(), d.ScalarByteSize(), id)
}

// program uses all of mathlib and records its results.
type program struct {
	c     *math.Curve
	drawn byte
	out   []string
}

// scalar returns the next scalar of a fixed sequence. NewRandomZr does not
// suit, since two curves ignore the given source.
func (p *program) scalar() *math.Zr {
	p.drawn++
	return p.c.HashToZr([]byte{p.drawn})
}

func (p *program) see(what string, v any) { p.out = append(p.out, fmt.Sprintf("%s: %x", what, v)) }

// attempt records the error of a curve that does not support f.
func (p *program) attempt(what string, f func() any) {
	defer func() {
		if r := recover(); r != nil {
			p.see(what+" panics", fmt.Sprint(r))
		}
	}()
	p.see(what, f())
}

func run(c *math.Curve) []string {
	p := &program{c: c}
	p.sizes()
	p.scalars()
	p.pointsG1()
	p.pointsG2()
	p.target()
	p.bytes()
	return p.out
}

func (p *program) sizes() {
	c := p.c
	p.see("sizes",
		[]int{c.CoordByteSize, c.G1ByteSize, c.CompressedG1ByteSize, c.G2ByteSize, c.CompressedG2ByteSize,
			c.ScalarByteSize, int(c.ID())})
	p.see("generators", [][]byte{c.GenG1.Bytes(), c.GenG2.Bytes(), c.GenGt.Bytes(), c.GroupOrder.Bytes()})
	p.see("identifiers",
		[]math.CurveID{c.GenG1.CurveID(), c.GenG2.CurveID(), c.GenGt.CurveID(), c.GroupOrder.CurveID()})
}

func (p *program) scalars() {
	c, m := p.c, p.c.GroupOrder
	a, b := p.scalar(), c.HashToZr([]byte("scalar"))
	d := c.NewZrFromBytes(a.Bytes())
	for what, v := range map[string]*math.Zr{
		"int": c.NewZrFromInt(-5), "uint": c.NewZrFromUint64(5), "big": c.NewZrFromBigInt(big.NewInt(99)),
	} {
		p.attempt(what, func() any { return []any{v.String(), v.Bytes(), v.BigInt(), v.IsZero(), v.IsOne()} })
	}
	slices.Sort(p.out[len(p.out)-3:])
	d.InvModOrder()
	e := b.Copy()
	e.InvModP(m)
	rng, err := c.Rand()
	p.see("source", errors.Join(err))
	drawn := c.NewRandomZr(rng)
	p.see("drawn", []bool{drawn.Equals(drawn.Copy()), drawn.IsZero()})
	n := b.Copy()
	n.Neg()
	n.Mod(m)
	n.Clone(n.Plus(a))
	r := c.NewZrFromInt(0)
	for i, z := range []*math.Zr{
		a, b, d, e, n, a.Plus(b), a.Minus(b), a.Mul(b), a.PowMod(b),
		c.ModAdd(a, b, m), c.ModSub(a, b, m), c.ModNeg(a, m), c.ModMul(a, b, m),
		c.ModAddMul([]*math.Zr{a, b, d}, []*math.Zr{b, d, e}, m),
		c.ModAddMul2(a, b, d, e, m), c.ModAddMul3(a, b, d, e, n, a, m),
	} {
		p.see(fmt.Sprint("scalar ", i), z.Bytes())
		p.see("equal", z.Equals(a))
	}
	for i, f := range []func(){
		func() { c.ModMulInPlace(r, a, b, m) },
		func() { c.ModAddMul2InPlace(r, a, b, d, e, m) },
		func() { c.ModAddMul3InPlace(r, a, b, d, e, n, a, m) },
	} {
		p.attempt(fmt.Sprint("in place ", i), func() any { f(); return r.Bytes() })
	}
}

func (p *program) pointsG1() {
	c := p.c
	s, t := p.scalar(), p.scalar()
	g, h := c.GenG1.Copy(), c.HashToG1([]byte("h"))
	a := g.Mul(s)
	a.Add(h)
	b := a.Copy()
	b.Add(b)
	b.Sub(g)
	d := b.Copy()
	d.Neg()
	e := c.NewG1()
	e.Clone(d)
	e.Mul2InPlace(s, h, t)
	same := a.Copy()
	same.Add(a)
	for i, q := range []*math.G1{g, h, a, b, d, e, same, a.Mul2(s, b, t), c.NewG1(),
		c.MultiScalarMul([]*math.G1{a, b, d}, []*math.Zr{s, t, s})} {
		p.see(fmt.Sprint("G1 ", i), []any{q.Bytes(), q.Compressed(), q.IsInfinity(), q.Equals(a)})
		p.attempt("G1 text", func() any { return q.String() }) // AMCL does not print the identity
	}
	p.attempt("domain", func() any { return c.HashToG1WithDomain([]byte("m"), []byte("d")).Bytes() })
	p.json(a, new(math.G1))
	p.json(s, new(math.Zr))
}

func (p *program) pointsG2() {
	c := p.c
	s := p.scalar()
	a := c.GenG2.Mul(s)
	b := a.Copy()
	b.Add(c.GenG2)
	d := b.Copy()
	d.Sub(a)
	d.Affine()
	e := c.NewG2()
	e.Clone(b)
	e.Add(e.Copy())
	for i, q := range []*math.G2{a, b, d, e} {
		p.see(fmt.Sprint("G2 ", i), []any{q.Bytes(), q.Compressed(), q.String(), q.Equals(c.GenG2)})
	}
	p.attempt("hash", func() any { return c.HashToG2([]byte("m")).Bytes() })
	p.attempt("domain", func() any { return c.HashToG2WithDomain([]byte("m"), []byte("d")).Bytes() })
	p.json(a, new(math.G2))
}

func (p *program) target() {
	c := p.c
	s := p.scalar()
	a := c.FExp(c.Pairing(c.GenG2, c.GenG1.Mul(s)))
	b := c.FExp(c.Pairing2(c.GenG2, c.GenG1, c.GenG2.Mul(s), c.GenG1))
	b.Mul(a)
	b.Mul(b)
	d := b.Exp(s)
	d.Inverse()
	for i, v := range []*math.Gt{a, b, d} {
		p.see(fmt.Sprint("Gt ", i), []any{v.Bytes(), v.String(), v.IsUnity(), v.Equals(a)})
	}
	p.json(a, new(math.Gt))
}

// bytes decodes valid and invalid encodings.
func (p *program) bytes() {
	c := p.c
	rightG1, rightG2 := c.GenG1.Bytes(), c.GenG2.Bytes()
	for i, in := range [][]byte{nil, rightG1, rightG1[1:], rightG2, make([]byte, len(rightG1)),
		c.GenG1.Compressed(), c.GenG2.Compressed(), slices.Repeat([]byte{7}, len(rightG2))} {
		note := func(what string, v interface{ Bytes() []byte }, err error) {
			if err != nil {
				p.see(what, err.Error())
				return
			}
			p.see(what, v.Bytes())
		}
		a, err := c.NewG1FromBytes(in)
		note(fmt.Sprint("G1 of ", i), a, err)
		a, err = c.NewG1FromCompressed(in)
		note(fmt.Sprint("G1 of compressed ", i), a, err)
		b, err := c.NewG2FromBytes(in)
		note(fmt.Sprint("G2 of ", i), b, err)
		b, err = c.NewG2FromCompressed(in)
		note(fmt.Sprint("G2 of compressed ", i), b, err)
		g, err := c.NewGtFromBytes(in)
		note(fmt.Sprint("Gt of ", i), g, err)
	}
}

// json uses math.Curves if it contains the curve.
func (p *program) json(v json.Marshaler, back interface {
	json.Unmarshaler
	Bytes() []byte
}) {
	b, err := v.MarshalJSON()
	p.see("json", errors.Join(err))
	p.see("json", b)
	if id := int(p.c.ID()); id < len(math.Curves) && math.Curves[id] == p.c {
		p.see("json", errors.Join(back.UnmarshalJSON(b)))
		p.see("json", back.Bytes())
	}
}

// requireLines reports the first line that differs.
func requireLines(t *testing.T, want, got []string) {
	require.Len(t, got, len(want))
	for i := range want {
		require.Equal(t, want[i], got[i])
	}
}

func TestSameResultsOnEveryCurve(t *testing.T) {
	require.Len(t, math.Curves, 8)
	plain := map[int][]string{}
	for id, c := range math.Curves {
		plain[id] = run(c)
		require.NotEmpty(t, plain[id])
	}
	var rec count.Recorder
	remove, err := mathlib.Install(rec.Bucket(""))
	require.NoError(t, err)
	defer remove()
	var counts []count.Phases
	for range 2 {
		rec.Reset()
		for id, c := range math.Curves {
			requireLines(t, plain[id], run(c))
		}
		counts = append(counts, rec.Snapshot())
	}
	require.Equal(t, counts[0], counts[1], "two counted runs are equal")
}

func TestCurveOutsideTheList(t *testing.T) {
	c := foreign()
	plain := run(c)
	before := math.Curves
	var rec count.Recorder
	remove, err := mathlib.Install(rec.Bucket("foreign"), c)
	require.NoError(t, err)
	require.Len(t, math.Curves, 43)
	counted := run(math.Curves[42])
	for _, line := range plain {
		require.Contains(t, counted, line)
	}
	require.NotZero(t, rec.Snapshot()["foreign"].Calls(count.ScalarMul))
	var p math.G1
	b, err := math.Curves[42].GenG1.MarshalJSON()
	require.NoError(t, err)
	require.NoError(t, p.UnmarshalJSON(b))

	remove()
	remove()
	require.Len(t, math.Curves, len(before))
	require.Same(t, &before[0], &math.Curves[0], "the very list that was there")
}

func TestInstallRefusesAnIdentifierThatIsNoIndex(t *testing.T) {
	c := math.Curves[math.BN254]
	bad := math.NewCurve(gurvy.NewBn254(), c.GenG1, c.GenG2, c.GenGt, c.GroupOrder, 32, 64, 32, 128, 64, 32,
		-1)
	_, err := mathlib.Install(count.Bucket{}, bad)
	require.Error(t, err)
}

func TestGeneratorsStayAsTheyAre(t *testing.T) {
	c := math.Curves[math.BN254]
	before := [][]byte{c.GenG1.Bytes(), c.GenG2.Bytes(), c.GenGt.Bytes(), c.GroupOrder.Bytes()}
	w := mathlib.Wrap(c, count.Bucket{})
	w.GenG1.Add(w.GenG1)
	w.GenG2.Add(w.GenG2)
	w.GenGt.Mul(w.GenGt)
	w.GroupOrder.Neg()
	require.Equal(t, before,
		[][]byte{c.GenG1.Bytes(), c.GenG2.Bytes(), c.GenGt.Bytes(), c.GroupOrder.Bytes()})
}

func TestCounts(t *testing.T) {
	var rec count.Recorder
	c := mathlib.Wrap(math.Curves[math.BN254], rec.Bucket(""))
	s := c.NewZrFromInt(9)
	p := c.GenG1.Mul(s)
	p.Add(c.GenG1)
	p.Add(p.Copy())
	p.Sub(c.GenG1)
	p.Mul2InPlace(s, c.GenG1, s)
	c.MultiScalarMul([]*math.G1{p, p, p}, []*math.Zr{s, s, s}).Bytes()
	q := c.GenG2.Mul(s)
	c.FExp(c.Pairing2(q, p, q, p)).Exp(s).Inverse()
	c.HashToG2([]byte("m"))
	c.ModAddMul2(s, s, s, s, c.GroupOrder)
	s.InvModOrder()
	require.Equal(t, count.Counts{
		count.One(count.ScalarMul): 1, count.One(count.Add): 2, count.One(count.Double): 1,
		count.One(count.Neg):   1,
		count.Of(count.MSM, 2): 1, count.Of(count.MSM, 3): 1, count.One(count.Encode): 1,
		{Group: "G2", Op: count.ScalarMul, Size: 1}: 1, {Group: "G2", Op: count.HashToCurve, Size: 1}: 1,
		{Group: "GT", Op: count.Pairing, Size: 2}: 1, {Group: "GT", Op: count.FinalExp, Size: 1}: 1,
		{Group: "GT", Op: count.ScalarMul, Size: 1}: 1, {Group: "GT", Op: count.Neg, Size: 1}: 1,
		count.Of(count.FieldMul, 2): 1, count.One(count.FieldInv): 1,
	}, rec.Snapshot().Total())
}

// TestElementsMadeBefore uses elements made before wrapping as operands of
// wrapped ones.
func TestElementsMadeBefore(t *testing.T) {
	c := math.Curves[math.BLS12_381]
	old, s := c.GenG1.Mul(c.NewZrFromInt(3)), c.NewZrFromInt(4)
	want := c.GenG1.Mul(c.NewZrFromInt(7))
	w := mathlib.Wrap(c, count.Bucket{})
	p := w.GenG1.Mul(s)
	p.Add(old)
	require.True(t, p.Equals(want))
	g := w.Pairing(c.GenG2, old)
	g.Mul(c.Pairing(c.GenG2, old))
	q := w.GenG2.Copy()
	q.Add(c.GenG2)
}
