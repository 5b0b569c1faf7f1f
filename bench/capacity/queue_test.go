package capacity // queue is private: a plan has no queue with a closed form

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/schedule"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// exponentialTimes are service times with mean 1 that have the exponential
// distribution, up to its discretisation.
func exponentialTimes() []float64 {
	const n = 20_000
	times := make([]float64, n)
	for i := range times {
		times[i] = -math.Log((float64(i) + 0.5) / n)
	}
	return times
}

// node is a queue with mean service time 1 and without batches.
func node(use float64, servers int, times []float64) queue {
	return queue{block: 1, rate: use * float64(servers), servers: servers, stretch: 1,
		mix: []Share{{Share: 1}}, samples: [][]float64{times}, batch: 1}
}

// TestSimulationAgreesWithClosedForms: the 99 % quantile of M/M/1, M/M/4 and
// M/D/1 is within 3 % of the closed form at two or three loads. The seed is fixed.
func TestSimulationAgreesWithClosedForms(t *testing.T) {
	loads := nightly.Pick(map[float64]int{0.5: 200_000, 0.7: 400_000}, map[float64]int{0.5: 200_000,
		0.7: 400_000, 0.8: 1_000_000}, map[float64]int{0.5: 1_000_000, 0.7: 2_000_000, 0.9: 30_000_000})
	for use, n := range loads {
		for _, c := range []struct {
			name    string
			servers int
			times   []float64
			want    float64
		}{
			{"M/M/1", 1, exponentialTimes(), math.Log(100) / (1 - use)},
			{"M/M/4", 4, exponentialTimes(), quantileMMk(4*use, 1, 4, 0.99)},
			{"M/D/1", 1, []float64{1}, quantileMD1(use, 1, 0.99)},
		} {
			t.Run(fmt.Sprintf("%s at %v", c.name, use), func(t *testing.T) {
				took := node(use, c.servers, c.times).simulate(n, 1)
				slices.Sort(took)
				got := stats.Quantile(took, 0.99)
				t.Logf("%s at %.1f: %.3f by simulation, %.3f by the closed form, %+.2f %%", c.name, use, got,
					c.want, 100*(got/c.want-1))
				require.InEpsilon(t, c.want, got, 0.03)
			})
		}
	}
}

// TestClosedForms compares the formulas with each other and with values from
// tables.
func TestClosedForms(t *testing.T) {
	require.InDelta(t, 0.7, erlangC(0.7, 1), 1e-12, "M/M/1 waits with probability ρ")
	require.InDelta(t, 1./3, erlangC(1, 2), 1e-12)
	require.InDelta(t, 4./9, erlangC(2, 3), 1e-12)
	require.Equal(t, 1., erlangC(4, 4))
	for _, use := range []float64{0.3, 0.5, 0.9} {
		require.InEpsilon(t, math.Log(100)/(1-use), quantileMMk(use, 1, 1, 0.99), 1e-9)
		require.InEpsilon(t, 1/(1-use), pollaczekKhinchine(use, 1, 2), 1e-12, "exponential service")
	}
	require.InEpsilon(t, quantileMMk(0.999999, 1, 2, 0.99), quantileMMk(1, 1, 2, 0.99), 1e-4,
		"both branches meet")
	require.True(t, math.IsInf(pollaczekKhinchine(1, 1, 2), 1))
	require.True(t, math.IsInf(quantileMMk(2, 1, 2, 0.5), 1))
	w := waitOf(node(0.7, 1, exponentialTimes()).simulate(500_000, 1), 1)
	require.InEpsilon(t, pollaczekKhinchine(0.7, 1, 2), w.Mean, 0.03)
}

// TestSimulationAgreesWithTheRunner compares a node with the load runner in
// virtual time, and with its replay.
func TestSimulationAgreesWithTheRunner(t *testing.T) {
	const service, use, servers = 8 * time.Millisecond, 0.7, 2
	q := node(use, servers, []float64{1})
	want := 8 * waitOf(q.simulate(1_000_000, 1), 1).P99
	config := runner.Config{
		Workers: servers, Ops: 300_000, Duration: 10 * time.Hour, WarmUp: -1,
		Plan: &schedule.Plan{Arrival: schedule.Poisson, Rate: use * servers / service.Seconds(), Seed: 4},
	}
	replayed, err := runner.Replay(config, func(int, time.Duration) time.Duration { return service })
	require.NoError(t, err)
	require.InEpsilon(t, want, 1e-6*judge.Quantile(replayed, 0.99).Value, 0.03)
	config.Ops = int64(100_000)
	synctest.Test(t, func(t *testing.T) {
		r, err := runner.Run(t.Context(), config,
			runner.Func(func(context.Context) error { time.Sleep(service); return nil }))
		require.NoError(t, err)
		require.InEpsilon(t, want, 1e-6*judge.Quantile(r, 0.99).Value, 0.03)
	})
}

