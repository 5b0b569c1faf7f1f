package stats_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/stats"
)

// Expected values of this file were computed from the definitions in the cited papers
// by a separate program; quantiles are from published tables.

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
		{"less variance in short batches", pairs(89, 64), 11.640625, 11.311946472711337, 11.978853570206674,
			31},
		{"batches of unequal length", pairs(5, 45), 34. / 3, 11.023232727625347, 11.652157549259535, 31},
		{"one batch of two", pairs(9, 33), 11.393939393939394, 11.04218355099895, 11.756900644983345, 31},
		{"more variance in short batches", patterned(64, func(i int) stats.Cluster {
			n := 1 + i%3
			return stats.Cluster{N: float64(n),
				Sum: float64(10*n + []int{3, -3, -2, 2, 1, -1}[i*i%6]*(1+i%2))}
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
		{"correlated, with more variance in short batches", pairs(50, 64), 11.625, 11.385151678749326,
			11.869901149603779, 9},
		{"eight clusters", patterned(8, func(i int) stats.Cluster {
			return stats.Cluster{N: 1, Sum: float64(10 + []int{1, -1, 2, -2, -1, 1, -2, 2}[i])}
		}), 10, 8.682172325171464, 11.517854778127212, 7},
	} {
		t.Run(c.name, func(t *testing.T) {
			mean, i, ok := stats.Mean(c.cs, 0.95)
			require.True(t, ok)
			require.InEpsilon(t, c.mean, mean, 1e-12)
			require.InEpsilon(t, c.low, i.Low, 1e-8)
			require.InEpsilon(t, c.high, i.High, 1e-8)
			require.Equal(t, c.freedom, stats.MemoryOf(c.cs, 1e-6).Freedom)

			var spaced []stats.Cluster // empty clusters do not count
			for _, full := range c.cs {
				spaced = append(spaced, stats.Cluster{}, full)
			}
			again, same, _ := stats.Mean(spaced, 0.95)
			require.Equal(t, mean, again)
			require.Equal(t, i, same)
		})
	}
}

// TestPersistsExactly: the ten longest batches correlate, or have a trend.
func TestPersistsExactly(t *testing.T) {
	for name, c := range map[string]struct {
		levels []float64 // of the batches
		want   bool
	}{
		"correlated, no trend": {[]float64{1, 1, 1, -1, -1, -1, -1, 1, 1, 1}, true},
		"alternating":          {[]float64{1, -1, 1, -1, 1, -1, 1, -1, 1, -1}, false},
		"trend by twos":        {[]float64{-9, -3, -8, -2, -7, 1, -6, 2, 5, 3}, true},
		"no change":            {make([]float64, 10), false},
		"seven batches":        {[]float64{1, 1, 1, 1, -1, -1, -1}, false},
	} {
		t.Run(name, func(t *testing.T) {
			size := 10 // clusters in a batch
			if len(c.levels) < 10 {
				size = 1
			}
			require.Equal(t, c.want, stats.Persists(patterned(size*len(c.levels), func(i int) stats.Cluster {
				return stats.Cluster{N: 1, Sum: 20 + c.levels[i/size]}
			})))
		})
	}
}

// TestFewClusters: fewer than eight clusters have a mean and no interval, and no interval
// is given for a mean below or at zero.
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
	below := patterned(9, func(int) stats.Cluster { return stats.Cluster{N: 1, Sum: -2} })
	mean, i, ok = stats.Mean(below, 0.95)
	require.True(t, ok)
	require.Equal(t, -2., mean)
	require.Equal(t, stats.Interval{Low: -2, High: -2}, i)
}

// TestLimitOfMemory: a series is not independent if its clusters vary more than 99.9 %
// of χ² over its degrees of freedom.
func TestLimitOfMemory(t *testing.T) {
	for seed, c := range map[int]struct {
		variance, limit float64 // of the mean; by Wilson and Hilferty
		freedom         int
	}{89: {0.02672383532546083, 1.974160089526757, 31}, 657: {0.03708020937397105, 3.117842378208541, 9}} {
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
	require.InEpsilon(t, 1000./4*math.Pow(1.959963985/2.262157163, 2),
		stats.Memory{Inflation: 4, Freedom: 9}.Effective(1000, 0.95), 1e-8)
	require.InEpsilon(t, 1000./2*math.Pow(2.575829304/2.744041919, 2),
		stats.Memory{Inflation: 2, Freedom: 31}.Effective(1000, 0.99), 1e-8)
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
		t.Run(fmt.Sprint(c.xs), func(t *testing.T) {
			require.InDelta(t, c.want, stats.Trend(c.xs), 1e-12)
		})
	}
}

