package stats_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/stats"
)

const draws = 5000

// TestQuantileIntervalsCoverAsPromised draws samples and counts how often the
// interval holds the true quantile of the uniform distribution. Ranks do not
// change under monotone maps, so the result holds for every continuous
// distribution.
func TestQuantileIntervalsCoverAsPromised(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for _, c := range []struct {
		n uint64
		q float64
	}{{500, 0.5}, {1000, 0.9}, {4000, 0.95}, {5000, 0.99}} {
		l, u, ok := stats.Ranks(c.n, c.q, 0.95)
		require.True(t, ok)
		holds := 0
		sample := make([]float64, c.n)
		for range draws {
			for i := range sample {
				sample[i] = random.Float64()
			}
			below := uint64(0)
			for _, v := range sample {
				if v < c.q {
					below++
				}
			}
			if below >= l && below < u { // X₍ₗ₎ < q ≤ X₍ᵤ₎
				holds++
			}
		}
		coverage := float64(holds) / draws
		require.GreaterOrEqual(t, coverage, 0.94, "%+v", c)
		require.LessOrEqual(t, coverage, 0.97, "%+v", c)
	}
}

func TestRanksAreRefusedWhereTheSampleIsTooSmall(t *testing.T) {
	for q, least := range map[float64]uint64{0.5: 6, 0.9: 36, 0.95: 72, 0.99: 368, 0.999: 3688, 0.9999: 36887} {
		_, u, ok := stats.Ranks(least, q, 0.95)
		require.True(t, ok, "%v of %d", q, least)
		require.LessOrEqual(t, u, least)
		_, _, ok = stats.Ranks(least-1, q, 0.95)
		require.False(t, ok, "%v of %d", q, least-1)
	}
	_, _, ok := stats.Ranks(0, 0.5, 0.95)
	require.False(t, ok)
}

// TestRanksOfLargeSamplesAgreeWithExactOnes compares the exact and the
// approximate branch where they meet.
func TestRanksOfLargeSamplesAgreeWithExactOnes(t *testing.T) {
	exactL, exactU, _ := stats.Ranks(40_000, 0.5, 0.95)
	l, u, _ := stats.Ranks(40_100, 0.5, 0.95)
	require.InDelta(t, float64(exactL)+50, float64(l), 3)
	require.InDelta(t, float64(exactU)+50, float64(u), 3)
	l, u, ok := stats.Ranks(1e9, 0.9999, 0.95)
	require.True(t, ok)
	require.InDelta(t, 1e9*0.9999, float64(l+u)/2, 100)
}

// ar1 returns an AR(1) series with coefficient φ around 10.
func ar1(random *rand.Rand, n int, phi float64) []float64 {
	xs := make([]float64, n)
	x := random.NormFloat64()
	for i := range xs {
		x = phi*x + math.Sqrt(1-phi*phi)*random.NormFloat64()
		xs[i] = 10 + x
	}
	return xs
}

func clusters(xs []float64, size int) (cs []stats.Cluster) {
	for chunk := range slices.Chunk(xs, size) {
		c := stats.Cluster{N: float64(len(chunk))}
		for _, x := range chunk {
			c.Sum += x
		}
		cs = append(cs, c)
	}
	return cs
}

// TestIntervalsAccountForAutocorrelation uses an AR(1) series, for which the
// interval for independent values fails.
func TestIntervalsAccountForAutocorrelation(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	const n, phi, trials = 4000, 0.9, 1000
	naive, batches, median, naiveMedian := 0, 0, 0, 0
	for range trials {
		xs := ar1(random, n, phi)
		cs := clusters(xs, n/100)
		mean, i, ok := stats.Mean(cs, 0.95)
		require.True(t, ok)
		if i.Holds(10) {
			batches++
		}
		if math.Abs(mean-10) < 1.96/math.Sqrt(n) {
			naive++
		}
		effective := stats.MemoryOf(cs, 1).Effective(n, 0.95)
		sorted := slices.Sorted(slices.Values(xs))
		if holdsMedian(sorted, effective) {
			median++
		}
		if holdsMedian(sorted, n) {
			naiveMedian++
		}
	}
	require.Less(t, float64(naive)/trials, 0.6, "the naive interval of the mean should fail")
	require.Less(t, float64(naiveMedian)/trials, 0.75, "the naive interval of the median should fail")
	require.GreaterOrEqual(t, float64(batches)/trials, 0.90)
	require.GreaterOrEqual(t, float64(median)/trials, 0.90)
}

