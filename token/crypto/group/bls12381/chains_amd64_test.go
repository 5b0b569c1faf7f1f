// Code generated from bn254/chains_amd64_test.go by bls12381/generate. DO NOT EDIT.

//go:build !purego

package bls12381 // chains are private: sums that have no slope there are computed again

import (
	"testing"

	curve "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/stretchr/testify/require"
)

// chainOf loads n chains, a column of points for each, and extends them. ps holds
// row after row of n points.
func chainOf(ws *workspace, ps []curve.G1Affine, n int) chained {
	ws.reset()
	c := ws.acc.points.(chained)
	for i := range n {
		ws.acc.load(i, ps[i])
	}
	c.begin(n)
	for ps = ps[n:]; len(ps) > 0; ps = ps[n:] {
		for i := range n {
			ws.in.load(3+i, ps[i])
		}
		c.extend(ws.in.points, 3, n)
	}
	return c
}

// TestChains compares chains with gnark-crypto's sums: extended, joined and with
// endomorphism, for every length of the last block.
func TestChains(t *testing.T) {
	needLanes(t)
	const steps = 5
	all := hashed(steps * 40)
	for n := 1; n <= 40; n++ {
		want := make([]curve.G1Jac, n)
		for k, p := range all[:steps*n] {
			want[k%n].AddMixed(&p)
		}
		ws := newForTest().take()
		requireChains(t, ws, chainOf(ws, all[:steps*n], n), want)
		if half := n / 2; half > 0 {
			c := chainOf(ws, all[:steps*n], n)
			ws.acc.cut(n-half, n).endomorphism()
			c.join(0, n-half, half)
			for i := range half {
				image := want[n-half+i]
				image.X.Mul(&image.X, &glv.beta)
				want[i].AddAssign(&image)
			}
			requireChains(t, ws, c, want[:n-half])
		}
		ws.put()
	}
}

// requireChains compares chains, which it makes affine.
func requireChains(t *testing.T, ws *workspace, c chained, want []curve.G1Jac) {
	t.Helper()
	require.True(t, c.affine(len(want)))
	for i, p := range ws.storePartial(len(want)) {
		require.Equal(t, affineOf(&want[i]), p, "chain %d of %d", i, len(want))
	}
}

// TestChainsWithoutSlopeAreFound adds equal and opposite points at each place and
// step: affine reports them, also after more additions.
func TestChainsWithoutSlopeAreFound(t *testing.T) {
	needLanes(t)
	const n, steps = 11, 4
	for place := range n {
		for step := 1; step < steps; step++ {
			for _, opposite := range []bool{false, true} {
				ps := hashed(n * steps)
				var sum curve.G1Jac
				for k := range step {
					sum.AddMixed(&ps[k*n+place])
				}
				same := affineOf(&sum)
				if opposite {
					same.Neg(&same)
				}
				ps[step*n+place] = same
				ws := newForTest().take()
				require.False(t, chainOf(ws, ps, n).affine(n), "step %d, place %d", step, place)
				ws.put()
			}
		}
	}
	for _, opposite := range []bool{false, true} {
		ps := hashed(2 * n)
		ps[n-1] = ps[0]
		if opposite {
			ps[n-1].Neg(&ps[0])
		}
		ws := newForTest().take()
		c := chainOf(ws, ps[:n], n)
		c.join(0, n-1, 1)
		require.False(t, c.affine(1))
		ws.put()
	}
}