// TestCorrelatedTrendExactly: the score is reduced by √((1-r)/(1+r)) for the correlation
// r of neighbours without their straight line, if r is positive.
func TestCorrelatedTrendExactly(t *testing.T) {
	require.InDelta(t, 1.3005591584458986,
		stats.CorrelatedTrend([]float64{1, 3, 4, 4, 2, 1, 3, 6, 8, 7, 5, 6}), 1e-12)
	require.InDelta(t, 1.8557687223952255, stats.CorrelatedTrend([]float64{1, 5, 2, 6, 3, 7, 4, 8}), 1e-12,
		"r is negative")
	small := []float64{1e-3, 3e-3, 4e-3, 4e-3, 2e-3, 1e-3, 3e-3, 6e-3, 8e-3, 7e-3, 5e-3, 6e-3}
	require.InDelta(t, 1.3005591584458986, stats.CorrelatedTrend(small), 1e-9, "a scale does not matter")
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
		{double, 1, math.Inf(1)}, {double, 2, 2. / 2}, {double, 3, 3. / 2}, {double, 4, 4. / 6},
		{double, 5, 5. / 6},
	} {
		t.Run(fmt.Sprintf("%v of %v", c.k, c.values), func(t *testing.T) {
			require.InDelta(t, c.want/math.Ln2, stats.TailIndex(c.values, c.k), 1e-12)
		})
	}
	require.True(t, math.IsNaN(stats.TailIndex(single, 4)))
	require.True(t, math.IsNaN(stats.TailIndex(double, 6)))
	require.True(t, math.IsNaN(stats.TailIndex(nil, 0)))
}

// TestSkewnessExactly: 0, 0, 0, 4 has mean 1, variance 3 and third moment 6; equal values have none.
func TestSkewnessExactly(t *testing.T) {
	require.InDelta(t, 6/math.Pow(3, 1.5), stats.Skewness([]stats.Weighted{{4, 1}, {0, 3}}), 1e-12)
	require.InDelta(t, -6/math.Pow(3, 1.5), stats.Skewness([]stats.Weighted{{4, 3}, {0, 1}}), 1e-12)
	require.Zero(t, stats.Skewness([]stats.Weighted{{3, 10}}))
}

