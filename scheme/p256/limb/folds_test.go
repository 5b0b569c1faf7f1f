package limb // fold and reaches are private: a verdict does not show a single fold

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReachedAccumulators: a reduction reaches exactly the accumulators that it changes, for
// terms of every shape.
func TestReachedAccumulators(t *testing.T) {
	rng := rand.New(rand.NewPCG(45, 2))
	whole := 0
	for _, g := range toyGeometries(runs) {
		a := newAnalysis(Setting{Geometry: g, Passes: 1})
		for _, f := range g.folds() {
			if f.whole(g.Bits) {
				whole++
			}
		}
		for from := g.Limbs; from < 2*g.Limbs; from++ {
			changed := make([]bool, from)
			for range 64 {
				c := make([]int64, 2*g.Limbs)
				c[from] = rng.Int64N(1<<(2*g.Bits)) - 1<<(2*g.Bits-1)
				g.runWrapping(program{{reduce, from}}, c, nil, nil)
				for to := range changed {
					changed[to] = changed[to] || c[to] != 0
				}
			}
			for to := range changed {
				if !changed[to] {
					require.False(t, a.reaches(from, to), "%s: %d to %d", g.Name(), from, to)
				}
				if a.reaches(from, to) {
					require.True(t, changed[to], "%s: %d to %d", g.Name(), from, to)
				}
			}
		}
	}
	require.NotZero(t, whole)
}

// TestGeneratedFolds: the lines of terms with coefficients of every sign and size, split or
// whole.
func TestGeneratedFolds(t *testing.T) {
	e := elementFile{Setting{Geometry: Geometry{Limbs: 3, Bits: 20, Word: 64}}}
	for want, f := range map[string]fold{
		"c4 += c5": {1, 2, 20}, "c4 -= c5": {-1, 2, 20}, "c4 += 3 * c5": {3, 2, 20},
		"c4 -= 3 * c5": {-3, 2, 20},
		"c2 += 7 * (c5 << 4 & mask)\nc3 += 7 * (c5 >> 16)": {7, 3, 4},
		"c2 -= (c5 << 4 & mask)\nc3 -= (c5 >> 16)":         {-1, 3, 4},
	} {
		t.Run(want, func(t *testing.T) {
			require.Equal(t, want, e.fold(5, f))
		})
	}
}
