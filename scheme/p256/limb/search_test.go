package limb

import (
	"context"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLimbsBetweenTheirEnds: the limbs of corners are at their ends, and other pairs have
// limbs between them as well.
func TestLimbsBetweenTheirEnds(t *testing.T) {
	g := toyGeometries(func(g Geometry) bool { return g.Bits > 2 && g.Limbs > 2 && g.topShift() == 0 })[0]
	s := &searcher{Setting: Setting{Geometry: g}, p: g.Modulus.P(), rng: rand.New(rand.NewPCG(1, 0))}
	for _, inside := range []int{0, 1, 2} {
		most := 0
		for range 200 {
			w := s.pair(inside) // without instructions every product but 0 is wrong
			if w == nil {
				continue
			}
			n := 0
			for i, v := range w.A {
				lo, hi := s.ends(i)
				require.True(t, lo <= v && v <= hi)
				if lo < v && v < hi {
					n++
				}
			}
			most = max(most, n)
		}
		require.Equal(t, inside > 0, most > 0, "%d", inside)
	}
}

// TestOnlyLimbsOfDecodedValuesAreOperands: a value below p has other limbs, too.
func TestOnlyLimbsOfDecodedValuesAreOperands(t *testing.T) {
	s := &searcher{Setting: Setting{Geometry: Geometry{p256, 29, 9, 64}}, p: p256.P()}
	l := s.decode(big.NewInt(1 << 40))
	require.True(t, s.canonical(l))
	other := slices.Clone(l)
	other[0], other[1] = l[0]+1<<29, l[1]-1
	require.Equal(t, s.Value(l), s.Value(other))
	require.False(t, s.canonical(other))
	require.False(t, s.canonical(s.decode(new(big.Int).Add(s.p, big.NewInt(1)))))
	require.False(t, s.canonical(append([]int64{-1}, make([]int64, 8)...)))
}

// TestMostAdds: the most additions with a proof, or an error if there is none for 0.
func TestMostAdds(t *testing.T) {
	r, err := MostAdds(t.Context(), Setting{Geometry: Geometry{p256, 29, 9, 64}, Passes: 2})
	require.NoError(t, err)
	require.Equal(t, 1, r.MaxAdds)
	require.Equal(t, ProvedSafe, r.Verdict)
	_, err = MostAdds(t.Context(), Setting{Geometry: Geometry{p256, 31, 9, 64}, Passes: 2})
	require.ErrorIs(t, err, ErrNotProved)
	_, err = MostAdds(t.Context(), Setting{Geometry: Geometry{p256, 29, 8, 64}, Passes: 2})
	require.ErrorContains(t, err, "needs at least")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = MostAdds(ended, Setting{Geometry: Geometry{p256, 29, 9, 64}, Passes: 2})
	require.ErrorIs(t, err, context.Canceled)
}

// TestSearchTriesAllPairs: corners and others, as many as asked.
func TestSearchTriesAllPairs(t *testing.T) {
	s := Setting{Geometry: Geometry{p256, 29, 9, 64}, Passes: 2}
	for _, pairs := range []int{1, cornerPairs + 500} {
		w, tried := Search{Seed: 7, Pairs: pairs}.find(t.Context(), s)
		require.Nil(t, w)
		require.Equal(t, pairs, tried)
	}
}

// TestMachinesAgree: words without an overflow hold the integers.
func TestMachinesAgree(t *testing.T) {
	rng, whole := rand.New(rand.NewPCG(3, 0)), 0
	for _, g := range toyGeometries(runs) {
		p := randomProgram(g, rng)
		a, b := make([]int64, g.Limbs), make([]int64, g.Limbs)
		for i := range a {
			a[i], b[i] = rng.Int64N(1<<g.Bits), rng.Int64N(1<<g.Bits)
		}
		exact, peak := g.multExact(p, bigs(a), bigs(b))
		if peak.BitLen() >= g.Word {
			continue
		}
		if slices.ContainsFunc(g.folds(), func(f fold) bool { return f.whole(g.Bits) }) {
			whole++
		}
		for i, want := range g.multWrapping(p, a, b) {
			require.Equal(t, want, exact[i].Int64(), "%v", g)
		}
	}
	require.Positive(t, whole)
}

// TestStepsOfProofs: a reduction empties its accumulator, a carry changes two.
func TestStepsOfProofs(t *testing.T) {
	r, err := Headroom(t.Context(), Setting{Geometry: Geometry{p256, 29, 9, 64}, Passes: 2}, Search{Pairs: 1})
	require.NoError(t, err)
	require.Equal(t, ProvedSafe, r.Verdict)
	for _, s := range slices.Concat(r.Proof.Product, r.Proof.Reduction) {
		switch s.Op {
		case "reduce":
			require.Equal(t, [3]int64{int64(s.I), 0, 0}, s.Set[len(s.Set)-1])
			require.Len(t, s.Set, 8, "s.I and two for each term, of which two share one")
		case "carry":
			require.Len(t, s.Set, 2)
			require.Equal(t, []int64{int64(s.I), int64(s.I) + 1}, []int64{s.Set[0][0], s.Set[1][0]})
		default:
			require.Len(t, s.Set, 1)
		}
	}
	require.Equal(t, "no verdict\n", new(Result).String())
	r.Verdict, r.Witness = HasWitness, &Witness{make([]int64, 9), make([]int64, 9)}
	for adds, want := range []string{"a = 0x0 b = 0x0: (a)(b) wrong", "a = 0x0 b = 0x0: (2a)(2b) wrong", "a = 0x0 b = 0x0: (4a)(4b) wrong"} {
		r.MaxAdds = adds
		require.Contains(t, r.String(), want)
	}
}

// TestFixPointMeasuresItsOwnPeak: the peak is of the last round, without earlier ones.
func TestFixPointMeasuresItsOwnPeak(t *testing.T) {
	a := newAnalysis(Setting{Geometry: Geometry{p256, 29, 9, 64}, Passes: 2})
	require.NotNil(t, a.fixPoint())
	want := a.peak
	a.peak = Bound{"earlier", new(big.Int).Add(want.Size, want.Size)}
	require.NotNil(t, a.fixPoint())
	require.Equal(t, want, a.peak)
}