// TestLooks: the errors of all looks add up to the error of one.
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
	for n, want := range map[uint64][2]uint64{6: {1, 6}, 20: {6, 15}, 100: {40, 61}} {
		l, u, ok := stats.Ranks(n, 0.5, 0.95)
		require.True(t, ok)
		require.Equal(t, want, [2]uint64{l, u}, n)
	}
	for _, q := range []float64{0, 1, -1, 2} {
		l, u, ok := stats.Ranks(1000, q, 0.95)
		require.False(t, ok)
		require.Zero(t, l+u)
	}
	for _, n := range []uint64{100, 1_000_000} {
		_, _, ok := stats.Ranks(n, 0.5, 1)
		require.False(t, ok, "no ranks are certain")
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

// TestSharesOfManyTrials: bounds exist for any number of trials, and have no
// step where there are many events.
func TestSharesOfManyTrials(t *testing.T) {
	for _, p := range []float64{1e-9, 1e-5, 1e-3, 0.01, 0.1, 0.5, 0.9, 1 - 1e-5} {
		last := 1.0
		for n := 1e3; n < 1e10; n *= 1.7 {
			i := stats.ShareBounds(n*p, n, 0.95)
			require.Less(t, i.Low, p)
			require.Greater(t, i.High, p)
			width := (i.High - i.Low) / math.Sqrt(p*(1-p)/n)
			require.Less(t, i.High-i.Low, last)
			if n*p*(1-p) > 1e3 {
				require.InDelta(t, 2*1.6449, width, 0.05, "%v of %v", p, n)
			}
			last = i.High - i.Low
		}
	}
}

func binomial(n, k uint64, p float64) float64 {
	c := 1.0
	for i := range k {
		c = c * float64(n-i) / float64(i+1)
	}
	return c * math.Pow(p, float64(k)) * math.Pow(1-p, float64(n-k))
}

// TestSteadyExactly: the cut leaves at least half of a series, and the rest is without a
// trend.
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
	short, ok := stats.Steady(alternating[:9])
	require.False(t, ok)
	require.Zero(t, short)
	cut, ok := stats.Steady(make([]float64, 12))
	require.True(t, ok)
	require.Zero(t, cut, "the first of equal cuts")
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
	for slope, steady := range map[float64]bool{-0.01: false, 0: true, 0.01: false} {
		waves := make([]float64, 100)
		for i := range waves {
			waves[i] = float64(i%2) + slope*float64(i)
		}
		cut, ok := stats.Steady(waves)
		require.LessOrEqual(t, cut, 1)
		require.Equal(t, steady, ok, "a trend of %v", slope)
	}
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
		rest := patterned(30-cut, func(i int) stats.Cluster {
			return stats.Cluster{N: 2, Sum: float64(22 + i%2)}
		})
		require.Equal(t, want, stats.StartUp(append(cs, rest...)), fmt.Sprint(cut))
	}
	require.Zero(t, stats.StartUp(pairs(814, 60)))
	high6 := patterned(6, func(int) stats.Cluster { return stats.Cluster{N: 2, Sum: 200} })
	zeros := patterned(24, func(i int) stats.Cluster { return stats.Cluster{N: 2, Sum: float64(i % 2)} })
	require.Equal(t, 6, stats.StartUp(append(high6, zeros...)), "means of 0")
	require.Zero(t, stats.StartUp(nil))
	high := patterned(3, func(int) stats.Cluster { return stats.Cluster{N: 2, Sum: 200} })
	require.Zero(t, stats.StartUp(append(high, pairs(814, 7)...)), "seven clusters have no variance")
	require.Equal(t, 3, stats.StartUp(append(high, pairs(814, 8)...)))
}

// TestRanksByDefinition: the ranks of every small sample agree with the definition.
func TestRanksByDefinition(t *testing.T) {
	for _, confidence := range []float64{0.9, 0.99} {
		for n := uint64(1); n <= 80; n++ {
			for _, q := range []float64{0.02, 0.1, 0.37, 0.5, 0.51, 0.8, 0.97} {
				var low, high uint64
				below := 0.0 // P(B ≤ l-1)
				for k := uint64(0); k <= n; k++ {
					if below += binomial(n, k, q); below <= (1-confidence)/2 {
						low = k + 1
					}
				}
				above := 0.0 // P(B ≥ u)
				high = n + 1
				for k := n; ; k-- {
					if above += binomial(n, k, q); above <= (1-confidence)/2 {
						high = k
					}
					if k == 0 {
						break
					}
				}
				l, u, ok := stats.Ranks(n, q, confidence)
				require.Equal(t, low >= 1 && high <= n, ok, "%d values, %v, %v", n, q, confidence)
				if ok {
					require.Equal(t, [2]uint64{low, high}, [2]uint64{l, u}, "%d values, %v, %v", n, q,
						confidence)
				}
			}
		}
	}
}

// TestRanksOfMany: the ranks are exact up to a variance of 10⁴. Above it, normal ranks are within
// two.
func TestRanksOfMany(t *testing.T) {
	for n := uint64(36_000); n <= 44_000; n += 1000 {
		want, log := uint64(0), float64(n)*math.Log(0.5) // of the probability of want events
		for sum := math.Exp(log); sum <= 0.025; sum += math.Exp(log) {
			log += math.Log(float64(n-want) / float64(want+1))
			want++
		}
		got, _, _ := stats.Ranks(n, 0.5, 0.95)
		if n <= 40_000 {
			require.Equal(t, want, got, n)
		} else {
			require.InDelta(t, want, got, 2, n)
			require.Equal(t, math.Floor(float64(n)/2-1.959963984540054*math.Sqrt(float64(n))/2), float64(got))
		}
	}
}

// TestPercentiles: the values at 2.5 and 97.5 percent of a long list.
func TestPercentiles(t *testing.T) {
	xs := make([]float64, 40_000)
	for i := range xs {
		xs[i] = float64(len(xs) - 1 - i)
	}
	require.Equal(t, stats.Interval{Low: 1000, High: 39_000}, stats.Central(xs))
}

