//go:build !purego

package bls12381

import (
	"slices"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
	"github.com/stretchr/testify/require"
)

// TestRootsLeaveOnes: square roots in lanes do not change the constant that they begin with, and
// the next roots are right too.
func TestRootsLeaveOnes(t *testing.T) {
	needLanes(t)
	ones := slices.Clone(laneOnes)
	for n := 1; n <= lanes; n++ {
		as, roots := make([]fp.Element, n), make([]fp.Element, n)
		for i := range as {
			as[i].SetUint64(uint64(1+i+n) * uint64(1+i+n))
		}
		rootsOfBlock(roots, as)
		for i := range roots {
			var square fp.Element
			require.True(t, square.Square(&roots[i]).Equal(&as[i]), "%d of %d", i, n)
		}
		require.Equal(t, ones, laneOnes)
	}
}
