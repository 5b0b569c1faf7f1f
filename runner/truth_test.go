package runner_test

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
	must "github.com/zkatbench/zkatbench/runner/judge/require"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

// verdict judges one requirement.
func verdict(t *testing.T, r *result.Result, text string) must.Check {
	t.Helper()
	rs, err := must.Parse(text)
	require.NoError(t, err)
	return must.Judge(r, rs)[0]
}

// TestThroughputOfSlowServices: an open loop has the throughput of its plan however long
// operations take, and a service that serves 95 a second does not exceed this when it is
// overloaded.
func TestThroughputOfSlowServices(t *testing.T) {
	for _, c := range []struct {
		rate    float64
		service time.Duration
	}{{5, 3 * time.Second}, {100, 2 * time.Second}, {100, time.Millisecond}} {
		t.Run(fmt.Sprintf("%g of %v", c.rate, c.service), func(t *testing.T) {
			r := replay(t, runner.Config{Workers: 1000, Duration: 10 * time.Second,
				Plan: &schedule.Plan{Rate: c.rate}},
				func(int, time.Duration) time.Duration { return c.service })
			t.Logf("%g a second of %v: %.4g", c.rate, c.service, r.Throughput())
			require.InEpsilon(t, c.rate, r.Throughput(), 0.02)
		})
	}
	free := time.Duration(0)
	r := replay(t, runner.Config{Workers: 4000, Duration: 30 * time.Second,
		Plan: &schedule.Plan{Rate: 150}}, func(_ int, start time.Duration) time.Duration {
		free = max(free, start) + time.Second/95
		return free - start
	})
	t.Logf("150 a second for a server of 95: %.4g", r.Throughput())
	require.InEpsilon(t, 95, r.Throughput(), 0.03)
	require.Equal(t, must.Broken, verdict(t, r, "throughput>140").Verdict)
}

// TestWindowsOfUnequalLength: generators of 100 a second for 120 s and for 5 s make 200 a
// second together, and workers that had ended do not count as overhead.
func TestWindowsOfUnequalLength(t *testing.T) {
	begun := time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)
	var rs []*result.Result
	for i, window := range []time.Duration{2 * time.Minute, 5 * time.Second} {
		random := rand.New(rand.NewPCG(uint64(i), 14))
		r := replay(t, runner.Config{Workers: 1, Duration: window},
			func(int, time.Duration) time.Duration {
				return time.Duration(9e6 + 2e6*random.Float64())
			})
		r.Begun = begun
		rs = append(rs, r)
	}
	m, err := result.Merge(rs...)
	require.NoError(t, err)
	require.NoError(t, judge.Check(m))
	t.Logf("throughput %.4g, overhead %.3g, pure %.4g", m.Throughput(), m.Overhead(), m.PureThroughput())
	require.InEpsilon(t, 200, m.Throughput(), 0.02)
	require.InEpsilon(t, 200, m.PureThroughput(), 0.02)
	require.Less(t, m.Overhead(), 0.01)
	require.NotEqual(t, must.Broken, verdict(t, m, "throughput>150").Verdict)
}

// draws are five distributions of independent latencies in ns.
var draws = map[string]func(*rand.Rand) float64{
	"exponential": func(r *rand.Rand) float64 { return 1e6 * r.ExpFloat64() },
	"normal":      func(r *rand.Rand) float64 { return 56e6 + 1e6*r.NormFloat64() },
	"lognormal":   func(r *rand.Rand) float64 { return 1e6 * math.Exp(r.NormFloat64()) },
	"uniform":     func(r *rand.Rand) float64 { return 1e6 + 1e6*r.Float64() },
	"two values": func(r *rand.Rand) float64 {
		if r.Float64() < 0.2 {
			return 5e6
		}
		return 1e6 + 1e3*r.Float64()
	},
}

