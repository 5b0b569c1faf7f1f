package bn254 // newInside is private: the functions of Inside return nothing

import (
	"slices"
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
		sums := in.ws.storePartial(batchLen)
		in.baseMul(from, to)
		products := slices.Clone(in.out)
		clear(in.out)
		in.baseMulVec(from, to)
		require.Equal(t, products, in.out)
		clear(in.out)
		in.baseInv(from, to)
		for i := range n {
			var product, inverse fp.Element
			sum := ps[0]
			if from <= i && i < to {
				product.Mul(&ps[i].X, &ps[i].Y)
				inverse.Inverse(&ps[i].X)
			}
			if i < to-from {
				sum.Add(&sum, &ps[from+i])
			}
			require.Equal(t, []any{product, inverse, sum}, []any{products[i], in.out[i], sums[i]}, i)
		}
		in.ws.put()
	}
}
