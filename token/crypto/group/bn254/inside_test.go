package bn254 // newInside is private: the functions of Inside return nothing

import (
	"testing"

	curve "github.com/consensys/gnark-crypto/ecc/bn254"
	"github.com/consensys/gnark-crypto/ecc/bn254/fp"
	"github.com/stretchr/testify/require"
)

// TestInside compares the results of each operation with gnark-crypto's, of some of the
// operands and of all.
func TestInside(t *testing.T) {
	const n = 700
	g := newForTest()
	points, ps := g.pointsForTest(n), hashed(n)
	for _, part := range [][2]int{{1, 2}, {3, 12}, {1, 21}, {1, n}} {
		from, to := part[0], part[1]
		in := g.newInside(points)
		var want curve.G1Jac
		want.FromAffine(&ps[0])
		for i := from; i < to; i++ {
			want.AddMixed(&ps[i])
		}
		in.mixedAdd(from, to)
		require.True(t, want.Equal(&in.sum))
		for range to - from {
			want.DoubleAssign()
		}
		in.jacobianDouble(from, to)
		require.True(t, want.Equal(&in.sum))

		in.affineAdd(from, to)
		for k, sum := range in.ws.storePartial(batchLen) {
			want := ps[0]
			if from+k < to {
				want.Add(&want, &ps[from+k])
			}
			require.Equal(t, want, sum, "sum %d", k)
		}
		in.ws.put()

		for name, c := range map[string]struct {
			do   func(from, to int)
			want func(p *curve.G1Affine) fp.Element
		}{
			"product":  {in.baseMul, func(p *curve.G1Affine) (e fp.Element) { return *e.Mul(&p.X, &p.Y) }},
			"products": {in.baseMulVec, func(p *curve.G1Affine) (e fp.Element) { return *e.Mul(&p.X, &p.Y) }},
			"inverse":  {in.baseInv, func(p *curve.G1Affine) (e fp.Element) { return *e.Inverse(&p.X) }},
		} {
			t.Run(name, func(t *testing.T) {
				clear(in.out)
				c.do(from, to)
				for i, e := range in.out {
					var want fp.Element
					if i >= from && i < to {
						want = c.want(&ps[i])
					}
					require.Equal(t, want, e, "%s %d", name, i)
				}
			})
		}
	}
	names := []string{"mixed-add", "jacobian-double", "affine-add", "base-mul", "base-mul-vec", "base-inv"}
	ops := g.Inside(points)
	require.Len(t, ops, len(names))
	for _, name := range names {
		ops[name](1, n)
	}
}
