package judge_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/judge"
	must "github.com/zkatbench/zkatbench/runner/judge/require"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

// replay returns a run in simulated time.
func replay(t *testing.T, c result.Config, service func(int, time.Duration) time.Duration) *result.Result {
	t.Helper()
	r, err := runner.Replay(c, service)
	require.NoError(t, err)
	if c.Precision == 0 { // a look ends a replay in the middle of operations
		require.NoError(t, judge.Check(r))
	}
	return r
}

// lognormal returns a run of two workers with latencies around 3 ms.
func lognormal(t *testing.T) *result.Result {
	random := rand.New(rand.NewPCG(6, 5))
	return replay(t, result.Config{Workers: 2, Duration: 8 * time.Second},
		func(int, time.Duration) time.Duration {
			return time.Duration(3e6 * math.Exp(0.4*random.NormFloat64()))
		})
}

// effects change the time of an operation, in units of its median, by its number and its start in
// seconds.
var effects = []func(random *rand.Rand, i int, at float64) float64{
	func(random *rand.Rand, _ int, _ float64) float64 { return math.Exp(0.3 * random.NormFloat64()) },
	func(random *rand.Rand, _ int, _ float64) float64 { return random.ExpFloat64() },
	func(random *rand.Rand, _ int, _ float64) float64 { return math.Pow(random.Float64(), -0.9) },
	func(_ *rand.Rand, _ int, at float64) float64 { return 1 + at/8 },                // drift
	func(_ *rand.Rand, _ int, at float64) float64 { return 1 + 0.4*math.Sin(2*at) },  // waves
	func(_ *rand.Rand, _ int, at float64) float64 { return 1 + 3*math.Exp(-3*at) },   // start-up
	func(_ *rand.Rand, i int, _ float64) float64 { return float64(1 + i%700/660*3) }, // bursts
	func(_ *rand.Rand, i int, _ float64) float64 { return float64(1 + i%3/2*4) },     // modes
	func(_ *rand.Rand, i int, _ float64) float64 { return float64(1 + i/200%2*9) },   // levels
	func(_ *rand.Rand, i int, _ float64) float64 { return float64(1 + i%400/399*50) },
	func(_ *rand.Rand, _ int, at float64) float64 { // periodic stalls
		if math.Mod(at, 1) < 0.003 {
			return 100
		}
		return 1
	},
	func(*rand.Rand, int, float64) float64 { return 0 }, // the last, only for a number of operations
}

// anyRun returns a run of a closed or an open loop of any length, with up to three effects on its
// latencies, with and without a queue inside the service and a precision.
func anyRun(t *testing.T, seed uint64) *result.Result {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 5))
	c := result.Config{Workers: 1 + random.IntN(13), Ops: int64(math.Pow(10, 4*random.Float64()))}
	kinds := len(effects)
	if random.IntN(2) == 0 {
		c.Ops, c.Duration, kinds = 0, time.Duration(1+random.IntN(8))*time.Second, kinds-1
	}
	median := math.Pow(10, 5.5+2*random.Float64())
	if random.IntN(2) == 0 { // an open loop at a load of up to 1.2
		load := 1.2 * random.Float64()
		plan, err := schedule.Parse(load*float64(c.Workers)/median*1e9, []string{"constant", "poisson",
			"poisson,constant:1s,rate:100", "ramp:400/800ms", "step:200/600ms/4"}[random.IntN(5)])
		require.NoError(t, err)
		if random.IntN(5) == 0 {
			plan.Generator, plan.Generators = 2, 3
		}
		c.Plan = &plan
	}
	if random.IntN(4) == 0 {
		c.Precision, c.HalfWidth = 0.1*random.Float64(), judge.HalfWidth
		c.PrecisionOf = []string{"mean", "p50", "p90", "p99"}[random.IntN(4)]
	}
	chosen := random.Perm(kinds)[:random.IntN(4)]
	inside, free := random.IntN(4) == 0, time.Duration(0) // a queue of all workers
	return replay(t, c, func(i int, at time.Duration) time.Duration {
		took := median
		for _, k := range chosen {
			took *= effects[k](random, i, at.Seconds())
		}
		d := time.Duration(min(took, 1e12))
		if inside {
			free = max(free, at) + d/time.Duration(c.Workers)
			d = free - at
		}
		return d
	})
}

