package selftest_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/schedule"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// repeatsHold reports whether the interval between five runs of 4 s holds the
// throughput of 50 Poisson arrivals a second.
func repeatsHold(t *testing.T, random *rand.Rand) bool {
	const rate = 50
	var throughputs []float64
	for range 5 {
		c := runner.Config{
			Workers: 4, Duration: 4 * time.Second,
			Plan: &schedule.Plan{Arrival: schedule.Poisson, Rate: rate, Seed: random.Uint64()},
		}
		r, err := runner.Replay(c, func(int, time.Duration) time.Duration { return time.Millisecond })
		require.NoError(t, err)
		throughputs = append(throughputs, r.Throughput())
	}
	mean, half := stats.MeanOf(throughputs, 0.95)
	return mean-half <= rate && rate <= mean+half
}

var trueLaw = stats.Scalability{Lambda: 1000, Sigma: 0.05, Kappa: 0.002}

// noisyLaw fits the Universal Scalability Law to throughputs that vary by 2 %.
func noisyLaw(t *testing.T, random *rand.Rand) stats.ScalabilityBounds {
	var ps []stats.Point
	for _, n := range []float64{1, 2, 4, 8, 16, 24, 32} {
		ps = append(ps,
			stats.Point{Workers: n, Throughput: trueLaw.Throughput(n) * (1 + 0.02*random.NormFloat64())})
	}
	law, err := stats.FitUSL(ps)
	require.NoError(t, err)
	return *law.Bounds
}

// TestTablesOfSamples prints how often the intervals that several runs make hold (-v).
func TestTablesOfSamples(t *testing.T) {
	trials := nightly.Pick(10, 60, 1000)
	for name, holds := range map[string]func(*testing.T, *rand.Rand) bool{
		"throughput of 5 runs": repeatsHold,
		"σ of 7 numbers of workers": func(t *testing.T, r *rand.Rand) bool {
			return noisyLaw(t, r).Sigma.Holds(trueLaw.Sigma)
		},
		"κ of 7 numbers of workers": func(t *testing.T, r *rand.Rand) bool {
			return noisyLaw(t, r).Kappa.Holds(trueLaw.Kappa)
		},
	} {
		t.Run(name, func(t *testing.T) {
			counted := tally{printed: trials}
			for i := range trials {
				if holds(t, rand.New(rand.NewPCG(uint64(i), 4))) {
					counted.held++
				}
			}
			t.Logf("| %s | %s |", name, counted.cell(trials))
			require.False(t, counted.tooFew(), "%+v", counted)
		})
	}
}

// TestPrecisionIsCheap runs exponential latencies of 1 ms until their interval is narrow enough. It
// checks how often the interval holds, and the mean number of operations over the number that
// suffices if the variance is known.
func TestPrecisionIsCheap(t *testing.T) {
	for _, precision := range []float64{0.02, 0.05} {
		t.Run(fmt.Sprint(precision), func(t *testing.T) {
			trials, cost := nightly.Pick(4, 20, 400), 0.0
			counted := tally{printed: trials}
			for i := range trials {
				random := rand.New(rand.NewPCG(uint64(i), 2))
				r, err := runner.Replay(runner.Config{Workers: 1, Duration: time.Hour, Precision: precision,
					HalfWidth: judge.HalfWidth}, func(int, time.Duration) time.Duration {
					return time.Duration(1e6 * random.ExpFloat64())
				})
				require.NoError(t, err)
				require.Equal(t, "precision", r.End)
				if e := judge.Mean(r); e.Interval != nil && e.Interval.Holds(1e6) {
					counted.held++
				}
				cost += float64(r.Done) / math.Pow(1.96/precision, 2) / float64(trials)
			}
			t.Logf("| mean, stopped at ±%g | %s |, cost %.3g", precision, counted.cell(trials), cost)
			require.False(t, counted.tooFew(), "%+v", counted)
			require.LessOrEqual(t, cost, 2.0)
		})
	}
}
