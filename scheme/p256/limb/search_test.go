package limb

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestClimbsAfterSamples: a search of a proved setting ends with a climb.
func TestClimbsAfterSamples(t *testing.T) {
	for _, g := range toyGeometries(func(g Geometry) bool { return g.validate() == nil }) {
		s := Setting{Geometry: g, Passes: 2}
		r, err := Headroom(t.Context(), s, Search{Pairs: 1})
		require.NoError(t, err)
		if r.Verdict != ProvedSafe {
			continue
		}
		const pairs = cornerPairs + randomPairs + 5000
		w, tried := Search{Pairs: pairs}.find(t.Context(), s)
		require.Nil(t, w)
		require.Equal(t, pairs, tried.Pairs)
		require.Positive(t, tried.Largest.Sign())
		return
	}
	t.Fatal("no setting is proved")
}

// TestSteps: a step changes one limb to its ends or between, and a climb starts with
// limbs at their ends and between.
func TestSteps(t *testing.T) {
	g := toyGeometries(func(g Geometry) bool { return g.Bits > 2 && g.Limbs > 2 && g.topShift() == 0 })[0]
	s := &searcher{Setting: Setting{Geometry: g}, p: g.Modulus.P(), done: func() bool { return false }}
	inside := func(l []int64) (n int) {
		for i, v := range l {
			lo, hi := s.ends(i)
			require.True(t, lo <= v && v <= hi)
			if lo < v && v < hi {
				n++
			}
		}
		return n
	}
	s.rng = rand.New(rand.NewPCG(1, 0))
	zero, seen := make([]int64, g.Limbs), 0
	for range 500 {
		l := s.neighbour(zero)
		if l == nil { // no value decodes to it
			continue
		}
		seen += inside(l)
		changed := 0
		for _, v := range l {
			if v != 0 {
				changed++
			}
		}
		require.LessOrEqual(t, changed, 1)
	}
	require.Positive(t, seen)
	most := 0
	for range 100 {
		l, _ := s.operand(1)
		most = max(most, inside(l))
	}
	require.Positive(t, most, "limbs between their ends")
	most = 0
	for seed := range uint64(40) { // without instructions every product is wrong
		s.rng = rand.New(rand.NewPCG(seed, 0))
		w, _ := s.climb()
		most = max(most, inside(w.A))
	}
	require.Greater(t, most, 1)
}

// TestTheSameSeedTriesTheSamePairs: the search of a report can be repeated.
func TestTheSameSeedTriesTheSamePairs(t *testing.T) {
	s := Setting{Geometry: Geometry{P256, 29, 9, 64}, Passes: 2}
	sr := &searcher{
		Setting: s, mult: s.mult(), p: s.Modulus.P(),
		rng: rand.New(rand.NewPCG(7, 0)), limit: 1500, done: func() bool { return false },
	}
	require.Nil(t, sr.sample(100, 0))
	require.Nil(t, sr.sample(100, 2))
	w, largest := sr.climb()
	require.Nil(t, w)
	require.Equal(t, 1500, sr.pairs)
	require.Equal(t, "576460749850339755", largest.String())
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
	r, err := Headroom(t.Context(), Setting{Geometry: Geometry{P256, 29, 9, 64}, Passes: 2}, Search{Pairs: 1})
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
	a := newAnalysis(Setting{Geometry: Geometry{P256, 29, 9, 64}, Passes: 2})
	require.NotNil(t, a.fixPoint())
	want := a.peak
	a.peak = Bound{"earlier", new(big.Int).Add(want.Size, want.Size)}
	require.NotNil(t, a.fixPoint())
	require.Equal(t, want, a.peak)
}