// TestIndependentLatenciesAreNotAutocorrelated counts false alarms: at most 5 % of the draws,
// of any distribution and size; and correlation of 0.3 between neighbours is found.
func TestIndependentLatenciesAreNotAutocorrelated(t *testing.T) {
	trials := nightly.Pick(15, 60, 400)
	for name, draw := range draws {
		t.Run(name, func(t *testing.T) {
			for _, n := range nightly.Pick([]int64{168}, []int64{168, 1000},
				[]int64{100, 168, 1000, 1232, 10_000, 100_000}) {
				called, withheld := 0, 0
				for seed := range trials {
					random := rand.New(rand.NewPCG(uint64(seed), uint64(n)))
					r := replay(t, runner.Config{Workers: 1, Ops: n},
						func(int, time.Duration) time.Duration { return time.Duration(max(1, draw(random))) })
					if judge.Inflation(r) > 1 {
						called++
					}
					if judge.Quantile(r, 0.5).Interval == nil {
						withheld++
					}
				}
				t.Logf("%s, n = %d: autocorrelated %d, no interval %d of %d (seeds 0 to %d)", name, n, called,
					withheld, trials, trials-1)
				allowed := 0.05*float64(trials) + 2.6*math.Sqrt(0.05*0.95*float64(trials))
				require.LessOrEqual(t, float64(called), allowed)
				require.LessOrEqual(t, float64(withheld), allowed)
			}
		})
	}
	found := 0
	for seed := range trials {
		random, state := rand.New(rand.NewPCG(uint64(seed), 15)), 0.0
		r := replay(t, runner.Config{Workers: 1, Ops: 1000}, func(int, time.Duration) time.Duration {
			state = 0.3*state + math.Sqrt(1-0.09)*random.NormFloat64()
			return time.Duration(56e6 + 1e6*state)
		})
		if judge.Inflation(r) > 1 {
			found++
		}
	}
	t.Logf("AR(1) of 0.3, n = 1000: found %d of %d", found, trials)
	require.GreaterOrEqual(t, found, trials*93/100)
}

// TestWarmingIsFound: latencies that fall from 10 to 2.4 ms with a time constant of 20 s are a
// start-up in a window of any length, and never steady if the window ends before they are.
// An operation that costs more with each call drifts. None has an interval of the mean.
func TestWarmingIsFound(t *testing.T) {
	trials := nightly.Pick(3, 10, 60)
	warming := func(_ int, at float64) float64 { return 2.4 + 7.6*math.Exp(-at/20) }
	for i, c := range []struct {
		level  func(i int, at float64) float64 // in ms
		window time.Duration
		want   string
		goesOn bool
	}{
		{warming, 20 * time.Second, "start-up", true},
		{warming, time.Minute, "start-up", true},
		{warming, 2 * time.Minute, "start-up", true},
		{warming, 5 * time.Minute, "start-up", false},
		{func(i int, _ float64) float64 { return 1 + float64(i)/10_000 }, time.Minute, "drift", false},
		{func(_ int, at float64) float64 { return 5 - at/20 }, time.Minute, "drift", false},
		{func(_ int, at float64) float64 { return 5 + at/40 }, 20 * time.Second, "drift", false},
		{func(i int, _ float64) float64 { return []float64{7.5, 5}[min(1, i/400)] }, 20 * time.Second,
			"start-up", false},
	} {
		t.Run(fmt.Sprintf("%d: %s in %v", i, c.want, c.window), func(t *testing.T) {
			found, never, intervals := 0, 0, 0
			for seed := range trials {
				random := rand.New(rand.NewPCG(uint64(seed), 16))
				r := replay(t, runner.Config{Workers: 1, Duration: c.window},
					func(i int, start time.Duration) time.Duration {
						return time.Duration(1e6 * c.level(i,
							start.Seconds()) * math.Exp(0.1*random.NormFloat64()))
					})
				kinds := map[string]bool{}
				for _, f := range judge.Findings(r) {
					kinds[f.Kind] = true
				}
				if kinds[c.want] && kinds["drift"] != kinds["start-up"] {
					found++
				}
				if kinds["never steady"] {
					never++
				}
				if judge.Mean(r).Interval != nil {
					intervals++
				}
			}
			t.Logf("found %d, never steady %d, intervals %d of %d (seeds 0 to %d)", found, never, intervals,
				trials, trials-1)
			require.GreaterOrEqual(t, found, trials*19/20)
			if c.goesOn {
				require.GreaterOrEqual(t, never, trials*19/20)
			} else {
				require.LessOrEqual(t, never, trials/20)
			}
			require.Zero(t, intervals)
		})
	}
}