// TestBisection checks for the least p with the value.
func TestBisection(t *testing.T) {
	steps := func(p float64) float64 { return float64(int(4 * p)) }
	for at, want := range []float64{0, 0.25, 0.5, 0.75} {
		require.InDelta(t, want, stats.Bisect(steps, float64(at)), 1e-15)
	}
	require.Equal(t, math.Ldexp(1, -61), stats.Bisect(steps, 0), "the middle of an interval of 2⁻⁶⁰")
	require.Zero(t, stats.ShareBounds(0, 9, 0.95).Low)
	require.Equal(t, 1.0, stats.ShareBounds(9, 9, 0.95).High)
}

// TestEndsOfIntervals: an interval holds its ends.
func TestEndsOfIntervals(t *testing.T) {
	i := stats.Interval{Low: 1, High: 2}
	for v, want := range map[float64]bool{1: true, 1.5: true, 2: true, 0.999: false, 2.001: false} {
		require.Equal(t, want, i.Holds(v), v)
	}
}

// TestPowerLawExactly: factor, exponent, its interval and the residual.
func TestPowerLawExactly(t *testing.T) {
	got, err := stats.FitPower([]float64{1, 2, 4, 8}, []float64{3, 5, 13, 20})
	require.NoError(t, err)
	require.InDelta(t, 2.9158233946888386, got.Factor, 1e-8)
	require.InDelta(t, 0.9589408405752349, got.Exponent, 1e-8)
	require.InDelta(t, 0.526243808062573, got.Bounds.Low, 1e-7)
	require.InDelta(t, 1.3916378730878969, got.Bounds.High, 1e-7)
	require.InDelta(t, 0.11343044835213233, got.Residual, 1e-8)
	require.InDelta(t, 0.75, stats.PowerLaw{Factor: 3, Exponent: -2}.At(2), 1e-12)
}

// TestModesExactly: a spike is a mode at its bin, also at either end. Two are separate if
// the counts between them fall below half of the lower one by more than three standard
// deviations, and count if they have a twentieth of all values.
func TestModesExactly(t *testing.T) {
	spikes := func(at map[int]float64) []int {
		counts := make([]float64, 40)
		for i, n := range at {
			counts[i] = n
		}
		return stats.Modes(counts)
	}
	for i := range 40 {
		require.Equal(t, []int{i}, spikes(map[int]float64{i: 1e6}))
	}
	require.Empty(t, spikes(nil))
	require.Equal(t, []int{0, 39}, spikes(map[int]float64{0: 1e4, 39: 1e4}))
	// Between spikes of 9n with a distance of five are n, and the peaks are 3n.
	require.Equal(t, []int{10, 15}, spikes(map[int]float64{10: 9 * 109, 15: 9 * 109}))
	require.Len(t, spikes(map[int]float64{10: 9 * 107, 15: 9 * 107}), 1)
	require.Equal(t, []int{10, 30}, spikes(map[int]float64{10: 19 * 9 << 10, 30: 9 << 10}),
		"exactly a twentieth")
	require.Equal(t, []int{10, 30}, spikes(map[int]float64{10: 9 << 10, 30: 19 * 9 << 10}))
	require.Equal(t, []int{10}, spikes(map[int]float64{10: 19 * 9 << 10, 30: 9<<10 - 0.5}))
	require.Equal(t, []int{3}, spikes(map[int]float64{2: 1e6, 3: 1e6}), "the first bin is no mode")
	require.Equal(t, []int{3, 13, 23}, spikes(map[int]float64{3: 2e4, 13: 1e4, 23: 3e4}))
	require.Equal(t, []int{21}, spikes(map[int]float64{20: 1e4, 21: 1e4}), "the last of equal bins")
}

