package history // shifts is private: thousands of histories are simulated without a file

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/aclements/go-moremath/stats"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

// noises are distributions of the differences between revisions without a
// change.
var noises = []struct {
	name string
	draw func(*rand.Rand) float64
}{
	{"normal", (*rand.Rand).NormFloat64},
	{"uniform", (*rand.Rand).Float64},
	{"exponential", (*rand.Rand).ExpFloat64},
	{"log-normal", func(r *rand.Rand) float64 { return math.Exp(0.5 * r.NormFloat64()) }},
	{"Laplace", func(r *rand.Rand) float64 { return r.ExpFloat64() - r.ExpFloat64() }},
	{"Student's t, 3 degrees", func(r *rand.Rand) float64 {
		sum := 0.0
		for range 3 {
			x := r.NormFloat64()
			sum += x * x
		}
		return r.NormFloat64() / math.Sqrt(sum/3)
	}},
	{"normal, 1 % outliers", func(r *rand.Rand) float64 {
		if r.Float64() < 0.01 {
			return 20 + 5*r.NormFloat64()
		}
		return r.NormFloat64()
	}},
}

// draw returns n revisions at level 100, shifted by more from index at on.
func draw(r *rand.Rand, n, at int, more float64, noise func(*rand.Rand) float64) []float64 {
	ys := make([]float64, n)
	for i := range ys {
		ys[i] = 100 + noise(r)
		if i >= at {
			ys[i] += more
		}
	}
	return ys
}

// sequences are histories without a change whose revisions depend on each other, or take
// few values.
var sequences = []struct {
	name string
	most float64 // share of histories with an alarm
	draw func(r *rand.Rand, n int) []float64
}{
	{"correlated by 0.5", 0.02, correlated(0.5)},
	{"correlated by 0.8", 0.02, correlated(0.8)},
	{"two states, half", 0.02, twoStates(0.5, 8)},
	{"two states, 1 of 5", 0.02, twoStates(0.2, 8)},
	{"two far states, 1 of 20", 0.02, twoStates(0.05, 30)},
	{"61 or 62 bytes, half", 0.02, flickering(0.5)},
	{"61 or 62 bytes, 1 of 20", 0.02, flickering(0.05)},
}

func correlated(by float64) func(*rand.Rand, int) []float64 {
	return func(r *rand.Rand, n int) []float64 {
		ys, x := make([]float64, n), r.NormFloat64()
		for i := range ys {
			ys[i] = 1000 + 10*x
			x = by*x + math.Sqrt(1-by*by)*r.NormFloat64()
		}
		return ys
	}
}

func twoStates(share, apart float64) func(*rand.Rand, int) []float64 {
	return func(r *rand.Rand, n int) []float64 {
		return draw(r, n, n, 0, func(r *rand.Rand) float64 {
			if r.Float64() < share {
				return apart + r.NormFloat64()
			}
			return r.NormFloat64()
		})
	}
}

func flickering(share float64) func(*rand.Rand, int) []float64 {
	return func(r *rand.Rand, n int) []float64 {
		ys := make([]float64, n)
		for i := range ys {
			ys[i] = 61
			if r.Float64() < share {
				ys[i]++
			}
		}
		return ys
	}
}

// TestFalseAlarms checks that at most 2 % of histories of 100 revisions without a change
// raise an alarm. With few draws, more may do so by chance.
func TestFalseAlarms(t *testing.T) {
	draws := nightly.Pick(40, 60, 2000)
	all := slices.Clone(sequences)
	for _, noise := range noises {
		all = append(all, struct {
			name string
			most float64
			draw func(*rand.Rand, int) []float64
		}{noise.name, 0.02, func(r *rand.Rand, n int) []float64 { return draw(r, n, n, 0, noise.draw) }})
	}
	for _, c := range all {
		t.Run(c.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			alarms := 0
			for range draws {
				if len(shifts(c.draw(r, 100), minNoise)) > 0 {
					alarms++
				}
			}
			t.Logf("seed 1, 2: %d of %d histories have a false alarm", alarms, draws)
			chance := 3 * math.Sqrt(c.most*float64(draws))
			require.LessOrEqual(t, float64(alarms), c.most*float64(draws)+chance)
		})
	}
}

