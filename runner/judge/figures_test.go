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

// independent draws exponential latencies.
func independent(random *rand.Rand, n int) (ns []float64) {
	for range n {
		ns = append(ns, 1e6*random.ExpFloat64())
	}
	return ns
}

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

// coverage counts how often intervals contain the true value, by quantile (0:
// the mean); naive counts intervals that assume independent latencies.
type coverage struct{ given, held, naive map[float64]float64 }

func covered(p process, n, trials int, qs ...float64) coverage {
	random := rand.New(rand.NewPCG(5, uint64(n)))
	all := p(random, 400_000)
	truth, sum := map[float64]float64{}, 0.0
	for _, v := range all {
		sum += v
	}
	slices.Sort(all)
	for _, q := range qs {
		truth[q] = all[int(q*float64(len(all)))]
	}
	c := coverage{map[float64]float64{}, map[float64]float64{}, map[float64]float64{}}
	for range trials {
		r := measured(p(random, n))
		if i := judge.Mean(r).Interval; i != nil && i.Holds(sum/float64(len(all))) {
			c.held[0] += 1 / float64(trials)
		}
		for _, q := range qs {
			l, u, _ := stats.Ranks(r.Records, q, result.Confidence)
			if r.Latency.Rank(l) <= truth[q] && truth[q] <= r.Latency.Rank(u) {
				c.naive[q] += 1 / float64(trials)
			}
			if i := judge.Quantile(r, q).Interval; i != nil {
				c.given[q]++
				if i.Holds(truth[q]) {
					c.held[q]++
				}
			}
		}
	}
	for q, n := range c.given {
		c.held[q] /= n
	}
	return c
}

// TestIntervalsOfAResultHoldAsPromised checks the coverage from latencies to
// the figures of a report. Intervals of percentiles are a little wide, since they
// estimate how latencies depend on each other: 96.9 % to 97.4 % in 20,000 trials.
func TestIntervalsOfAResultHoldAsPromised(t *testing.T) {
	trials, least, most := nightly.Pick(200, 400, 5000), nightly.Pick(0.92, 0.92, 0.94),
		nightly.Pick(0.99, 0.99, 0.98)
	c := covered(independent, 1000, trials, 0.5, 0.9, 0.95)
	for q, held := range c.held {
		require.GreaterOrEqual(t, held, least, "%v", q)
		require.LessOrEqual(t, held, most, "%v", q)
	}
}

// TestLooksWidenTheIntervals checks that repeated looks use a higher
// confidence.
func TestLooksWidenTheIntervals(t *testing.T) {
	r := measured(independent(rand.New(rand.NewPCG(1, 1)), 5000))
	mean, p90 := judge.Mean(r).Interval, judge.Quantile(r, 0.9).Interval
	r.Confidence = stats.StopConfidence(result.Confidence)
	wideMean, wideP90 := judge.Mean(r).Interval, judge.Quantile(r, 0.9).Interval
	for _, w := range [][2]*stats.Interval{{mean, wideMean}, {p90, wideP90}} {
		require.Less(t, w[1].Low, w[0].Low)
		require.Greater(t, w[1].High, w[0].High)
	}
}

// TestIntervalsAccountForBursts uses latencies in bursts, for which intervals
// for independent latencies have far too little coverage. A window with 16 bursts
// has too few for the full 95 % at P90: 87 % in the nightly size.
func TestIntervalsAccountForBursts(t *testing.T) {
	trials := nightly.Pick(50, 150, 400)
	for name, of := range map[string]struct {
		p     process
		n     int
		naive float64
		least float64
	}{"remembering": {remembering, 4000, 0.75, 0.9}, "bursts": {bursts, 20_000, 0.8, 0.85}} {
		c := covered(of.p, of.n, trials, 0.5, 0.9, 0.95)
		for q, held := range c.held {
			require.GreaterOrEqual(t, held, of.least, "%s %v", name, q)
		}
		require.Less(t, c.naive[0.9], of.naive, name)
		require.Greater(t, c.given[0.9], 0.9*float64(trials), name)
	}
}
