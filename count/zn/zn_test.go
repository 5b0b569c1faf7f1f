package zn_test

import (
	"bytes"
	"math/big"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/count/zn"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

var order, _ = new(big.Int).SetString(
	"21888242871839275222246405745257275088548364400416034343698204186575808495617", 10)

func newGroup(t testing.TB, alg zn.Algorithms) (*zn.Group, *count.Recorder) {
	rec := new(count.Recorder)
	g, err := zn.NewInsecure("", order, alg, rec.Bucket(""))
	require.NoError(t, err)
	return g, rec
}

func elements(t testing.TB, g *zn.Group, n int) []*zn.Element {
	es := make([]*zn.Element, n)
	for i := range es {
		var err error
		es[i], err = g.Random(rand.NewChaCha8([32]byte{byte(i)}))
		require.NoError(t, err)
	}
	return es
}

// TestClassicExample counts a product of four tenth powers, a tenth power, a
// squaring, a multiplication and an inversion, by each convention for the neutral
// element. The group has the order of the example in the documentation of Cryptimeleon,
// which has 34 operations, 9 squarings and 1 inversion.
func TestClassicExample(t *testing.T) {
	for neutral, want := range map[zn.Neutral]string{
		zn.Established: "total: 34 additions, 1 negation, 7 doublings",
		zn.Counted:     "total: 34 additions, 1 negation, 9 doublings",
		zn.Free:        "total: 32 additions, 1 negation, 7 doublings",
	} {
		rec, alg := new(count.Recorder), zn.Same(zn.WNAF, 4)
		alg.Neutral = neutral
		g, err := zn.NewInsecure("", big.NewInt(1_000_000), alg, rec.Bucket(""))
		require.NoError(t, err)
		x := elements(t, g, 4)
		product := x[0].PowInt(10)
		for _, e := range x[1:] {
			product = product.Mul(e.PowInt(10))
		}
		for _, e := range []*zn.Element{product, x[0].PowInt(10), x[1].Square(), x[2].Mul(x[3]), x[0].Inv()} {
			g.Compute(e)
		}
		require.Equal(t, strings.Join([]string{
			want,
			"outer: 1 addition, 1 negation, 1 doubling",
			"precomputed, kept with the bases: 28 additions, 0 negations, 4 doublings",
			"1 scalar multiplication",
			"1 multi-scalar multiplication, terms [4]",
			"",
		}, "\n"), rec.Snapshot().Total().Text())
	}
}

// TestSpecialPowers: powers that the random expressions of TestTotalIsOuterAndInside do not have.
func TestSpecialPowers(t *testing.T) {
	for name, c := range map[string]struct {
		expr  func(x, y *zn.Element) *zn.Element
		outer count.Tally
	}{
		"x·x": {func(x, _ *zn.Element) *zn.Element { return x.Mul(x) }, count.Tally{Doubles: 1}},
		"x^0·y^1·x^-1": {func(x, y *zn.Element) *zn.Element {
			return x.PowInt(0).Mul(y.PowInt(1)).Mul(x.PowInt(-1))
		}, count.Tally{Adds: 2, Negs: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			g, rec := newGroup(t, zn.Same(zn.Sliding, 3))
			es := elements(t, g, 2)
			g.Compute(g.Compute(c.expr(es[0], es[1]))) // evaluated once
			got := rec.Snapshot().Total()
			require.Equal(t, c.outer, got.Outer())
			require.Zero(t, got.Calls(count.ScalarMul)+got.Calls(count.MSM))
		})
	}
}

func TestPrecomputationIsApart(t *testing.T) {
	g, rec := newGroup(t, zn.Same(zn.WNAF, 4))
	x := elements(t, g, 1)[0]
	g.Precompute(x)
	require.Equal(t, count.Tally{Adds: 7, Doubles: 1}, rec.Snapshot().Total().Layer(count.Precomputed))
	rec.Reset()
	g.Compute(x.PowInt(10))
	require.Equal(t, count.Tally{Adds: 1, Doubles: 1}, rec.Snapshot().Total().Total())
}

func TestPhases(t *testing.T) {
	g, rec := newGroup(t, zn.Same(zn.WNAF, 4))
	x := elements(t, g, 2)
	commit := g.Phase("commit")
	commit.Compute(x[0].Mul(x[1]))
	commit.Phase("encode").Encode(x[0])
	got := rec.Snapshot()
	require.Equal(t, count.Phases{
		"commit":        {count.One(count.Add): 1},
		"commit/encode": {count.One(count.Encode): 1},
	}, got)
}

func TestEncoding(t *testing.T) {
	g, _ := newGroup(t, zn.Same(zn.WNAF, 4))
	x := elements(t, g, 1)[0]
	b := g.Encode(x)
	y, err := g.Decode(b)
	require.NoError(t, err)
	require.True(t, g.Equal(x, y))
	for _, bad := range [][]byte{nil, b[1:], bytes.Repeat([]byte{0xff}, len(b))} {
		_, err := g.Decode(bad)
		require.Error(t, err)
	}
	_, err = g.Random(bytes.NewReader(nil))
	require.Error(t, err)
}

func TestRefusesWhatItCannotDo(t *testing.T) {
	wnaf := zn.Same(zn.WNAF, 4)
	for _, alg := range []zn.Algorithms{zn.Same(zn.WNAF, 0), zn.Same(zn.Sliding, 17),
		zn.Same(zn.Pippenger+1, 4), {Exp: wnaf.Exp, MultiExp: wnaf.Exp, Neutral: zn.Free + 1}} {
		_, err := zn.NewInsecure("", order, alg, count.Bucket{})
		require.Error(t, err)
	}
	for n := int64(-2); n < 2; n++ {
		_, err := zn.NewInsecureBilinear(big.NewInt(n), wnaf, count.Bucket{})
		require.Error(t, err)
	}
}

// pair returns e(p, q).
func pair(b zn.Bilinear, p, q *zn.Element) *zn.Element {
	return b.Product([]*zn.Element{p}, []*zn.Element{q})
}

// TestBilinear counts in groups of prime order and in groups of size 100.
func TestBilinear(t *testing.T) {
	for _, n := range []*big.Int{order, big.NewInt(100)} {
		rec := new(count.Recorder)
		b, err := zn.NewInsecureBilinear(n, zn.Same(zn.WNAF, 4), rec.Bucket(""))
		require.NoError(t, err)
		p, q := elements(t, b.G1, 1)[0], elements(t, b.G2, 1)[0]
		left := b.GT.Compute(pair(b, p.PowInt(6), q).Mul(pair(b, p, q.PowInt(4))))
		right := b.GT.Compute(pair(b, p, q).PowInt(10))
		require.True(t, b.GT.Equal(left, right))
		got := rec.Snapshot().Total()
		for group, want := range map[string][3]uint64{"": {1, 0, 0}, "G2": {1, 0, 0}, "GT": {1, 1, 3}} {
			c := got.In(group)
			require.Equal(t, want,
				[3]uint64{c.Calls(count.ScalarMul), c.Outer().Adds, c.Calls(count.Pairing)},
				group)
		}
	}
}

// TestProductOfPairings checks that a product of pairings shares one final
// exponentiation, and that arguments that are expressions are evaluated in
// their groups.
func TestProductOfPairings(t *testing.T) {
	rec := new(count.Recorder)
	b, err := zn.NewInsecureBilinear(order, zn.Same(zn.WNAF, 4), rec.Bucket(""))
	require.NoError(t, err)
	p, q := elements(t, b.G1, 1)[0], elements(t, b.G2, 1)[0]
	product := b.Product([]*zn.Element{p.PowInt(6), p.Inv()}, []*zn.Element{q, q.PowInt(6)})
	require.Empty(t, rec.Snapshot(), "an expression costs nothing")
	require.True(t, b.GT.Equal(product, b.GT.Neutral()))
	got := rec.Snapshot().Total()
	require.Equal(t, count.Counts{
		{Group: "GT", Op: count.Pairing, Size: 2}: 1, {Group: "GT", Op: count.FinalExp, Size: 1}: 1,
	}, got.In("GT"))
	require.EqualValues(t, 1, got.In("").Outer().Negs)
	require.EqualValues(t, 1, got.In("G2").Calls(count.ScalarMul))

	rec.Reset()
	require.True(t, b.GT.Equal(pair(b, p.PowInt(6), q), pair(b, p, q.PowInt(6))))
	require.Equal(t, count.Counts{
		{Group: "GT", Op: count.Pairing, Size: 1}: 2, {Group: "GT", Op: count.FinalExp, Size: 1}: 2,
	}, rec.Snapshot().Total().In("GT"))
	require.Panics(t, func() { b.Product([]*zn.Element{p}, nil) })
}

// TestConcurrent lets several goroutines evaluate the same expressions: each is
// counted once, and the powers of a base are computed once.
func TestConcurrent(t *testing.T) {
	g, rec := newGroup(t, zn.Same(zn.WNAF, 5))
	x := elements(t, g, 2)
	shared := x[0].PowInt(123).Mul(x[1].PowInt(77))
	const workers = 8
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() { g.Compute(shared.Mul(x[0].PowInt(3)).Mul(g.Compute(shared))) })
	}
	wg.Wait()
	got := rec.Snapshot().Total()
	require.Equal(t, count.Tally{Adds: 2 * 15, Doubles: 2}, got.Layer(count.Precomputed))
	require.EqualValues(t, 1+workers, got.Calls(count.MSM)+got.Calls(count.ScalarMul))
}
