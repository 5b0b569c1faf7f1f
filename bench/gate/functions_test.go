package gate // grown and owners are private: a trial measures the profiles

import (
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/flame"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/nightly"
)

// sampled draws samples of functions by their shares of 400 samples. The number of a function is
// normal with the deviation of rare events.
func sampled(rng *rand.Rand, shares map[string]float64) flame.Stacks {
	s := flame.Stacks{}
	for _, stack := range slices.Sorted(maps.Keys(shares)) {
		mean := 400 * shares[stack]
		if n := math.Round(mean + math.Sqrt(mean)*rng.NormFloat64()); n > 0 {
			s[stack] = int64(n)
		}
	}
	return s
}

// TestFunctionOfAFault: a new function that takes 5 % or more is named first in at least
// 95 of 100 pairs of profiles, and no function is named for equal code.
func TestFunctionOfAFault(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	equal := map[string]float64{"main;p.a;runtime.mallocgc": 0.1, "runtime.gcBgMarkWorker": 0.05}
	for i, share := range []float64{0.4, 0.2, 0.1, 0.05, 0.05, 0.03, 0.01, 0.01} {
		equal[fmt.Sprintf("main;p.f%d", i)] = share
	}
	named := 0
	for range 100 {
		p := Profiles{side: [2]flame.Stacks{sampled(rng, equal), sampled(rng, equal)}}
		if len(p.grown()) > 0 {
			named++
		}
	}
	require.LessOrEqual(t, named, 5)
	for _, fault := range []float64{0.05, 0.1, 0.3} {
		slower := map[string]float64{"main;p.f1;p.fault": fault}
		for stack, share := range equal {
			slower[stack] = share
		}
		first := 0
		for range 100 {
			p := Profiles{side: [2]flame.Stacks{sampled(rng, equal), sampled(rng, slower)}}
			if g := p.grown(); len(g) > 0 && g[0].Function == "p.fault" {
				first++
				require.InDelta(t, fault, g[0].Share, fault)
			}
			require.Positive(t, p.Difference()["main;p.f1;p.fault"])
		}
		require.GreaterOrEqual(t, first, 95, fault)
	}
	p := Profiles{side: [2]flame.Stacks{{"p.c": 1000},
		{"p.a": 20, "p.b": 80, "p.c": 1200, "p.d": 50, "p.e": 5}}}
	require.Equal(t, []Growth{{"p.b", 0.08}, {"p.d", 0.05}, {"p.a", 0.02}}, p.grown(),
		"the three most certain ones, not the largest one")
	var r Report
	for range 20 { // the last one has the profile
		r.Comparisons = append(r.Comparisons, compared("A", wallTime, Regression, 1))
	}
	r.Comparisons = append(r.Comparisons, compared("X", cpuTime, Improvement, -1))
	last, better := &r.Comparisons[len(r.Comparisons)-2], &r.Comparisons[len(r.Comparisons)-1]
	last.Key, p.Key = X, X
	r.add([]Profiles{p})
	require.Len(t, last.Grown, 3)
	require.Empty(t, better.Grown)
	require.Empty(t, r.Comparisons[0].Grown)
	require.Equal(t, map[string]int64{"p.a": 3, "runtime.x": 2},
		owners(flame.Stacks{"main;p.a;runtime.mallocgc;runtime.x": 1, "main;p.a": 2, "runtime.x": 2}))
	require.Equal(t, "more time in p.f +12 %, p.g +3 %", grownText([]Growth{{"p.f", 0.12}, {"p.g", 0.03}}))
}

const lineage = `package p

import "testing"

var sink uint64

//go:noinline
func work(n int) (x uint64) {
	for i := range n {
		x = x*6364136223846793005 + uint64(i)
	}
	return x
}

//go:noinline
func fault(n int) (x uint64) {
	for i := range n {
		x = x*6364136223846793005 + uint64(i)
	}
	return x
}

func BenchmarkX(b *testing.B) {
	for b.Loop() {
		sink += work(100_000)
		sink += fault(EXTRA)
	}
}
`

// TestFunctionIsNamed plants a fault in a separate function and measures it.
func TestFunctionIsNamed(t *testing.T) {
	if !nightly.On() {
		t.Skip("measures")
	}
	side := func(extra string) *result.Contender {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module m\n\ngo 1.24\n"), 0o600))
		text := []byte(lineage[:len(lineage)-len("EXTRA)\n\t}\n}\n")] + extra + ")\n\t}\n}\n")
		require.NoError(t, os.WriteFile(filepath.Join(dir, "p_test.go"), text, 0o600))
		built, err := result.Source{Dir: dir, Packages: []string{"."}}.Build(t.Context(), t.TempDir())
		require.NoError(t, err)
		return result.NewContender(built, result.Stream{Writer: io.Discard})
	}
	flags, err := result.ParseFlags([]string{"-bench=.", "-benchtime=50ms"})
	require.NoError(t, err)
	r, err := Trial{Base: side("0"), Head: side("20_000"), Flags: flags, Count: 10, Budget: 2 * time.Minute,
		Profile: true, Show: func(result.Progress) {}}.Run(t.Context())
	require.NoError(t, err)
	require.Equal(t, Regressed, r.Outcome())
	for _, c := range r.Comparisons {
		if c.Verdict == Regression {
			require.Equal(t, "m.fault", c.Grown[0].Function)
		}
	}
	require.Len(t, r.Profiles, 1)
}