// TestStepsAreFound plants steps up and down, in standard deviations, near their place: small
// ones after many revisions, one of 8 among the first 20, and of 15 within three revisions by
// any noise.
func TestStepsAreFound(t *testing.T) {
	draws := nightly.Pick(100, 200, 1000)
	type plan struct {
		name        string
		noise       func(*rand.Rand) float64
		step        float64
		at, after   int
		early, late int // most revisions before and behind the place
		least       float64
		alone       bool // without another change
	}
	normal := noises[0].draw
	plans := []plan{
		{"small", normal, 3, 20, 20, 4, 4, 0.95, true}, {"larger", normal, 5, 20, 10, 4, 4, 0.9, true},
		{"soon", normal, 8, 20, 6, 4, 4, 0.9, true}, {"young, 8", normal, 8, 8, 12, 1, 1, 0.6, true},
		{"young, 10", normal, 8, 10, 10, 1, 1, 0.6, true}, {"young, 12", normal, 8, 12, 8, 1, 1, 0.6, true},
	}
	for _, noise := range noises {
		plans = append(plans, plan{noise.name, noise.draw, 15, 38, 3, 2, 0, 0.92, false})
	}
	for _, p := range plans {
		t.Run(p.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(3, 4))
			found := 0
			for i := range draws {
				step := p.step * float64(1-2*(i%2))
				cs := shifts(draw(r, p.at+p.after, p.at, step, p.noise), minNoise)
				near := slices.ContainsFunc(cs, func(c Change) bool {
					return c.At >= p.at-p.early && c.At <= p.at+p.late && c.Alarm >= p.at
				})
				if near && (len(cs) == 1 || !p.alone) {
					found++
				}
			}
			t.Logf("seed 3, 4: %d of %d", found, draws)
			require.GreaterOrEqual(t, float64(found), p.least*float64(draws))
		})
	}
}

func TestHistoryDoesNotChangeItsMind(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range nightly.Pick(15, 50, 50) {
		ys := draw(r, 80, 40, 20, (*rand.Rand).NormFloat64)
		all := shifts(ys, 0)
		require.NotEmpty(t, all)
		for n := range ys {
			for i, c := range shifts(ys[:n], 0) {
				require.Equal(t, all[i], c)
			}
		}
	}
}

// TestNoiseOfEachSide: the noise above the level is that below the level of the opposite values.
func TestNoiseOfEachSide(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, noise := range noises {
		ys := draw(r, 30, 30, 0, noise.draw)
		opposite := make([]float64, len(ys))
		for i, y := range ys {
			opposite[i] = -y
		}
		s, o := standardOf(ys, 0), standardOf(opposite, 0)
		require.InDelta(t, s.above, o.below, 1e-9, noise.name)
		require.InDelta(t, s.below, o.above, 1e-9, noise.name)
	}
}

// TestNormalScore: the score has the tail of Student's distribution.
func TestNormalScore(t *testing.T) {
	for free := 5.0; free < 60; free++ {
		for score := 1.0; score < 6; score++ {
			want := stats.InvCDF(stats.StdNormal)(stats.TDist{V: free}.CDF(score))
			require.InDelta(t, want, normalScore(score, free), 0.02, "%v of %v degrees", score, free)
		}
	}
}

func TestOneOutlierIsNoChange(t *testing.T) {
	ys := draw(rand.New(rand.NewPCG(1, 2)), 60, 60, 0, (*rand.Rand).Float64)
	ys[40] = 1e9
	require.Empty(t, shifts(ys, 0))
}

func TestEqualValuesHaveNoise(t *testing.T) {
	same := make([]float64, 60)
	for i := range same {
		same[i] = 1000.5
	}
	last := func(y float64) []float64 {
		ys := slices.Clone(same)
		ys[57], ys[58], ys[59] = y, y, y
		return ys
	}
	require.Empty(t, shifts(same[:30], minNoise))
	require.Empty(t, shifts(last(1001.5), minNoise))
	require.Empty(t, shifts(last(999.5), minNoise))
	require.Len(t, shifts(last(1010.5), minNoise), 1)
}
