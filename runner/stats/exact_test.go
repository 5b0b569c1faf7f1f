package stats_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/stats"
)

// Expected values of this file were computed from the definitions in the cited papers
// by a separate program; quantiles are those of published tables.

// drawn returns n values from 0 to 6 of a linear congruential generator.
func drawn(seed, n int) (values []float64) {
	for range n {
		seed = (seed*1103515245 + 12345) % (1 << 31)
		values = append(values, float64((seed>>16)%7))
	}
	return values
}

// pairs returns clusters of two values with sums from 20 to 26.
func pairs(seed, n int) (cs []stats.Cluster) {
	for _, v := range drawn(seed, n) {
		cs = append(cs, stats.Cluster{N: 2, Sum: 20 + v})
	}
	return cs
}

func patterned(n int, of func(i int) stats.Cluster) (cs []stats.Cluster) {
	for i := range n {
		cs = append(cs, of(i))
	}
	return cs
}

// TestLugsail: the mean and the interval of clusters of each kind: independent ones with
// more and with less variance in short batches, and correlated ones on either scale, just
// above and just below the 10 % level.
func TestLugsail(t *testing.T) {
	for _, c := range []struct {
		name            string
		cs              []stats.Cluster
		mean, low, high float64
		freedom         int
	}{
		{"less variance in short batches", pairs(89, 64), 11.640625, 11.311946472711337, 11.978853570206674, 31},
		{"batches of unequal length", pairs(5, 45), 34. / 3, 11.023232727625347, 11.652157549259535, 31},
		{"one batch of two", pairs(9, 33), 11.393939393939394, 11.04218355099895, 11.756900644983345, 31},
		{"more variance in short batches", patterned(64, func(i int) stats.Cluster {
			n := 1 + i%3
			return stats.Cluster{N: float64(n), Sum: float64(10*n + []int{3, -3, -2, 2, 1, -1}[i*i%6]*(1+i%2))}
		}), 9.779527559055119, 9.39028369292463, 10.184906271828671, 31},
		{"clusters alternate", patterned(64, func(i int) stats.Cluster {
			return stats.Cluster{N: 2, Sum: float64(20 + []int{3, 3, -3, -3}[i%4]*[]int{1, -1}[i/4%2])}
		}), 10, 9.753162108749411, 10.253084987718141, 9},
		{"a long memory", patterned(60, func(i int) stats.Cluster {
			return stats.Cluster{N: 1, Sum: float64(10 + []int{1, -1}[i/12%2]*3 + []int{0, 1, -1}[i%3])}
		}), 10.6, 8.081153423250425, 13.90395579877584, 9},
		{"clusters below the level", pairs(814, 64), 11.6875, 11.345201063744037, 12.040126524202941, 31},
		{"clusters above the level", pairs(657, 64), 11.53125, 11.103769111702338, 11.97518835494898, 9},
		{"batches below the level", pairs(77, 64), 11.3984375, 11.136917961831175, 11.666098097039729, 31},
		{"batches above the level", pairs(26, 64), 11.6328125, 11.128018299641559, 12.160505403241032, 9},
		{"correlated, with more variance in short batches", pairs(50, 64), 11.625, 11.385151678749326, 11.869901149603779, 9},
		{"eight clusters", patterned(8, func(i int) stats.Cluster {
			return stats.Cluster{N: 1, Sum: float64(10 + []int{1, -1, 2, -2, -1, 1, -2, 2}[i])}
		}), 10, 8.682172325171464, 11.517854778127212, 7},
	} {
		mean, i, ok := stats.Mean(c.cs, 0.95)
		require.True(t, ok, c.name)
		require.InEpsilon(t, c.mean, mean, 1e-12, c.name)
		require.InEpsilon(t, c.low, i.Low, 1e-8, c.name)
		require.InEpsilon(t, c.high, i.High, 1e-8, c.name)
		require.Equal(t, c.freedom, stats.MemoryOf(c.cs, 1e-6).Freedom, c.name)

		var spaced []stats.Cluster // empty clusters do not count
		for _, full := range c.cs {
			spaced = append(spaced, stats.Cluster{}, full)
		}
		again, same, _ := stats.Mean(spaced, 0.95)
		require.Equal(t, mean, again, c.name)
		require.Equal(t, i, same, c.name)
	}
}

