package capacity

import (
	"context"
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/runner"
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
	return queue{rate: use * float64(servers), servers: servers, stretch: 1, shares: []float64{1}, samples: [][]float64{times}, batch: 1}
}

// TestSimulationAgreesWithClosedForms: the 99 % quantile of M/M/1, M/M/4 and
// M/D/1 is within 3 % of the closed form at three loads. The seed is fixed.
func TestSimulationAgreesWithClosedForms(t *testing.T) {
	for use, n := range map[float64]int{0.5: 1_000_000, 0.7: 2_000_000, 0.9: nightly.Pick(4_000_000, 6_000_000, 30_000_000)} {
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
			took := node(use, c.servers, c.times).simulate(n, 1)
			slices.Sort(took)
			got := stats.Quantile(took, 0.99)
			t.Logf("%s at %.1f: %.3f by simulation, %.3f by the closed form, %+.2f %%", c.name, use, got, c.want, 100*(got/c.want-1))
			require.InEpsilon(t, c.want, got, 0.03, "%s at %v", c.name, use)
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
	require.InEpsilon(t, quantileMMk(0.999999, 1, 2, 0.99), quantileMMk(1, 1, 2, 0.99), 1e-4, "both branches meet")
	require.True(t, math.IsInf(pollaczekKhinchine(1, 1, 2), 1))
	require.True(t, math.IsInf(quantileMMk(2, 1, 2, 0.5), 1))
	w := waitOf(node(0.7, 1, exponentialTimes()).simulate(2_000_000, 1), 1)
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
	require.InEpsilon(t, want, 1e-6*replayed.Quantile(0.99).Value, 0.03)
	config.Ops = int64(100_000)
	synctest.Test(t, func(t *testing.T) {
		r, err := runner.Run(t.Context(), config, runner.Func(func(context.Context) error { time.Sleep(service); return nil }))
		require.NoError(t, err)
		require.InEpsilon(t, want, 1e-6*r.Quantile(0.99).Value, 0.03)
	})
}

// TestIntervalsHoldTheQuantile counts how often the interval of P99 holds the
// closed form, for fixed seeds.
func TestIntervalsHoldTheQuantile(t *testing.T) {
	const trials = 60
	held := 0
	for seed := range uint32(trials) {
		i := interval(node(0.7, 1, exponentialTimes()).simulate(100_000, seed+1), 0.99)
		if i != nil && i.Holds(math.Log(100)/0.3) {
			held++
		}
	}
	t.Logf("%d of %d", held, trials)
	require.GreaterOrEqual(t, held, trials*85/100)
}

// TestBatchesWaitForLingerOrAreFull: alone, a request waits for the whole linger;
// under a high load, batches are full and cheap.
func TestBatchesWaitForLingerOrAreFull(t *testing.T) {
	q := node(0.001, 1, []float64{1})
	q.batch, q.linger, q.ratios = 4, 0.5, []Ratio{{1, 1}, {4, 0.5}}
	w := waitOf(q.simulate(20_000, 1), 1)
	require.InDelta(t, 1.5, w.P50, 1e-9)
	q.rate, q.linger = 1.6, 1e6
	w = waitOf(q.simulate(200_000, 1), 1)
	require.Less(t, w.P99, 20., "four requests take the time of two: use is 0.8, without batches it would be 1.6")
	require.GreaterOrEqual(t, w.P50, 2.)
}

// TestServersAreAHeap compares the heap with a search.
func TestServersAreAHeap(t *testing.T) {
	r, heap, plain := newRandom(7), newServers(7), make([]float64, 7)
	now := 0.0
	for range 10_000 {
		now += r.exponential()
		work := 7 * r.exponential()
		i := slices.Index(plain, slices.Min(plain))
		plain[i] = math.Max(now, plain[i]) + work
		require.Equal(t, plain[i], heap.serve(now, work))
	}
}

// TestRandomIsUniform: the generator passes a rough test of its mean and its
// distribution, and a state that was published with it.
func TestRandomIsUniform(t *testing.T) {
	r := &random{1, 2, 3, 4}
	require.Equal(t, []uint32{11520, 0, 5927040, 70819200}, []uint32{r.next(), r.next(), r.next(), r.next()})
	r = newRandom(1)
	const n = 1_000_000
	sum, squares, bins := 0.0, 0.0, [10]int{}
	for range n {
		u := r.uniform()
		require.True(t, u > 0 && u <= 1)
		sum, squares = sum+u, squares+u*u
		bins[r.below(10)]++
	}
	require.InDelta(t, 0.5, sum/n, 0.002)
	require.InDelta(t, 1./3, squares/n, 0.002)
	for _, count := range bins {
		require.InDelta(t, n/10, count, 1500)
	}
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
