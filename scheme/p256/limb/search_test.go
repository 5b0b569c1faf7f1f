package limb // searcher is private: a verdict shows one of its pairs at most

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
)

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

// TestMostAdds: the errors of settings without a proof for 0 additions, without enough limbs, and of an
// ended context. The most additions are in TestWriteSizes.
func TestMostAdds(t *testing.T) {
	_, err := MostAdds(t.Context(), Setting{Geometry: Geometry{p256, 31, 9, 64}, Passes: 2})
	require.ErrorIs(t, err, ErrNotProved)
	_, err = MostAdds(t.Context(), Setting{Geometry: Geometry{p256, 29, 8, 64}, Passes: 2})
	require.ErrorContains(t, err, "needs at least")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = MostAdds(ended, Setting{Geometry: Geometry{p256, 29, 9, 64}, Passes: 2})
	require.ErrorIs(t, err, context.Canceled)
}

// TestWriteSizes: in each row, one addition more than the largest number lacks a proof.
func TestWriteSizes(t *testing.T) {
	m, _ := NamedModulus("p256")
	var b strings.Builder
	require.NoError(t, WriteSizes(t.Context(), &b, m))
	rows := strings.Split(strings.TrimSpace(b.String()), "\n")[1:]
	require.Len(t, rows, 3*(31-20+1))
	for i, row := range rows {
		if i%nightly.Pick(5, 1, 1) > 0 {
			continue
		}
		bits, passes := 20+i/3, []string{"1", "1+top", "2"}[i%3]
		reduction, err := ParseReduction(passes)
		require.NoError(t, err)
		s, err := NewSetting(m, Size{Bits: bits}, 0, reduction)
		require.NoError(t, err)
		n, most, margin := s.Limbs, "none", ""
		for r := (&Result{Verdict: ProvedSafe}); r.Verdict == ProvedSafe; s.MaxAdds++ {
			r, err = Headroom(t.Context(), s, Search{Pairs: 1})
			require.NoError(t, err)
			if r.Verdict == ProvedSafe {
				most, margin = fmt.Sprint(s.MaxAdds), fmt.Sprintf("%.3g", r.Margin(r.Peak.Size))
			}
		}
		want := fmt.Sprintf("%dx%d %d %d %s %s %s", n, bits, n*n, n*(n+1)/2, passes, most, margin)
		require.Equal(t, strings.Fields(want), strings.Fields(row))
	}
}

// TestWriteSettings: each row is of its setting, and is safe up to the most additions with a proof.
func TestWriteSettings(t *testing.T) {
	m, _ := NamedModulus("p256")
	var b strings.Builder
	require.NoError(t, WriteSettings(t.Context(), &b, m, time.Nanosecond, Search{Pairs: 1}))
	rows := strings.Split(strings.TrimSpace(b.String()), "\n")[1:]
	require.Len(t, rows, 3*2*6)
	for i, row := range rows {
		size, passes, adds := []Size{{10, 26}, {10, 28}, {9, 29}}[i/12], i/6%2+1, i%6
		s := Setting{Geometry: Geometry{m, size.Bits, size.Limbs, 64}, Passes: passes}
		most, err := MostAdds(t.Context(), s)
		require.NoError(t, err)
		require.Equal(t, strings.Fields(fmt.Sprintf("%dx%d %d %d", size.Limbs, size.Bits, passes, adds)),
			strings.Fields(row)[:3])
		require.Equal(t, adds <= most.MaxAdds, strings.Contains(row, "proved safe"), row)
	}
}

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