// TestFewClusters: fewer than eight clusters have a mean and no interval, and a mean that
// is not positive has no interval around it.
func TestFewClusters(t *testing.T) {
	for n := range 8 {
		cs := pairs(1, n)
		_, i, ok := stats.Mean(cs, 0.95)
		require.False(t, ok, n)
		require.Zero(t, i)
		require.Equal(t, stats.Memory{Inflation: 1}, stats.MemoryOf(cs, 1e-6))
	}
	mean, _, _ := stats.Mean(pairs(1, 2), 0.95)
	require.Positive(t, mean)
	zero, i, ok := stats.Mean(make([]stats.Cluster, 9), 0.95)
	require.False(t, ok)
	require.Zero(t, zero)
	require.Zero(t, i)
	zeros := patterned(9, func(int) stats.Cluster { return stats.Cluster{N: 1} })
	zero, i, ok = stats.Mean(zeros, 0.95)
	require.True(t, ok)
	require.Zero(t, zero)
	require.Zero(t, i)
}

// TestLimitOfMemory: a series is not independent if its clusters vary more than the 80th
// percentile of χ² over its degrees of freedom.
func TestLimitOfMemory(t *testing.T) {
	for seed, c := range map[int]struct {
		variance, limit float64 // of the mean; by Wilson and Hilferty
		freedom         int
	}{89: {0.02672383532546083, 1.204852020826484, 31}, 657: {0.03708020937397105, 1.3586195478500984, 9}} {
		cs := pairs(seed, 64)
		at := c.variance * 128 / c.limit // the variance of values at the limit
		require.Equal(t, stats.Memory{Inflation: 1}, stats.MemoryOf(cs, at*1.0001))
		m := stats.MemoryOf(cs, at*0.9999)
		require.Equal(t, c.freedom, m.Freedom)
		require.InEpsilon(t, c.limit/0.9999, m.Inflation, 1e-7)
		for _, variance := range []float64{0, -1} {
			require.Equal(t, stats.Memory{Inflation: 1}, stats.MemoryOf(cs, variance))
		}
	}
}

// TestEffectiveNumbers: the square of the ratio of the quantiles of Student's t and the
// normal distribution is taken off.
func TestEffectiveNumbers(t *testing.T) {
	require.Equal(t, 500.0, stats.Memory{Inflation: 1}.Effective(500, 0.95))
	require.Equal(t, 500.0, stats.Memory{Inflation: 3}.Effective(500, 0.95))
	require.InEpsilon(t, 1000./4*math.Pow(1.959963985/2.262157163, 2), stats.Memory{Inflation: 4, Freedom: 9}.Effective(1000, 0.95), 1e-8)
	require.InEpsilon(t, 1000./2*math.Pow(2.575829304/2.744041919, 2), stats.Memory{Inflation: 2, Freedom: 31}.Effective(1000, 0.99), 1e-8)
}

// TestTrendExactly: the score is (S ∓ 1)/√(n(n-1)(2n+5)/18), and 0 for S = 0 and S = ±1.
func TestTrendExactly(t *testing.T) {
	for _, c := range []struct {
		xs   []float64
		want float64
	}{
		{[]float64{1, 2, 3}, 0},
		{[]float64{1, 2, 3, 4}, 5 / math.Sqrt(26./3)},
		{[]float64{4, 3, 2, 1}, -5 / math.Sqrt(26./3)},
		{[]float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 44 / math.Sqrt(125)},
		{[]float64{1, 1, 1, 1}, 0},
		{[]float64{1, 1, 1, 2}, 2 / math.Sqrt(26./3)},
		{[]float64{1, 2, 2, 2}, 2 / math.Sqrt(26./3)},
		{[]float64{2, 1, 2, 2}, 0},
		{[]float64{1, 2, 1, 1}, 0},
		{[]float64{1, 3, 4, 4, 2, 1, 3, 6, 8, 7, 5, 6}, 2.125748992103599},
	} {
		require.InDelta(t, c.want, stats.Trend(c.xs), 1e-12, "%v", c.xs)
	}
}