// TestScalabilityExactly: laws of exact points have tight bounds and the residual 0. The
// residual is the root mean square of relative errors.
func TestScalabilityExactly(t *testing.T) {
	law := stats.Scalability{Lambda: 100, Sigma: 0.1, Kappa: 0.004}
	points := func(errors ...float64) (ps []stats.Point) {
		for i, e := range errors {
			n := float64(int(1) << i)
			ps = append(ps, stats.Point{Workers: n, Throughput: law.Throughput(n) * (1 + e)})
		}
		return ps
	}
	require.InEpsilon(t, 100*8/(1+0.1*7+0.004*8*7), law.Throughput(8), 1e-12)
	exact, err := stats.FitUSL(points(0, 0, 0, 0))
	require.NoError(t, err)
	require.InDelta(t, 0, exact.Residual, 1e-9)
	require.InEpsilon(t, 15, exact.Peak, 1e-6)
	for _, end := range []struct{ want, got float64 }{
		{0.1, exact.Bounds.Sigma.Low}, {0.1, exact.Bounds.Sigma.High}, {0.004, exact.Bounds.Kappa.Low},
		{0.004, exact.Bounds.Kappa.High}, {15, exact.Bounds.Peak.Low}, {15, exact.Bounds.Peak.High},
	} {
		require.InEpsilon(t, end.want, end.got, 1e-5)
	}
	slow := points(0, 0, 0, 0)
	for i := range slow {
		slow[i].Throughput /= 1000
	}
	require.InEpsilon(t, 15, mustFit(t, stats.FitUSL, slow).Peak, 1e-6)
	noisy := points(0.02, -0.03, 0.01, 0.04, -0.02)
	f, err := stats.FitUSL(noisy)
	require.NoError(t, err)
	sum := 0.0
	for _, p := range noisy {
		sum += math.Pow(p.Throughput/f.Throughput(p.Workers)-1, 2)
	}
	require.InEpsilon(t, math.Sqrt(sum/5), f.Residual, 1e-12)
	require.Less(t, f.Bounds.Sigma.Low, f.Sigma)
	require.Greater(t, f.Bounds.Sigma.High, f.Sigma)
	require.Equal(t, f, mustFit(t, stats.FitUSL, noisy), "the bootstrap has a fixed seed")
	require.Zero(t, f.Bounds.Kappa.Low)
	require.Zero(t, f.Bounds.Peak.High, "no upper bound")

	require.Zero(t, mustFit(t, stats.FitAmdahl, points(0, 0, 0)).Kappa)
	for name, ps := range map[string][]stats.Point{
		"three":            points(0, 0, 0),
		"half a worker":    append(points(0, 0, 0, 0), stats.Point{Workers: 0.5, Throughput: 50}),
		"no throughput":    append(points(0, 0, 0, 0), stats.Point{Workers: 16}),
		"not a number":     append(points(0, 0, 0, 0), stats.Point{Workers: 16, Throughput: math.NaN()}),
		"three, one twice": append(points(0, 0, 0), points(0)...),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := stats.FitUSL(ps)
			require.ErrorIs(t, err, stats.ErrPoints)
		})
	}
	_, err = stats.FitAmdahl(points(0, 0))
	require.ErrorIs(t, err, stats.ErrPoints)
	unbounded := mustFit(t, stats.FitUSL,
		[]stats.Point{{Workers: 1, Throughput: 10}, {Workers: 2, Throughput: 20},
			{Workers: 4, Throughput: 40}, {Workers: 8, Throughput: 80}})
	require.Zero(t, unbounded.Peak)
	require.Zero(t, unbounded.Bounds.Peak)
}

// TestEveryKnownErrorCounts: a point far from the law, in units of its error, makes a
// misfit at each place, also if the error of no other point is known.
func TestEveryKnownErrorCounts(t *testing.T) {
	law := stats.Scalability{Lambda: 100, Sigma: 0.1, Kappa: 0.004}
	for wrong := range 6 {
		ps := make([]stats.Point, 6)
		for i := range ps {
			n := float64(int(1) << i)
			ps[i] = stats.Point{Workers: n, Throughput: law.Throughput(n) * []float64{1.1, 0.9}[i%2]}
		}
		require.False(t, mustFit(t, stats.FitUSL, ps).Misfit)
		ps[wrong].Error = 0.15
		require.False(t, mustFit(t, stats.FitUSL, ps).Misfit, "point %d", wrong)
		ps[wrong].Error = 1e-6
		require.True(t, mustFit(t, stats.FitUSL, ps).Misfit, "point %d", wrong)
	}
}

func mustFit(t *testing.T, fit func([]stats.Point) (stats.Scalability, error),
	ps []stats.Point) stats.Scalability {
	t.Helper()
	f, err := fit(ps)
	require.NoError(t, err)
	return f
}
