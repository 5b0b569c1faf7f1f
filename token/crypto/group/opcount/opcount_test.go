package opcount_test

import (
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/count/zn"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/grouptest"
	"github.com/zkatbench/zkatbench/token/crypto/group/opcount"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

func wrap(t testing.TB, g group.Group, model *opcount.Model) (group.Group, *count.Recorder) {
	rec := new(count.Recorder)
	c, err := opcount.Wrap(g, rec.Bucket(""), model)
	require.NoError(t, err)
	return c, rec
}

// operands are the operands of the calls below, and room for their results.
type operands struct {
	p, q    group.Point
	s, t    group.Scalar
	ps      []group.Point
	ss      []group.Scalar
	points  []group.Point
	scalars []group.Scalar
	table   group.Table
	bits    group.BitTable
	digits  group.DigitTable
	encoded []byte
}

const terms = 5

func newOperands(t testing.TB, g group.Group) *operands {
	o := &operands{ss: make([]group.Scalar, terms), ps: make([]group.Point, terms),
		points: make([]group.Point, terms), scalars: make([]group.Scalar, terms)}
	require.NoError(t, group.Sample(g, rand.NewChaCha8([32]byte{9}), o.ss))
	for i := range o.ps {
		o.ps[i] = g.HashToPoint([]byte{byte(i)})
	}
	o.p, o.q, o.s, o.t = o.ps[0], o.ps[1], o.ss[0], o.ss[1]
	o.table, o.digits = g.NewTable(o.ps, 0), g.NewDigitTable(o.ps)
	o.bits = g.NewBitTable(o.ps, slices.Repeat([]group.Point{{}}, terms))
	o.encoded = g.AppendPoint(nil, o.p)
	return o
}

// call is the use of a method of Group with its counts.
type call struct {
	do   func(group.Group, *operands)
	want count.Counts
}

func once(op count.Op, size int) count.Counts { return count.Counts{count.Of(op, size): 1} }

// fixedRow is one sum in the call of fixed.
func fixedRow(size, call int) count.Event {
	return count.Event{Op: count.FixedMSM, Size: size, Together: count.Together{Call: call, Table: terms}}
}

var calls = map[string]call{
	"Mul": {func(g group.Group, o *operands) { g.Mul(o.s, o.t) }, once(count.FieldMul, 1)},
	"Inv": {func(g group.Group, o *operands) { g.Inv(o.s) }, once(count.FieldInv, 1)},
	"MulVec": {func(g group.Group, o *operands) { g.MulVec(o.scalars, o.ss, o.ss) },
		once(count.FieldMul, terms)},
	"ScaleVec": {func(g group.Group, o *operands) { g.ScaleVec(o.scalars, o.ss, o.s) },
		once(count.FieldMul, terms)},
	"FoldVec": {func(g group.Group, o *operands) { g.FoldVec(o.scalars, o.ss, o.ss, o.s, o.t) },
		once(count.FieldMul, 2*terms)},
	"InvVec": {func(g group.Group, o *operands) { g.InvVec(o.scalars, o.ss) }, once(count.FieldInv, terms)},
	"Powers": {func(g group.Group, o *operands) { g.Powers(o.scalars, o.s) }, once(count.FieldMul, terms-1)},
	"Inner":  {func(g group.Group, o *operands) { g.Inner(o.ss, o.ss) }, once(count.FieldMul, terms)},

	"AppendPoint": {func(g group.Group, o *operands) { g.AppendPoint(nil, o.p) }, once(count.Encode, 1)},
	"AppendPoints": {func(g group.Group, o *operands) { g.AppendPoints(nil, []byte{1}, o.ps) },
		once(count.Encode, terms)},
	"DecodePoint": {func(g group.Group, o *operands) { _, _ = g.DecodePoint(o.encoded) },
		once(count.Decode, 1)},
	"DecodePoints": {func(g group.Group, o *operands) {
		_, _ = g.DecodePoints(o.points, slices.Repeat([][]byte{o.encoded}, 3))
	}, once(count.Decode, 3)},
	"HashToPoint": {func(g group.Group, _ *operands) { g.HashToPoint([]byte("m")) },
		once(count.HashToCurve, 1)},

	"AddPoints": {func(g group.Group, o *operands) { g.AddPoints(o.p, o.q); g.AddPoints(o.p, o.p) },
		count.Counts{count.One(count.Add): 1, count.One(count.Double): 1}},
	"SubPoints": {func(g group.Group, o *operands) { g.SubPoints(o.p, o.q) },
		count.Counts{count.One(count.Add): 1, count.One(count.Neg): 1}},
	"SubPointVec": {func(g group.Group, o *operands) { g.SubPointVec(o.points, o.ps, o.ps) },
		count.Counts{count.One(count.Add): terms, count.One(count.Neg): terms}},
	"MSMs": {msms, count.Counts{
		count.Of(count.MSM, 3): 1, {Op: count.MSM, Size: 2, Together: count.Together{Call: 4}}: 2,
		count.Of(count.MSM, 1): 1,
		count.Of(count.Sum, 4): 1, count.Of(count.Sum, terms): 1, count.Of(count.SumPow2, terms): 1,
		count.Of(count.Sum, 2): 1, count.Of(count.SumPow2, 1): 1,
	}},
	"NewTable": {func(g group.Group, o *operands) { g.NewTable(o.ps, 0) }, once(count.Table, terms)},
	"FixedMSM": {fixed, count.Counts{fixedRow(3, 3): 1, fixedRow(2, 4): 2}},

	"NewBitTable": {func(g group.Group, o *operands) { g.NewBitTable(o.ps, o.ps) },
		once(count.BitTable, terms)},
	"SumBits": {func(g group.Group, o *operands) { g.SumBits(o.bits, 0b10110) },
		once(count.SumBits, terms)},
	"NewDigitTable": {func(g group.Group, o *operands) { g.NewDigitTable(o.ps) },
		once(count.BitTable, terms)},
	"AddDigits": {func(g group.Group, o *operands) {
		g.AddDigits(o.points, o.digits, [][]uint8{{3, 15}, {1, 2, 0}})
	}, count.Counts{count.Of(count.SumBits, 2): 1, count.Of(count.SumBits, 3): 1, count.One(count.Add): 2}},

	"DecodeCurvePoint": {func(g group.Group, o *operands) { _, _ = g.DecodeCurvePoint(o.encoded) },
		once(count.Decode, 1)},
	"AppendCurvePoint": {func(g group.Group, o *operands) {
		group.AppendCurvePoint(g, nil, group.OnCurve(o.p))
	}, once(count.Encode, 1)},
	"AddCurvePoints": {func(g group.Group, o *operands) {
		grouptest.AddCurvePoints(g, group.OnCurve(o.p), group.OnCurve(o.q))
	}, once(count.Add, 1)},
	"CurveSum": {func(g group.Group, o *operands) {
		g.CurveSum(o.table, group.Row{Scalars: o.ss[:3]}, []group.CurvePoint{group.OnCurve(o.p)}, o.ss[:1])
	}, count.Counts{fixedRow(3, 3): 1, count.Of(count.MSM, 1): 1, count.One(count.Add): 1}},
}

func msms(g group.Group, o *operands) {
	g.MSMs(make([]group.Point, 7), []group.Terms{
		{Points: o.ps[:2], Scalars: o.ss[:2]}, {Points: o.ps[2:], Scalars: o.ss[2:]},
		{Points: o.ps[1:3], Scalars: o.ss[3:], Plus: o.ps[:3]},
		{Plus: o.ps}, {Pow2: o.ps}, {Points: o.ps[:1], Scalars: o.ss[:1], Pow2: o.ps[:1]}, {},
	})
}

func fixed(g group.Group, o *operands) {
	g.FixedMSM(o.points[:3], o.table, []group.Row{
		{First: 1, Scalars: o.ss[:3]}, {Index: []int32{4, 0}, Scalars: o.ss[:2]}, {Scalars: o.ss[1:3]},
	})
}

// free lists the methods without group operations.
var free = []string{
	"Name", "ID", "Order", "Uint64", "Reduce", "Add", "Sub", "Neg", "AddVec",
	"PointLen", "AppendScalar", "DecodeScalar", "Generator", "Equal", "IsTorsion",
}

func TestEveryMethodIsCountedOrFree(t *testing.T) {
	g := reflect.TypeFor[group.Group]()
	for i := range g.NumMethod() {
		name := g.Method(i).Name
		_, counted := calls[name]
		require.NotEqual(t, counted, slices.Contains(free, name), name)
	}
}

// TestExactCounts leaves the results to the suite of grouptest, which runs on a counting group.
func TestExactCounts(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	o := newOperands(t, g)
	for method, c := range calls {
		t.Run(method, func(t *testing.T) {
			counting, rec := wrap(t, g, nil)
			c.do(counting, o)
			require.Equal(t, c.want, rec.Snapshot().Total())
		})
	}
}

func TestPhases(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	require.Equal(t, g, group.Phase(g, "uncounted"))
	counting, rec := wrap(t, g, nil)
	proof := group.Phase(counting, "range proof")
	o := newOperands(t, g)
	group.MSM(proof, o.ps, o.ss)
	group.MulPoint(group.Phase(proof, "ipa round 3"), o.p, o.s)
	require.Equal(t, count.Phases{
		"range proof":             once(count.MSM, terms),
		"range proof/ipa round 3": once(count.MSM, 1),
	}, rec.Snapshot())

	outer, outerRec := wrap(t, counting, nil) // counted twice; phases pass through
	rec.Reset()
	group.MulPoint(group.Phase(outer, "x"), o.p, o.s)
	require.Equal(t, rec.Snapshot(), outerRec.Snapshot())
}

func TestTotalByTheModel(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	o := newOperands(t, g)
	counting, rec := wrap(t, g, &opcount.Model{Algorithms: zn.Same(zn.WNAF, 4), FixedWindow: 8})
	group.MulPoint(counting, o.p, g.Uint64(10)) // as in the vectors: new base, window 4
	require.Equal(t, count.Tally{Adds: 8, Doubles: 2}, rec.Snapshot().Total().Total())

	rec.Reset()
	group.MSM(counting, o.ps[:2], []group.Scalar{g.Uint64(10), g.Uint64(10)})
	require.Equal(t, count.Tally{Adds: 16, Doubles: 3}, rec.Snapshot().Total().Total())

	rec.Reset()
	group.FixedSum(counting, o.table, 0, g.Uint64(0x10001), g.Uint64(0xff))
	require.Equal(t, count.Tally{Adds: 3}, rec.Snapshot().Total().Total())

	for _, bad := range []opcount.Model{{FixedWindow: 8}, {Algorithms: zn.Same(zn.WNAF, 4)},
		{Algorithms: zn.Same(zn.WNAF, 4), FixedWindow: zn.MaxWindow + 1}} {
		_, err := opcount.Wrap(g, count.Bucket{}, &bad)
		require.Error(t, err)
	}
}

func TestConcurrent(t *testing.T) {
	counting, rec := wrap(t, vectors.Curve(t, "BN254"), nil)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			g := group.Phase(counting, fmt.Sprint(i%2))
			for range 50 {
				g.HashToPoint([]byte("m"))
			}
		})
	}
	wg.Wait()
	require.Equal(t,
		count.Phases{"0": {count.One(count.HashToCurve): 100}, "1": {count.One(count.HashToCurve): 100}},
		rec.Snapshot())
}