// TestCorrelatedTrendExactly: the score is reduced by √((1-r)/(1+r)) for the correlation
// r of neighbours without their straight line, if r is positive.
func TestCorrelatedTrendExactly(t *testing.T) {
	require.InDelta(t, 1.3005591584458986, stats.CorrelatedTrend([]float64{1, 3, 4, 4, 2, 1, 3, 6, 8, 7, 5, 6}), 1e-12)
	require.InDelta(t, 1.8557687223952255, stats.CorrelatedTrend([]float64{1, 5, 2, 6, 3, 7, 4, 8}), 1e-12, "r is negative")
	line := []float64{1, 2, 3, 4, 5, 6}
	require.Equal(t, stats.Trend(line), stats.CorrelatedTrend(line), "no rest")
	require.Zero(t, stats.CorrelatedTrend([]float64{1, 2}))
	require.Zero(t, stats.CorrelatedTrend([]float64{1}))
}

// TestHillExactly: the threshold is the value of rank k + 1, where values with a weight
// count as often.
func TestHillExactly(t *testing.T) {
	single := []stats.Weighted{{16, 1}, {8, 1}, {4, 1}, {2, 1}}
	double := []stats.Weighted{{16, 2}, {8, 2}, {4, 2}}
	for _, c := range []struct {
		values []stats.Weighted
		k      float64
		want   float64 // times log 2
	}{
		{single, 1, 1}, {single, 2, 2. / 3}, {single, 3, 3. / 6},
		{double, 1, math.Inf(1)}, {double, 2, 2. / 2}, {double, 3, 3. / 2}, {double, 4, 4. / 6}, {double, 5, 5. / 6},
	} {
		require.InDelta(t, c.want/math.Ln2, stats.TailIndex(c.values, c.k), 1e-12, "%v of %v", c.k, c.values)
	}
	require.True(t, math.IsNaN(stats.TailIndex(single, 4)))
	require.True(t, math.IsNaN(stats.TailIndex(double, 6)))
	require.True(t, math.IsNaN(stats.TailIndex(nil, 0)))
}

// TestSkewnessExactly: 0, 0, 0, 4 has mean 1, variance 3 and third moment 6.
func TestSkewnessExactly(t *testing.T) {
	require.InDelta(t, 6/math.Pow(3, 1.5), stats.Skewness([]stats.Weighted{{4, 1}, {0, 3}}), 1e-12)
	require.InDelta(t, -6/math.Pow(3, 1.5), stats.Skewness([]stats.Weighted{{4, 3}, {0, 1}}), 1e-12)
}

// TestLooks: the errors of all looks add up to that of one.
func TestLooks(t *testing.T) {
	sum := 0.0
	for look := 1; look <= 1000; look++ {
		sum += 1 - stats.LookConfidence(look, 0.95)
	}
	require.InDelta(t, 0.05*1000/1001, sum, 1e-12)
	require.InDelta(t, 0.975, stats.LookConfidence(1, 0.95), 1e-12)
	require.InDelta(t, 0.97, stats.StopConfidence(0.95), 1e-12)
	require.InDelta(t, 130, stats.NextLook(100), 1e-9)
	require.InDelta(t, 110, stats.NextStop(100), 1e-9)
}

