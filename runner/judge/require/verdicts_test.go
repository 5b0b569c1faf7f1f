package require // Check.within, duration and extrapolated are private: runs seldom reach their borders

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/schedule"
	"github.com/zkatbench/zkatbench/runner/stats"
)

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
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			check := &Check{Requirement: Requirement{Figure: "max", Below: c.below, Limit: 10},
				Value: (c.low + c.high) / 2, Verdict: Undecided}
			check.within(stats.Interval{Low: c.low, High: c.high})
			require.Equal(t, c.want, check.Verdict)
			require.Equal(t, stats.Interval{Low: c.low, High: c.high}, *check.Interval)
		})
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
	random := rand.New(rand.NewPCG(1, 6))
	half, err := runner.Replay(runner.Config{Workers: 1, Duration: time.Minute,
		Plan: &schedule.Plan{Arrival: schedule.Poisson, Rate: 250, Seed: 5}},
		func(int, time.Duration) time.Duration { return time.Duration(2e6 * random.ExpFloat64()) })
	require.NoError(t, err)
	r := judgement{Result: half, whole: half}
	queue, open := judge.QueueOf(r.whole)
	require.True(t, open)
	for _, c := range []struct {
		limit, value, allowed, cv float64
		want                      bool
	}{{4e7, 0.005, 0.01, 1.1, true}, {4e7, 0.0051, 0.01, 1.1, false}, {4e7, 0.005, 0.01, 1.1001, false},
		{4e7, 0.0004, 0.0009, 1, true}, {4e6, 0, 0.01, 1, false}} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			queue.ServiceCV = c.cv
			share := Share{Value: c.value, Allowed: c.allowed}
			require.Equal(t, c.want, extrapolated(r, queue, c.limit, share))
		})
	}
}

// TestNeedsOfAFigure: the interval must shrink to the distance from the limit, for which
// the window grows by the square. Longer windows than 1000 times are no advice.
func TestNeedsOfAFigure(t *testing.T) {
	for _, c := range []struct{ value, low, high, needs float64 }{
		{9, 7, 11, 4}, {11, 9, 13, 4}, {8, 4, 12, 4}, {9, 8, 10, 0}, {9.9, 7.9, 11.9, 400},
		{9.99, 9.69, 10.29, 900}, {9.99, 9.59, 10.39, 0},
	} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			check := &Check{Requirement: Requirement{Below: true, Limit: 10}, Value: c.value,
				Verdict: Undecided}
			check.within(stats.Interval{Low: c.low, High: c.high})
			require.InDelta(t, c.needs, check.Needs, 1)
		})
	}
	for factor, want := range map[float64]float64{0.5: 0, 1: 0, 1.1: 2, 2: 2, 999.5: 1000, 1000: 1000,
		1000.5: 0} {
		check := &Check{}
		check.needs(factor)
		require.Equal(t, want, check.Needs, factor)
	}
}