// TestSignatures counts signatures by new and remembered keys. A remembered key and the
// generator have tables.
func TestSignatures(t *testing.T) {
	list := []group.Signature{
		{OfGenerator: big.NewInt(0x10203), OfKey: big.NewInt(0x1101)},
		{OfGenerator: big.NewInt(1), OfKey: big.NewInt(1), Known: true},
		{OfGenerator: big.NewInt(0), OfKey: big.NewInt(0x100), Known: true},
	}
	outer := count.Counts{{Group: "P-256", Op: count.Verify, Size: 1}: 1,
		{Group: "P-256", Op: count.VerifyKnown, Size: 2}: 1,
		{Group: "P-256", Op: count.Certificate, Size: 1}: 1}
	both := maps.Clone(outer)
	both.Merge(opcount.Textbook.Cost("P-256", []*big.Int{list[0].OfKey}))
	both.AddTally(count.Inside, "P-256", count.Tally{Adds: 3 + 2 + 1})
	for model, want := range map[*opcount.Model]count.Counts{nil: outer, &opcount.Textbook: both} {
		g, rec := wrap(t, vectors.Curve(t, "BN254"), model)
		group.CountSignatures(opcount.Steps(g, count.NoSteps{}), len(list), func(i int) group.Signature {
			return list[i]
		})
		require.Equal(t, want, rec.Snapshot().Total())
	}
	group.CountSignatures(vectors.Curve(t, "BN254"), 1, nil) // not an Observer
}

// TestWork counts work outside the calls of a group, also through a view of steps.
func TestWork(t *testing.T) {
	g, rec := wrap(t, vectors.Curve(t, "BN254"), nil)
	for i, w := range []group.Work{group.Pairings, group.Decodings, group.HashedBlocks} {
		group.CountWork(opcount.Steps(g, count.NoSteps{}), w, 3+i)
	}
	require.Equal(t, count.Counts{
		count.Of(count.Pairing, 3): 1, count.One(count.FinalExp): 1, count.One(count.Decode): 4,
		{Group: "SHA-256", Op: count.Hash, Size: 5}: 1,
	}, rec.Snapshot().Total())
	group.CountWork(vectors.Curve(t, "BN254"), group.HashedBlocks, 1) // not an Observer
}
