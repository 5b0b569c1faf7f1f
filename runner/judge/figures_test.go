package judge_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// A process draws n successive latencies in ns.
type process func(random *rand.Rand, n int) []float64

// remembering draws latencies whose logarithms are AR(1) with coefficient 0.9.
func remembering(random *rand.Rand, n int) (ns []float64) {
	x := random.NormFloat64()
	for range n {
		x = 0.9*x + math.Sqrt(1-0.9*0.9)*random.NormFloat64()
		ns = append(ns, 1e6*math.Exp(0.5*x))
	}
	return ns
}

// bursts draws bursts of 50 latencies on average, 4 % of all, that take twice
// as long.
func bursts(random *rand.Rand, n int) (ns []float64) {
	slow := random.Float64() < 0.04
	for range n {
		if slow {
			slow = random.Float64() >= 0.02
		} else {
			slow = random.Float64() < 0.02*0.04/0.96
		}
		d := 1e6 * math.Exp(0.3*random.NormFloat64())
		if slow {
			d *= 2
		}
		ns = append(ns, d)
	}
	return ns
}

// measured returns the Result of a run of one worker with these latencies.
func measured(ns []float64) *result.Result {
	var total, end time.Duration
	for _, v := range ns {
		total += time.Duration(v)
	}
	t := result.NewTally(min(time.Millisecond, total/100))
	for _, v := range ns {
		end += time.Duration(v)
		t.Add(time.Duration(v), 1, end, 0)
	}
	return &result.Result{Latency: t.Hist, Timeline: t.Timeline, Records: t.N, Moments: t.Moments()}
}

// TestLooksWidenTheIntervals checks that repeated looks use a higher
// confidence.
func TestLooksWidenTheIntervals(t *testing.T) {
	r := lognormal(t)
	figures := func() []judge.Estimate { return []judge.Estimate{judge.Mean(r), judge.Quantile(r, 0.9)} }
	one := figures()
	r.Confidence = stats.StopConfidence(result.Confidence)
	for i, wide := range figures() {
		require.Less(t, wide.Interval.Low, one[i].Interval.Low)
		require.Greater(t, wide.Interval.High, one[i].Interval.High)
	}
}

// TestIntervalsAccountForBursts uses latencies in bursts, for which intervals
// for independent latencies have far too little coverage. A window with 16 bursts
// has too few for the full 95 % at P90: 87 % in the nightly size.
func TestIntervalsAccountForBursts(t *testing.T) {
	trials := nightly.Pick(20, 100, 400)
	for name, of := range map[string]struct {
		p     process
		n     int
		naive float64 // at most this share of intervals for independent latencies hold
		least float64
	}{"remembering": {remembering, 4000, 0.75, 0.9}, "bursts": {bursts, 20_000, 0.8, 0.85}} {
		t.Run(name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(5, uint64(of.n)))
			all := of.p(random, 400_000)
			mean := stats.Average(all)
			slices.Sort(all)
			given, held, naive := map[float64]float64{}, map[float64]float64{}, 0.0
			for range trials {
				r := measured(of.p(random, of.n))
				if i := judge.Mean(r).Interval; i != nil && i.Holds(mean) {
					held[0]++
				}
				for _, q := range []float64{0.5, 0.9, 0.95} {
					truth := all[int(q*float64(len(all)))]
					l, u, _ := stats.Ranks(r.Records, q, result.Confidence)
					if q == 0.9 && r.Latency.Rank(l) <= truth && truth <= r.Latency.Rank(u) {
						naive++
					}
					if i := judge.Quantile(r, q).Interval; i != nil {
						given[q]++
						if i.Holds(truth) {
							held[q]++
						}
					}
				}
			}
			given[0] = float64(trials)
			for q, n := range given {
				require.GreaterOrEqual(t, held[q]/n, of.least, "quantile %v; 0 is the mean", q)
			}
			require.Less(t, naive/float64(trials), of.naive)
			require.Greater(t, given[0.9], 0.9*float64(trials))
		})
	}
}
