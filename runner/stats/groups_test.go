package stats_test

import (
	"cmp"
	"math"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/stats"
)

// TestDifference compares with an example by hand: variances 1 and 1, and four degrees
// of freedom, with the quantile 2.776 at 97.5 %.
func TestDifference(t *testing.T) {
	d := stats.DifferenceOf([]float64{1, 2, 3}, []float64{4, 5, 6}, 0.95)
	wide := 2.7764451051977987 * math.Sqrt(2./3)
	require.InDelta(t, 3, d.Value, 1e-12)
	require.InDelta(t, 3-wide, d.Low, 1e-6)
	require.InDelta(t, 3+wide, d.High, 1e-6)
	require.InDelta(t, 0.0213116411, d.P, 1e-6, "of t = 3.674")
	reversed := stats.DifferenceOf([]float64{4, 5, 6}, []float64{1, 2, 3}, 0.95)
	require.Equal(t, stats.Difference{Value: -d.Value, Low: -d.High, High: -d.Low, P: d.P}, reversed)
	require.Equal(t, 1., stats.DifferenceOf([]float64{1}, []float64{2}, 0.95).P)
	require.Zero(t, stats.DifferenceOf([]float64{1, 1}, []float64{2, 2}, 0.95).P)
	require.Equal(t, stats.Difference{P: 1}, stats.DifferenceOf([]float64{1, 1}, []float64{1, 1}, 0.95))
}

// TestUnequal: F = 3 with 2 and 6 degrees of freedom has the upper tail 1/8.
func TestUnequal(t *testing.T) {
	groups := [][]float64{{1, 2, 3}, {2, 3, 4}, {3, 4, 5}}
	require.InDelta(t, 0.125, stats.Unequal(groups), 1e-9)
	require.Equal(t, 1., stats.Unequal([][]float64{{1}, {2}}), "no scatter is known")
	require.Zero(t, stats.Unequal([][]float64{{1, 1}, {2, 2}}))
	require.Equal(t, 1., stats.Unequal([][]float64{{1, 1}, {1, 1}}))
	require.Equal(t, 1., stats.Unequal([][]float64{{1, 2, 3}}))
}

func TestGrouped(t *testing.T) {
	var values, numbers []float64
	for i := range 60 {
		values, numbers = append(values, math.Exp(float64(i))), append(numbers, -float64(i%3))
	}
	groups := stats.Grouped(values, numbers)
	require.Len(t, groups, 3)
	for k, logs := range groups { // group -2 comes first
		require.Len(t, logs, 20)
		for j, log := range logs {
			require.InDelta(t, 3*j+2-k, log, 1e-9)
		}
	}
	require.InDeltaSlice(t, []float64{30.5, 29.5, 28.5}, stats.Medians(groups), 1e-9)
}

// TestRankScoreOfAllDivisions compares the score with the mean and the variance over all ways to divide
// the values into samples, of which one in some cases is equal to another.
func TestRankScoreOfAllDivisions(t *testing.T) {
	for seed := range 20 {
		all, first := drawn(seed, 9), 1+seed%8
		divided := func(chosen int) (a, b []float64) {
			for i, v := range all {
				if chosen>>i&1 == 1 {
					a = append(a, v)
				} else {
					b = append(b, v)
				}
			}
			return a, b
		}
		wins := map[int]float64{} // of the second sample, by the division
		for chosen := range 1 << len(all) {
			if bits.OnesCount(uint(chosen)) != first {
				continue
			}
			wins[chosen] = 0
			a, b := divided(chosen)
			for _, x := range a {
				for _, y := range b {
					wins[chosen] += float64(1+cmp.Compare(y, x)) / 2
				}
			}
		}
		sum, squares := 0.0, 0.0
		for _, w := range wins {
			sum, squares = sum+w, squares+w*w
		}
		mean := sum / float64(len(wins))
		deviation := math.Sqrt(squares/float64(len(wins)) - mean*mean)
		for chosen, w := range wins {
			a, b := divided(chosen)
			require.InDelta(t, math.Abs(w-mean)/deviation, stats.RankScore(a, b), 1e-9, "%v and %v", a, b)
		}
	}
	require.Zero(t, stats.RankScore([]float64{3, 3}, []float64{3}))
}

// TestIntervalOfTheMedian: the ranks of published tables.
func TestIntervalOfTheMedian(t *testing.T) {
	values := drawn(1, 5)
	_, ok := stats.MedianInterval(values)
	require.False(t, ok)
	values = nil
	for i := range 20 {
		values = append(values, float64(1+i*7%20))
	}
	i, ok := stats.MedianInterval(values)
	require.True(t, ok)
	require.Equal(t, stats.Interval{Low: 6, High: 15}, i)
}

// TestOnlyFiniteValues: the values stay as they are.
func TestOnlyFiniteValues(t *testing.T) {
	values := []float64{math.Inf(1), 1, math.NaN(), math.Inf(-1), 2}
	require.Equal(t, []float64{1, 2}, stats.OfFinite(values))
	require.True(t, math.IsInf(values[0], 1) && math.IsNaN(values[2]) && values[4] == 2)
}

// TestMeanDifference: t = 2√3 with two degrees of freedom.
func TestMeanDifference(t *testing.T) {
	d := stats.MeanDifference([]float64{1, 2, 3}, 0.95)
	require.InDelta(t, 2, d.Value, 1e-12)
	require.InDelta(t, 0.0742, d.P, 1e-4)
	require.InDelta(t, 2-4.3027/math.Sqrt(3), d.Low, 1e-4)
	require.InDelta(t, 2+4.3027/math.Sqrt(3), d.High, 1e-4)
	require.Zero(t, stats.MeanDifference([]float64{1, 1, 1}, 0.95).P)
	require.Equal(t, 1.0, stats.MeanDifference([]float64{0, 0, 0}, 0.95).P)
	mean, half := stats.MeanOf([]float64{1, 2, 3}, 0.95)
	require.InDelta(t, 2, mean, 1e-12)
	require.InDelta(t, 4.3027/math.Sqrt(3), half, 1e-4)
	one := stats.MeanDifference([]float64{1}, 0.95)
	require.Equal(t, 1.0, one.P)
	require.True(t, math.IsInf(one.Low, -1) && math.IsInf(one.High, 1))
}
