package history

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

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

// TestFalseAlarms checks that at most 1 % of histories of 100 revisions without
// a change raise an alarm. With few draws, more than 1 % may do so by chance.
func TestFalseAlarms(t *testing.T) {
	draws, most := 2000, 20
	if testing.Short() {
		draws, most = 200, 5
	}
	for _, noise := range noises {
		t.Run(noise.name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(1, 2))
			alarms := 0
			for range draws {
				if len(shifts(draw(r, 100, 100, 0, noise.draw), 0)) > 0 {
					alarms++
				}
			}
			t.Logf("%-24s %.2f %% of histories have a false alarm", noise.name, 100*float64(alarms)/float64(draws))
			require.LessOrEqual(t, alarms, most)
		})
	}
}

// TestPlantedStepIsFoundWithinTwoRevisions plants a step up or down of 15 times
// the noise: 15 % where revisions differ by 1 %.
func TestPlantedStepIsFoundWithinTwoRevisions(t *testing.T) {
	const draws, at = 1000, 38
	r := rand.New(rand.NewPCG(1, 2))
	for _, noise := range noises {
		found := 0
		for i := range draws {
			for _, c := range shifts(draw(r, at+2, at, 15*float64(1-2*(i%2)), noise.draw), 0) {
				if c.At >= at-2 && c.At <= at && c.Alarm >= at {
					found++
					break
				}
			}
		}
		t.Logf("%-24s %.1f %% are found", noise.name, 100*float64(found)/draws)
		require.Greater(t, found, 970*draws/1000, noise.name)
	}
}

// TestSmallerStepsTakeLonger plants six times the noise, which takes several
// revisions.
func TestSmallerStepsTakeLonger(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	found := 0
	for range 300 {
		if cs := shifts(draw(r, 55, 45, 6, (*rand.Rand).NormFloat64), 0); len(cs) > 0 && cs[0].At >= 44 && cs[0].At <= 48 {
			found++
		}
	}
	require.Greater(t, found, 280)
}

func TestHistoryDoesNotChangeItsMind(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
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

func TestOneOutlierIsNoChange(t *testing.T) {
	ys := draw(rand.New(rand.NewPCG(1, 2)), 60, 60, 0, (*rand.Rand).Float64)
	ys[40] = 1e9
	require.Empty(t, shifts(ys, 0))
}

func TestStepsOfExactValues(t *testing.T) {
	require.Equal(t, []Change{{2, 2, 7, 8}, {3, 3, 8, 7}}, steps([]float64{7, 7, 8, 7}))
	require.Empty(t, steps(nil))
}

func TestEqualValuesHaveNoise(t *testing.T) {
	same := make([]float64, 60)
	for i := range same {
		same[i] = 1000
	}
	same[58], same[59] = 1001, 1001
	require.Empty(t, shifts(same, minNoise))
	same[58], same[59] = 1010, 1010
	require.Len(t, shifts(same, minNoise), 1)
}

// TestYoungHistories: among the first 20 revisions, which differ by 1 %, a step of 5 % is
// found, and so are, mostly, 21 revisions that each add 0.5 %.
func TestYoungHistories(t *testing.T) {
	const draws = 300
	r := rand.New(rand.NewPCG(5, 6))
	for _, at := range []int{5, 10, 14} {
		found := 0
		for range draws {
			cs := shifts(draw(r, 20, at, 5, (*rand.Rand).NormFloat64), minNoise)
			if len(cs) == 1 && cs[0].At >= at-1 && cs[0].At <= at+1 && cs[0].Alarm < 20 {
				found++
			}
		}
		t.Logf("step at %d: %d of %d", at, found, draws)
		require.GreaterOrEqual(t, found, draws*95/100, at)
	}
	found := 0
	for range draws {
		ys := draw(r, 21, 21, 0, (*rand.Rand).NormFloat64)
		for i := range ys {
			ys[i] *= math.Pow(1.005, float64(i))
		}
		if cs := shifts(ys, minNoise); len(cs) > 0 && cs[0].After > cs[0].Before {
			found++
		}
	}
	t.Logf("drift: %d of %d", found, draws)
	require.GreaterOrEqual(t, found, draws*70/100)
	require.Empty(t, shifts([]float64{1, 1, 1, 1, 1, 1, 1, 1}, minNoise))
	require.Len(t, shifts([]float64{1, 1, 1, 2, 2, 2}, minNoise), 1)
}