func holdsMedian(sorted []float64, effective float64) bool {
	l, u, ok := stats.Ranks(uint64(effective), 0.5, 0.95)
	scale := float64(len(sorted)) / math.Floor(effective)
	low, high := int(float64(l)*scale), min(len(sorted), int(math.Ceil(float64(u)*scale)))
	return ok && sorted[low-1] <= 10 && 10 <= sorted[high-1]
}

func TestIndependentValuesAreRarelyInflated(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	inflated, tripled := 0, 0
	for range 1000 {
		m := stats.MemoryOf(clusters(ar1(random, 2000, 0), 20), 1)
		if m.Inflation > 1 {
			inflated++
			require.Positive(t, m.Freedom)
		}
		if m.Inflation > 3 {
			tripled++
		}
	}
	require.Less(t, inflated, 400, "20 %% of 1000 are expected, and most of the 20 %% that look correlated at one of two scales")
	require.Less(t, tripled, 30)
	require.Equal(t, stats.Memory{Inflation: 1}, stats.MemoryOf(nil, 1))
}

// TestIntervalsSurviveEarlyStopping stops as soon as the interval is within
// ±5 %, as a run with a precision does. The sample must not be much larger than
// the (1.96/0.05)² values that suffice if the variance, 1, is known.
func TestIntervalsSurviveEarlyStopping(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	const trials = 2000
	held, total := 0, 0
	for range trials {
		var xs []float64
		for n := 100.0; ; n = stats.NextStop(n) {
			for len(xs) < int(n) {
				xs = append(xs, random.ExpFloat64())
			}
			mean, i, _ := stats.Mean(clusters(xs, max(1, len(xs)/100)), stats.StopConfidence(0.95))
			if (i.High-i.Low)/2 <= 0.05*mean {
				if i.Holds(1) {
					held++
				}
				break
			}
		}
		total += len(xs)
	}
	require.GreaterOrEqual(t, float64(held)/trials, 0.94)
	require.LessOrEqual(t, float64(total)/trials, 2*math.Pow(1.96/0.05, 2))
	t.Logf("held %.1f %%, %.2f times the sample", 100*float64(held)/trials, float64(total)/trials/math.Pow(1.96/0.05, 2))
}

func TestMeanOfUnequalClusters(t *testing.T) {
	var cs []stats.Cluster
	for i := range 100 {
		n := float64(i%5 + 1)
		cs = append(cs, stats.Cluster{N: n, Sum: 3 * n}, stats.Cluster{})
	}
	mean, i, ok := stats.Mean(cs, 0.95)
	require.True(t, ok)
	require.InDelta(t, 3, mean, 1e-12)
	require.InDelta(t, 0, i.High-i.Low, 1e-9)
	_, _, ok = stats.Mean(cs[:7], 0.95)
	require.False(t, ok)
}

// TestRanksOfHugeSamples: the normal approximation serves where a sum of binomial
// probabilities has no end in sight.
func TestRanksOfHugeSamples(t *testing.T) {
	const n = 1 << 40
	for q, want := range map[float64][2]uint64{0.5: {549754786302, 549756841475}, 0.9: {989559848447, 989561081551}} {
		l, u, ok := stats.Ranks(n, q, 0.95)
		require.True(t, ok)
		require.Equal(t, want, [2]uint64{l, u})
	}
}
