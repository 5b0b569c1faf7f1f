package stats_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/stats"
)

func TestSteadyCutsTheWarmUp(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	xs := make([]float64, 100)
	for i := range xs {
		xs[i] = 10 + random.NormFloat64()
		if i < 15 {
			xs[i] += 50 - 3*float64(i)
		}
	}
	cut, ok := stats.Steady(xs)
	require.True(t, ok)
	require.InDelta(t, 15, cut, 3)

	for i := range xs {
		xs[i] += 0.5 * float64(i)
	}
	_, ok = stats.Steady(xs)
	require.False(t, ok)
	_, ok = stats.Steady(xs[:9])
	require.False(t, ok)
}

func TestTrendRarelyRaisesFalseAlarm(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	alarms := 0
	xs := make([]float64, 64)
	for range 2000 {
		for i := range xs {
			xs[i] = random.ExpFloat64()
		}
		if math.Abs(stats.Trend(xs)) > 1.96 {
			alarms++
		}
	}
	require.InDelta(t, 0.05, float64(alarms)/2000, 0.02)
	for i := range xs {
		xs[i] += 0.05 * float64(i)
	}
	require.Greater(t, stats.Trend(xs), 3.0)
}

func TestModes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	bins := func(draw func() float64) []float64 {
		counts := make([]float64, 100)
		for range 5000 {
			counts[int(min(99, max(0, draw())))]++
		}
		return counts
	}
	one := bins(func() float64 { return 50 + 5*random.NormFloat64() })
	require.Len(t, stats.Modes(one), 1)
	flat := bins(func() float64 { return 100 * random.Float64() })
	require.Len(t, stats.Modes(flat), 1)
	two := bins(func() float64 { return 30 + 40*float64(random.IntN(2)) + 5*random.NormFloat64() })
	got := stats.Modes(two)
	require.Len(t, got, 2)
	require.InDelta(t, 30, got[0], 3)
	require.InDelta(t, 70, got[1], 3)
	require.Empty(t, stats.Modes(make([]float64, 10)))
}

func TestScalabilityLawIsRecovered(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for _, want := range []stats.Scalability{
		{Lambda: 1000, Sigma: 0.05, Kappa: 0.001},
		{Lambda: 3e5, Sigma: 0.02, Kappa: 0.0005},
		{Lambda: 10, Sigma: 0.3},
		{Lambda: 10, Kappa: 0.01},
		{Lambda: 10},
	} {
		points := func(noise float64) (ps []stats.Point) {
			for _, n := range []float64{1, 2, 4, 8, 16, 32, 48} {
				ps = append(ps,
					stats.Point{Workers: n,
						Throughput: want.Throughput(n) * (1 + noise*random.NormFloat64())})
			}
			return ps
		}
		exact, err := stats.FitUSL(points(0))
		require.NoError(t, err)
		require.InEpsilon(t, want.Lambda, exact.Lambda, 1e-6)
		require.InDelta(t, want.Sigma, exact.Sigma, 1e-6)
		require.InDelta(t, want.Kappa, exact.Kappa, 1e-8)
		if want.Kappa > 0 {
			require.InEpsilon(t, math.Sqrt((1-want.Sigma)/want.Kappa), exact.Peak, 1e-3)
		}
		held := 0
		for range 100 {
			noisy, err := stats.FitUSL(points(0.02))
			require.NoError(t, err)
			if noisy.Bounds.Sigma.Low-1e-9 <= want.Sigma && want.Sigma <= noisy.Bounds.Sigma.High+1e-9 {
				held++
			}
		}
		require.GreaterOrEqual(t, held, 90, "%+v", want)
	}
}

func TestSerialShareIsAShare(t *testing.T) {
	worse := []stats.Point{{Workers: 1, Throughput: 100}, {Workers: 2, Throughput: 60},
		{Workers: 4, Throughput: 35}, {Workers: 8, Throughput: 10}}
	f, err := stats.FitAmdahl(worse)
	require.NoError(t, err)
	require.Equal(t, 1.0, f.Sigma)
	require.LessOrEqual(t, f.Bounds.Sigma.High, 1.0)
	f, err = stats.FitUSL(worse)
	require.NoError(t, err)
	require.LessOrEqual(t, f.Sigma, 1.0)
	require.Positive(t, f.Kappa)
}

func TestAmdahlHasNoCoherence(t *testing.T) {
	law := stats.Scalability{Lambda: 7, Sigma: 0.25}
	var ps []stats.Point
	for _, n := range []float64{1, 2, 4, 8} {
		ps = append(ps, stats.Point{Workers: n, Throughput: law.Throughput(n)})
	}
	f, err := stats.FitAmdahl(ps)
	require.NoError(t, err)
	require.InDelta(t, 0.25, f.Sigma, 1e-9)
	require.Zero(t, f.Kappa)
	_, err = stats.FitAmdahl(ps[:2])
	require.ErrorIs(t, err, stats.ErrPoints)
	_, err = stats.FitUSL([]stats.Point{{Workers: 1, Throughput: 1}, {Workers: 2, Throughput: 0},
		{Workers: 3, Throughput: 1}})
	require.ErrorIs(t, err, stats.ErrPoints)
}
