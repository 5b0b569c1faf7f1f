package require

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/schedule"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// runs returns runs of closed and open loops with queues that are short, settle, do not
// settle and grow.
func runs(t *testing.T) (names []string, rs []*result.Result) {
	t.Helper()
	add := func(name string, c runner.Config, scale float64, draw func(r *rand.Rand) float64) *result.Result {
		random := rand.New(rand.NewPCG(1, uint64(len(rs))))
		r, err := runner.Replay(c, func(int, time.Duration) time.Duration {
			return time.Duration(scale * draw(random))
		})
		require.NoError(t, err)
		names, rs = append(names, name), append(rs, r)
		return r
	}
	normal := func(r *rand.Rand) float64 { return math.Exp(0.3 * r.NormFloat64()) }
	exponential := (*rand.Rand).ExpFloat64
	heavy := func(r *rand.Rand) float64 { return math.Pow(r.Float64(), -0.8) }
	poisson := func(rate float64) *schedule.Plan {
		return &schedule.Plan{Arrival: schedule.Poisson, Rate: rate, Seed: 5}
	}
	add("closed", runner.Config{Workers: 2, Duration: 10 * time.Second}, 2e6, normal)
	add("forty", runner.Config{Workers: 1, Ops: 40}, 2e6, normal)
	add("two", runner.Config{Workers: 1, Ops: 2}, 2e6, normal)
	add("heavy", runner.Config{Workers: 1, Ops: 5000}, 1e6, heavy)
	r := add("failing", runner.Config{Workers: 1, Ops: 3000}, 2e6, normal)
	r.Failed, r.Errors = 20, map[string]uint64{"no": 20}
	add("light load", runner.Config{Workers: 1, Duration: 30 * time.Second, Plan: poisson(100)}, 2e6, normal)
	add("half load", runner.Config{Workers: 1, Duration: 60 * time.Second, Plan: poisson(250)}, 2e6,
		exponential)
	add("half load, equal services",
		runner.Config{Workers: 1, Duration: 60 * time.Second, Plan: poisson(250)}, 2e6,
		func(*rand.Rand) float64 { return 1 })
	add("half load, heavy services",
		runner.Config{Workers: 1, Duration: 60 * time.Second, Plan: poisson(100)}, 2e6, heavy)
	add("short busy", runner.Config{Workers: 1, Duration: 4 * time.Second, Plan: poisson(450)}, 2e6, normal)
	add("growing", runner.Config{Workers: 1, Duration: 6 * time.Second, Plan: poisson(600)}, 2e6, normal)
	mix := add("mix", runner.Config{Workers: 1, Duration: 20 * time.Second, Plan: poisson(250)}, 2e6,
		exponential)
	part := *mix
	half := *rs[5]
	part.Config.Plan = mix.Config.Plan
	mix.Parts = []result.Part{{Name: "read", Result: &half}, {Name: "a.b", Result: &part},
		{Name: "none", Result: &result.Result{}}, {Name: "fails", Result: &result.Result{Failed: 3}}}
	return names, rs
}

// TestVerdictsOfEveryRun checks that a wider limit never has a worse verdict, and that
// no figure is both below and above a limit.
func TestVerdictsOfEveryRun(t *testing.T) {
	names, rs := runs(t)
	for i, r := range rs {
		t.Run(names[i], func(t *testing.T) {
			verdict := func(text string) Verdict {
				rs, err := Parse(text)
				require.NoError(t, err, text)
				return Judge(r, rs)[0].Verdict
			}
			ns := func(v float64) string { return max(1, time.Duration(v)).String() }
			for figure, value := range map[string]float64{
				"p50": r.Latency.Quantile(0.5), "p99": r.Latency.Quantile(0.99), "mean": r.Moments.Mean,
				"max": r.Moments.Max,
			} {
				met := false
				for _, factor := range []float64{0.5, 0.9, 1, 1.1, 2, 8} {
					below, above := verdict(figure+"<"+ns(value*factor)), verdict(figure+">"+ns(value*factor))
					require.False(t, below == Met && above == Met, "%s: both limits are met at %v", figure,
						factor)
					require.False(t, met && below == Broken, "%s: broken by a wider limit", figure)
					met = met || below == Met
				}
			}
		})
	}
}

// TestVerdictsAtTheLimit decides at the limit itself as its sign demands.
func TestVerdictsAtTheLimit(t *testing.T) {
	for _, c := range []struct {
		below     bool
		low, high float64
		want      Verdict
	}{
		{true, 8, 9.999, Met}, {true, 8, 10, Undecided}, {true, 10, 12, Broken}, {true, 9.999, 12, Undecided},
		{true, 10, 10, Broken},
		{false, 10.001, 12, Met}, {false, 10, 12, Undecided}, {false, 8, 10, Broken},
		{false, 8, 10.001, Undecided}, {false, 10, 10, Broken},
	} {
		check := &Check{Requirement: Requirement{Figure: "max", Below: c.below, Limit: 10},
			Value: (c.low + c.high) / 2, Verdict: Undecided}
		check.within(stats.Interval{Low: c.low, High: c.high})
		require.Equal(t, c.want, check.Verdict, "%+v", c)
		require.Equal(t, stats.Interval{Low: c.low, High: c.high}, *check.Interval)
	}
	for v, want := range map[float64]string{
		0: "0s", 999: "999ns", 999.5: "1µs", -12345: "-12.3µs", 600e9: "10m", 5400e9: "1h30m",
		61e9: "1m1s", 3601e9: "1h",
	} {
		require.Equal(t, want, duration(v), v)
	}
	for _, c := range []struct {
		c    Check
		want string
	}{
		{Check{Verdict: Undecided, Why: "why"}, "unknown, why"},
		{Check{Verdict: Undecided, Value: 1500, Needs: 3.4}, "1.5µs; needs about 3 times the length"},
		{Check{Verdict: Undecided, Interval: &stats.Interval{}}, "0s; a longer run may decide"},
		{Check{Verdict: Broken, Value: 3, Needs: 3}, "3ns"},
		{Check{Verdict: Met, Value: 3, Window: time.Minute}, "3ns"},
	} {
		c.c.Figure = "max"
		require.Equal(t, c.want, c.c.Detail())
	}
	met := Check{Verdict: Met, Value: 3, Window: time.Minute,
		Requirement: Requirement{Figure: "max", Below: true, Limit: 4}}
	require.Equal(t, "MET max<4ns: 3ns; events rarer than 3 in 1m are not excluded", met.String())
}

// TestExtrapolatedShares: the share beyond a limit of a queue at half load is extrapolated from few
// events, if its services do not vary more than exponential ones and stay below the limit.
func TestExtrapolatedShares(t *testing.T) {
	_, all := runs(t)
	r := judgement{Result: all[6], whole: all[6]}
	queue, open := judge.QueueOf(r.whole)
	require.True(t, open)
	for _, c := range []struct {
		limit, value, allowed, cv float64
		want                      bool
	}{{4e7, 0.005, 0.01, 1.1, true}, {4e7, 0.0051, 0.01, 1.1, false}, {4e7, 0.005, 0.01, 1.1001, false},
		{4e7, 0.0004, 0.0009, 1, true}, {4e6, 0, 0.01, 1, false}} {
		queue.ServiceCV = c.cv
		require.Equal(t, c.want, extrapolated(r, queue, c.limit, Share{Value: c.value, Allowed: c.allowed}),
			"%+v", c)
	}
}