// TestBatchesWaitForLingerOrAreFull: alone, a request waits for the whole linger;
// under a high load, batches are full and cheap.
func TestBatchesWaitForLingerOrAreFull(t *testing.T) {
	q := node(0.001, 1, []float64{1})
	q.batch, q.linger, q.ratios = 4, 0.5, []ratio{{1, 1}, {4, 0.5}}
	w := waitOf(q.simulate(20_000, 1), 1)
	require.InDelta(t, 1.5, w.P50, 1e-9)
	q.rate, q.linger = 1.6, 1e6
	w = waitOf(q.simulate(200_000, 1), 1)
	require.Less(t, w.P99, 20.,
		"four requests take the time of two: use is 0.8, without batches it would be 1.6")
	require.GreaterOrEqual(t, w.P50, 2.)
}

// TestArrivalsHaveTheirDispersion compares the index of dispersion of counts in long
// intervals, and the rate, with the settings. Of a block of 64 requests that is divided, 16 come
// here on average, with a variance of 12.
func TestArrivalsHaveTheirDispersion(t *testing.T) {
	const rate, length = 100.0, 25.0
	n := nightly.Pick(2000, 4000, 4000)
	for _, c := range []struct {
		burst float64
		block int
		part  float64
		want  float64
	}{{1, 1, 1, 1}, {20, 1, 1, 20}, {1, 10, 1, 10}, {1, 64, 0.25, 16 + 12./16}} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			a := queue{rate: rate, block: c.block, part: c.part,
				swing: swing(rate, c.burst)}.arrivals(rand.New(rand.NewPCG(1, 2)))
			counts, at := make([]float64, n), 0
			for {
				if at = int(a.next() / length); at >= n {
					break
				}
				counts[at]++
			}
			mean, squares := stats.Average(counts), 0.0
			for _, k := range counts {
				squares += (k - mean) * (k - mean) / float64(n)
			}
			t.Logf("%.1f a second, dispersion %.2f", mean/length, squares/mean)
			require.InEpsilon(t, rate, mean/length, 0.01)
			require.InEpsilon(t, c.want, squares/mean, 0.1)
		})
	}
}

// pollaczekKhinchine is the mean time in seconds from arrival to end of service
// in the queue M/G/1 with the rate of arrivals, the mean of the service times
// and the mean of their squares (Kleinrock, Queueing Systems 1, §5.6); +Inf
// without a steady state.
func pollaczekKhinchine(rate, mean, square float64) float64 {
	if rate*mean >= 1 {
		return math.Inf(1)
	}
	return mean + rate*square/(2*(1-rate*mean))
}

// erlangC is the probability that a request waits in the queue M/M/k with an
// offered load of rate times mean service time (Kleinrock, §3.5); 1 without a
// steady state.
func erlangC(load float64, servers int) float64 {
	if load >= float64(servers) {
		return 1
	}
	// The Erlang B formula by its recursion, which does not overflow.
	b := 1.0
	for k := 1; k <= servers; k++ {
		b = load * b / (float64(k) + load*b)
	}
	rho := load / float64(servers)
	return b / (1 - rho + rho*b)
}

// quantileMMk is the q-quantile of the time from arrival to end of service in
// the queue M/M/k, in seconds.
func quantileMMk(rate, mean float64, servers int, q float64) float64 {
	load := rate * mean
	if load >= float64(servers) {
		return math.Inf(1)
	}
	c, gap := erlangC(load, servers), float64(servers)-load-1
	above := func(t float64) float64 { // P(T > t), t in service times
		if math.Abs(gap) < 1e-9 {
			return math.Exp(-t) * (1 + c*t)
		}
		return math.Exp(-t) + c/gap*(math.Exp(-t)-math.Exp(-t*(gap+1)))
	}
	return mean * bisect(func(t float64) bool { return above(t) > 1-q })
}

// bisect returns the greatest t ≥ 0, up to rounding, where below holds.
func bisect(below func(t float64) bool) float64 {
	high := 1.0
	for below(high) {
		high *= 2
	}
	low := 0.0
	for range 80 {
		if middle := (low + high) / 2; below(middle) {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// quantileMD1 is the q-quantile of the time from arrival to end of service in
// the queue M/D/1, in seconds (Erlang; Iversen and Staalhagen, Electronics
// Letters 35, 1999, give the sum).
func quantileMD1(rate, service, q float64) float64 {
	rho := rate * service
	waits := func(t float64) float64 { // P(W ≤ t), t in service times
		sum := 0.0
		for k := 0.0; k <= math.Floor(t); k++ {
			x := rho * (t - k)
			gamma, _ := math.Lgamma(k + 1)
			sum += math.Pow(-1, k) * math.Exp(x+k*math.Log(max(x, 1e-300))-gamma)
		}
		return (1 - rho) * sum
	}
	return service * (1 + bisect(func(t float64) bool { return waits(t) < q }))
}