// TestShortWindowsOfSlowChanges: a wander with a time constant of the window, and a process of
// two states that last a third of it on average, have few intervals, or these hold. A missing
// interval has a reason.
func TestShortWindowsOfSlowChanges(t *testing.T) {
	trials := nightly.Pick(6, 25, 100)
	const mean = 5e6
	for name, process := range map[string]func(*rand.Rand, float64) func() float64{
		"wander": func(random *rand.Rand, window float64) func() float64 {
			keep, state := math.Exp(-0.005/window), random.NormFloat64()
			return func() float64 {
				state = keep*state + math.Sqrt(1-keep*keep)*random.NormFloat64()
				return math.Exp(0.2*state - 0.02)
			}
		},
		"two states": func(random *rand.Rand, window float64) func() float64 {
			slow := random.IntN(2) == 1
			return func() float64 {
				if random.Float64() < 3*0.005/window {
					slow = !slow
				}
				if slow {
					return 1.5
				}
				return 0.5
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, window := range []time.Duration{10 * time.Second, time.Minute} {
				printed, held := 0, 0
				for seed := range trials {
					random := rand.New(rand.NewPCG(uint64(seed), 17))
					level := process(random, window.Seconds())
					now, changes := level(), false
					var last time.Duration // states change with time, not with operations
					r := replay(t, runner.Config{Workers: 1, Duration: window},
						func(_ int, start time.Duration) time.Duration {
							for ; last <= start; last += 5 * time.Millisecond {
								before := now
								now = level()
								changes = changes || now != before
							}
							return time.Duration(mean * now * math.Exp(0.05*random.NormFloat64()))
						})
					e := judge.Mean(r)
					require.Equal(t, e.Interval == nil, e.Reason != "")
					if e.Interval != nil && changes { // a window of one state is a steady one
						printed++
						if e.Interval.Holds(longRun[name] * mean) {
							held++
						}
					}
				}
				t.Logf("%s, %v: %d intervals of %d, %d hold (seeds 0 to %d)",
					name, window, printed, trials, held,
					trials-1)
				allowed := 0.05*float64(trials) + 2.33*math.Sqrt(0.05*0.95*float64(trials))
				require.LessOrEqual(t, float64(printed-held), allowed)
			}
		})
	}
}

// longRun are the mean latencies of operations that are called one after another, over the mean
// of their levels in time: the harmonic mean of the levels.
var longRun = map[string]float64{"wander": math.Exp(-0.04), "two states": 0.75}

// TestSpreadsOfASteadyOperation: IQR and MAD are within 5 % of the truth of a normal
// distribution down to a coefficient of variation of 10⁻⁵, also of several workers.
func TestSpreadsOfASteadyOperation(t *testing.T) {
	const quartile = 0.6744897501960817
	for _, cv := range []float64{1e-5, 1e-4, 10e3 / 56e6, 1e-2} {
		for _, workers := range []int{1, 4} {
			random := rand.New(rand.NewPCG(18, uint64(workers)))
			r := replay(t, runner.Config{Workers: workers, Ops: 40_000},
				func(int, time.Duration) time.Duration {
					return time.Duration(math.Round(56e6 * (1 + cv*random.NormFloat64())))
				})
			sigma := 56e6 * cv
			t.Logf("CV %.3g, %d workers: IQR %.5g of %.5g ns, MAD %.5g of %.5g ns (seed 18)", cv, workers,
				r.IQR(), 2*quartile*sigma, r.MAD(), quartile*sigma)
			require.InEpsilon(t, 2*quartile*sigma, r.IQR(), 0.05)
			require.InEpsilon(t, quartile*sigma, r.MAD(), 0.05)
			require.Less(t, r.At(0.5), r.At(0.95))
			require.Less(t, r.At(0.95), r.At(0.99))
		}
	}
}
