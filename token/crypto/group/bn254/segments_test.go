package bn254 // reduce and inBuckets are private: sums choose their lists and the widths of buckets

import (
	"math/rand/v2"
	"testing"

	curve "github.com/consensys/gnark-crypto/ecc/bn254"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// requireSums sums lists of the given lengths, which name points at random, and
// compares with sums one by one.
func requireSums(t *testing.T, g *Group, from entries, lens []uint32) {
	t.Helper()
	ws := g.take()
	defer ws.put()
	random := rand.New(rand.NewPCG(1, 2))
	s := &ws.lists
	var want []curve.G1Affine
	for _, n := range lens {
		var sum curve.G1Jac
		for range n {
			ref := random.Uint32N(2 * uint32(len(from.points)))
			s.refs = append(s.refs, ref)
			p := from.points[ref>>1]
			if ref&1 == 1 {
				p.Neg(&p)
			}
			sum.AddMixed(&p)
		}
		if n > 0 {
			want = append(want, *new(curve.G1Affine).FromJacobian(&sum))
		}
	}
	s.lens = append(s.lens, lens...)
	sums, _ := ws.reduce(from, 0)
	require.Len(t, s.refs, len(want))
	for i, ref := range s.refs {
		require.True(t, want[i].Equal(&sums.points[ref>>1]), "list %d", i)
	}
	for i, n := range lens {
		require.Equal(t, min(n, 1), s.lens[i], "list %d", i)
	}
}

// TestSumsOfLists sums lists of all shapes: of different points, and of few
// points, so that most additions lack a slope.
func TestSumsOfLists(t *testing.T) {
	few := hashed(2)
	few = append(few, *new(curve.G1Affine).Double(&few[0]), *new(curve.G1Affine).Add(&few[0], &few[1]))
	repeat := func(n int, of ...uint32) (lens []uint32) {
		for range n {
			lens = append(lens, of...)
		}
		return lens
	}
	for name, from := range map[string]entries{
		"different points": {points: hashed(1000)},
		"few points":       {points: few},
		"identities":       {points: append(few[:len(few):len(few)], curve.G1Affine{}), identity: true},
	} {
		t.Run(name, func(t *testing.T) {
			for _, lens := range [][]uint32{
				{1}, {0, 1}, {2}, {0, 3, 0}, {1, 2, 3, 4, 5, 6, 7}, {4, 0, 0, 5},
				repeat(40, 0, 1), repeat(9, 2, 1, 0, 3),
				repeat(batchLen, 2), repeat(batchLen+1, 2), repeat(batchLen-1, 2, 1),
				{3 * batchLen}, {3*batchLen - 1, 1, 3*batchLen + 1},
				append(repeat(200, 9, 17, 0, 3), 2000),
			} {
				for _, g := range kernels() {
					requireSums(t, g, from, lens)
				}
			}
		})
	}
}

// TestBucketsOfAllWidths sums with digits of every width, on both kernels: scalars around 2¹²⁸,
// which carry out of the highest window, and a term with its opposite, whose buckets are empty.
func TestBucketsOfAllWidths(t *testing.T) {
	const n = 130
	g := newForTest()
	ps, ss := g.pointsForTest(n), g.scalarsForTest(2000)[6*120:][:n]
	want := g.AddPoints(group.MSM(g, ps[:60], ss[:60]), group.MSM(g, ps[60:], ss[60:])) // without buckets
	cancel := []group.Point{ps[0], g.SubPoints(group.Point{}, ps[0]), ps[1]}
	for width := 3; width <= 14; width++ {
		for _, g := range kernels() {
			ws := g.take()
			ws.addRow(ps, ss)
			sum := ws.inBuckets(ws.bases, width)
			require.True(t, g.Equal(want, normal(&sum)), "width %d", width)
			ws.put()
			for _, s := range ss[:3] {
				ws := g.take()
				ws.addRow(cancel, []group.Scalar{ss[3], ss[3], s})
				sum := ws.inBuckets(ws.bases, width)
				require.True(t, g.Equal(group.MulPoint(g, ps[1], s), normal(&sum)), "width %d", width)
				ws.put()
			}
		}
	}
	for n := 1; n < 1<<20; n += 1 + n/16 {
		width := bucketWidth(n)
		require.True(t, width >= 3 && width <= 14, "%d terms", n)
	}
}
