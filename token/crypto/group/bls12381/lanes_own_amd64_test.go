//go:build !purego

package bls12381 // rootsInLanes is private: what lanes leave undone is computed elsewhere

import (
	"slices"
	"testing"

	curve "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
	"github.com/stretchr/testify/require"
)

// TestRootsInLanes: all square roots are in lanes, but not on the portable kernel. They do not
// change the constant that they begin with.
func TestRootsInLanes(t *testing.T) {
	needLanes(t)
	vector, portable := New(7).take(), New(7).Portable().take()
	defer vector.put()
	defer portable.put()
	ones := slices.Clone(laneOnes)
	for n := range 18 {
		as, roots := make([]fp.Element, n), make([]fp.Element, n)
		for i := range as {
			as[i].SetUint64(uint64(i) + 2)
			as[i].Square(&as[i])
		}
		require.Zero(t, portable.rootsInLanes(roots, as))
		require.Equal(t, make([]fp.Element, n), roots)
		require.Equal(t, n, vector.rootsInLanes(roots, as))
		for i := range roots {
			var square fp.Element
			require.Equal(t, as[i], *square.Square(&roots[i]), "root %d of %d", i, n)
		}
		require.Equal(t, ones, laneOnes)
	}
}

// TestSubgroupShownInLanes: every point of the group is shown, in each place but a last one
// that is alone in its block, and no other one is; the portable kernel cannot show it.
func TestSubgroupShownInLanes(t *testing.T) {
	needLanes(t)
	own, others := hashed(subgroupLen), strangers(t)
	vector, portable := New(7).take(), New(7).Portable().take()
	defer vector.put()
	defer portable.put()
	for _, n := range []int{1, 7, 8, 9, 30, subgroupLen} {
		for round := range 6 {
			ps, want := append([]curve.G1Affine{}, own[:n]...), make([]bool, n)
			for i := range ps {
				if want[i] = (i+round)%5 > 0; !want[i] {
					ps[i] = others[(7*i+round)%len(others)]
				}
			}
			shown := make([]bool, n)
			portable.showSubgroup(shown, ps)
			require.Equal(t, make([]bool, n), shown)
			vector.showSubgroup(shown, ps)
			want[n-1] = want[n-1] && n%lanes != 1
			require.Equal(t, want, shown, "%d points", n)
		}
	}
}