// TestKnownBounds: ranks and bounds of published tables.
func TestKnownBounds(t *testing.T) {
	for n, want := range map[uint64][2]uint64{6: {1, 6}, 9: {2, 8}, 10: {2, 9}, 20: {6, 15}, 50: {18, 33}, 100: {40, 61}} {
		l, u, ok := stats.Ranks(n, 0.5, 0.95)
		require.True(t, ok)
		require.Equal(t, want, [2]uint64{l, u}, n)
	}
	for _, q := range []float64{0.1, 0.25, 0.4} { // both ends of the sample
		l, u, ok := stats.Ranks(200, q, 0.95)
		require.True(t, ok)
		low, high, ok := stats.Ranks(200, 1-q, 0.95)
		require.True(t, ok)
		require.Equal(t, [2]uint64{201 - u, 201 - l}, [2]uint64{low, high})
		enclosed := 0.0
		for k := l; k < u; k++ {
			enclosed += binomial(200, k, q)
		}
		require.GreaterOrEqual(t, enclosed, 0.95)
		require.Less(t, enclosed-binomial(200, l, q), 0.975)
	}
	for _, q := range []float64{0, 1, -1, 2} {
		_, _, ok := stats.Ranks(1000, q, 0.95)
		require.False(t, ok)
	}
	for _, c := range []struct{ k, n, low, high float64 }{
		{0, 10, 0, 1 - math.Pow(0.05, 0.1)}, {10, 10, math.Pow(0.05, 0.1), 1},
		{5, 10, 0.22244, 0.77756}, {1, 20, 0.00256, 0.21611},
	} {
		i := stats.ShareBounds(c.k, c.n, 0.95)
		require.InDelta(t, c.low, i.Low, 1e-5, "%+v", c)
		require.InDelta(t, c.high, i.High, 1e-5, "%+v", c)
	}
}

func binomial(n, k uint64, p float64) float64 {
	c := 1.0
	for i := range k {
		c = c * float64(n-i) / float64(i+1)
	}
	return c * math.Pow(p, float64(k)) * math.Pow(1-p, float64(n-k))
}

// TestSteadyExactly: the cut leaves at least half of a series, and the rest has no trend.
func TestSteadyExactly(t *testing.T) {
	alternating := []float64{1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2}
	for cut := range 9 {
		series := append([]float64(nil), alternating...)
		for i := range cut {
			series[i] = 50 + float64(i)
		}
		got, ok := stats.Steady(series)
		if cut < len(series)/2 {
			require.True(t, ok, cut)
			require.Equal(t, cut, got)
			continue
		}
		require.False(t, ok, cut)
	}
	_, ok := stats.Steady(alternating[:10])
	require.True(t, ok)
	_, ok = stats.Steady(alternating[:9])
	require.False(t, ok)
	rising := make([]float64, 12)
	for i := range rising {
		rising[i] = float64(i)
	}
	_, ok = stats.Steady(rising)
	require.False(t, ok)
	for i := range rising {
		rising[i] = float64(-i)
	}
	_, ok = stats.Steady(rising)
	require.False(t, ok)
}

// TestStartUpExactly: a start counts if its mean is four standard errors away from the
// mean of the rest, and if it is at most a third.
func TestStartUpExactly(t *testing.T) {
	const mean, far = 11.708333333333334, 1.8590784920239847
	for by, want := range map[float64]int{far - 0.001: 0, far + 0.001: 6, -far + 0.001: 0, -far - 0.001: 6} {
		cs := patterned(6, func(int) stats.Cluster { return stats.Cluster{N: 2, Sum: 2 * (mean + by)} })
		require.Equal(t, want, stats.StartUp(append(cs, pairs(814, 60)...)), "%v", by)
	}
	for cut, want := range map[int]int{1: 1, 10: 10, 11: 0, 12: 0} {
		cs := patterned(cut, func(int) stats.Cluster { return stats.Cluster{N: 2, Sum: 200} })
		rest := patterned(30-cut, func(i int) stats.Cluster { return stats.Cluster{N: 2, Sum: float64(22 + i%2)} })
		require.Equal(t, want, stats.StartUp(append(cs, rest...)), fmt.Sprint(cut))
	}
	require.Zero(t, stats.StartUp(pairs(814, 60)))
	require.Zero(t, stats.StartUp(nil))
	high := patterned(3, func(int) stats.Cluster { return stats.Cluster{N: 2, Sum: 200} })
	require.Zero(t, stats.StartUp(append(high, pairs(814, 7)...)), "seven clusters have no variance")
	require.Equal(t, 3, stats.StartUp(append(high, pairs(814, 8)...)))
}