// TestAnyRun checks the figures and the verdicts of random runs.
func TestAnyRun(t *testing.T) {
	for seed := range uint64(nightly.Pick(25, 150, 3000)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := anyRun(t, seed)
			requireFigures(t, r)
			requireVerdicts(t, r)
		})
	}
}

// TestThroughputIsInItsInterval: it is the sum over windows that need not be the window of the ticks.
func TestThroughputIsInItsInterval(t *testing.T) {
	for _, factor := range []float64{0.5, 1, 2} {
		r := quiet()
		r.Weighted *= factor
		i, ok := judge.ThroughputInterval(r)
		require.True(t, ok)
		require.True(t, i.Holds(r.Throughput()) && i.Holds(quiet().Throughput()), "%v: %+v", factor, i)
	}
}

// TestTicksOfManyWindows: only the ticks inside all windows of a merged result count.
func TestTicksOfManyWindows(t *testing.T) {
	r := quiet() // with ticks of 510 ms
	r.Windows = append(slices.Repeat([]result.Window{{Length: r.Elapsed}}, 8),
		result.Window{From: 10 * time.Second, Length: 20 * time.Second})
	require.Len(t, r.Ticks(), 58-20, "from 10.2 s to 29.58 s")
}

// requireFigures checks the laws of figures: quantiles ascend, intervals hold their values, and a
// greater limit has fewer latencies beyond it.
func requireFigures(t *testing.T, r *result.Result) {
	t.Helper()
	last := 0.0
	for _, q := range []float64{0.02, 0.5, 0.9, 0.99, 0.9999} {
		e := judge.Quantile(r, q)
		require.GreaterOrEqual(t, e.Value, last, "percentiles ascend")
		last = e.Value
		if e.Interval != nil {
			require.True(t, e.Interval.Holds(e.Value), "%v: %+v", q, e)
		}
	}
	if mean := judge.Mean(r); mean.Interval != nil {
		require.True(t, mean.Interval.Holds(mean.Value), "%+v", mean)
	}
	if i, ok := judge.ThroughputInterval(r); ok {
		require.LessOrEqual(t, i.Low, r.Throughput()*(1+1e-9))
		require.GreaterOrEqual(t, i.High, r.Throughput()*(1-1e-9))
	}
	share := 1.0
	for _, factor := range []float64{0.5, 1, 2, 40} {
		beyond, effective := judge.Beyond(r, r.Moments.Mean*factor)
		require.LessOrEqual(t, beyond, share, "fewer latencies are beyond a greater limit")
		require.LessOrEqual(t, effective, float64(r.Records)*(1+1e-9))
		share = beyond
	}
	for _, f := range judge.Findings(r) {
		require.NotContains(t, f.Observed, "%s", f.Kind)
	}
}

// requireVerdicts checks that a wider limit never has a worse verdict, and that no figure is both
// below and above a limit.
func requireVerdicts(t *testing.T, r *result.Result) {
	t.Helper()
	for figure, value := range map[string]float64{
		"p50": r.Latency.Quantile(0.5), "p99": r.Latency.Quantile(0.99), "mean": r.Moments.Mean,
		"max": r.Moments.Max,
	} {
		t.Run(figure, func(t *testing.T) {
			met := false
			for _, factor := range []float64{0.5, 0.9, 1, 1.1, 2, 8} {
				limit := math.Round(max(1, value*factor))
				both := must.Judge(r, []must.Requirement{
					{Figure: figure, Below: true, Limit: limit}, {Figure: figure, Limit: limit}})
				below, above := both[0].Verdict, both[1].Verdict
				for _, c := range both {
					require.True(t, c.Verdict == must.Undecided || c.Needs == 0, "%s: decided", figure)
				}
				require.False(t, below == must.Met && above == must.Met,
					"%s: both limits are met at %v", figure,
					factor)
				require.False(t, met && below == must.Broken, "%s: broken by a wider limit", figure)
				met = met || below == must.Met
			}
		})
	}
}
