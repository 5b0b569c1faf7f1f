package judge

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

// stalling returns service times of about 5 ms that hang for a while at
// intervals, from a phase on.
func stalling(random *rand.Rand, every, hang, phase time.Duration) func(int, time.Duration) time.Duration {
	return hanging(slowCalls(random, 0), every, hang, phase)
}

// hanging makes service times hang for a while at intervals, from a phase on.
func hanging(service func() time.Duration, every, hang, phase time.Duration) func(int,
	time.Duration) time.Duration {
	next, now := phase, time.Duration(0)
	return func(int, time.Duration) time.Duration {
		d := service()
		if now >= next {
			next += every
			d += hang
		}
		now += d
		return d
	}
}

func kinds(r *result.Result) map[string]bool {
	found := map[string]bool{}
	for _, f := range Findings(r) {
		found[f.Kind] = true
	}
	return found
}

// TestPeriodicStallsAreNoDriftButHidden: stalls at intervals that do not divide
// the window fall unequally into its thirds.
func TestPeriodicStallsAreNoDriftButHidden(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for trial := range 40 {
		every := 2*time.Second + time.Duration(trial)*97*time.Millisecond
		phase := time.Duration(random.Int64N(int64(every)))
		r, err := runner.Replay(result.Config{Workers: 1, Duration: 20 * time.Second},
			stalling(random, every, 400*time.Millisecond, phase))
		require.NoError(t, err)
		require.NoError(t, Check(r))
		found := kinds(r)
		require.False(t, found["drift"], "%v from %v on", every, phase)
		require.True(t, found["hidden stalls"], "%v from %v on", every, phase)
	}
}

// TestStallsInOnePartAreNoDrift has stalls in the first third only.
func TestStallsInOnePartAreNoDrift(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	stalls := stalling(random, 500*time.Millisecond, 200*time.Millisecond, 0)
	r, err := runner.Replay(result.Config{Workers: 1, Duration: 20 * time.Second},
		func(i int, _ time.Duration) time.Duration {
			d := stalls(i, 0)
			if i > 800 && d > 100*time.Millisecond {
				d -= 200 * time.Millisecond
			}
			return d
		})
	require.NoError(t, err)
	require.False(t, kinds(r)["drift"])
}

// TestDriftIsFound: operations become slower by a tenth.
func TestDriftIsFound(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	r, err := runner.Replay(result.Config{Workers: 1, Duration: 20 * time.Second},
		func(i int, _ time.Duration) time.Duration {
			return time.Duration(5e6 * (1 + 0.1*float64(i)/4000 + 0.05*random.NormFloat64()))
		})
	require.NoError(t, err)
	require.True(t, kinds(r)["drift"])
	require.False(t, kinds(r)["hidden stalls"])
}

// TestQueuesDoNotDrift: the latencies of a busy queue wander, but without a trend. A few begin
// emptier than they end, which is a start-up.
func TestQueuesDoNotDrift(t *testing.T) {
	const trials = 60
	drifts, starts := 0, 0
	for seed := range uint64(trials) {
		random := rand.New(rand.NewPCG(seed, 1))
		r, err := runner.Replay(result.Config{Workers: 1, Duration: time.Minute,
			Plan: &schedule.Plan{Arrival: schedule.Poisson, Rate: 100, Seed: seed}},
			func(int, time.Duration) time.Duration {
				return time.Duration(8e6 * random.ExpFloat64())
			})
		require.NoError(t, err)
		found := kinds(r)
		if found["drift"] {
			drifts++
		}
		if found["start-up"] {
			starts++
		}
	}
	require.LessOrEqual(t, drifts, 3)
	require.LessOrEqual(t, starts, 6)
}

// TestStartUpIsFound: the first tenth is slower by half, as with cold caches.
func TestStartUpIsFound(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	for _, slower := range []float64{0.5, 0} {
		r, err := runner.Replay(result.Config{Workers: 1, Duration: 20 * time.Second},
			func(i int, _ time.Duration) time.Duration {
				d := 5e6 * (1 + 0.05*random.NormFloat64())
				if i < 400 {
					d *= 1 + slower
				}
				return time.Duration(d)
			})
		require.NoError(t, err)
		require.Equal(t, slower > 0, kinds(r)["start-up"])
	}
}

// slowCalls are service times of about 5 ms, of which a share are 12 to 25 times as
// long.
func slowCalls(random *rand.Rand, share float64) func() time.Duration {
	return func() time.Duration {
		d := 5e6 * (1 + 0.02*random.NormFloat64())
		if random.Float64() < share {
			d *= 12 + 13*random.Float64()
		}
		return time.Duration(d)
	}
}

// TestPeriodicStallsAreNamed plants stalls of 300 ms every 2 s, among 2 % of calls
// that are slow, on a noisy machine.
func TestPeriodicStallsAreNamed(t *testing.T) {
	const trials = 100
	for trial := range trials {
		random := rand.New(rand.NewPCG(uint64(trial), 5))
		phase := time.Duration(random.Int64N(int64(2 * time.Second)))
		for name, share := range map[string]float64{"without slow calls": 0, "with slow calls": 0.02} {
			c := result.Config{Workers: 1, Duration: 20 * time.Second}
			r, err := runner.Replay(c,
				hanging(slowCalls(random, share), 2*time.Second, 300*time.Millisecond, phase))
			require.NoError(t, err)
			r.Control = result.Control{N: 50, Median: 44000, Spread: 0.3}
			found := map[string]Finding{}
			for _, f := range Findings(r) {
				found[f.Kind] = f
			}
			s, ok := stallsOf(r)
			require.True(t, ok)
			require.InEpsilon(t, 2*time.Second, s.period, 0.05, "%s, trial %d", name, trial)
			require.InEpsilon(t, 300*time.Millisecond, s.length, 0.1, name)
			require.Contains(t, found["periodic stalls"].Observed, " ms every ", name)
			require.Empty(t, found["periodic stalls"].Cause)
			require.False(t, found["periodic stalls"].Machine)
			require.Contains(t, found, "hidden stalls", name)
			require.Equal(t, "periodic stalls", found["hidden stalls"].Cause)
		}
	}
}

// TestPeriodicStallsOfAnOpenLoop: the starts that wait for the end of a stall belong
// to it.
func TestPeriodicStallsOfAnOpenLoop(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 6))
	r, err := runner.Replay(result.Config{Workers: 1, Duration: time.Minute,
		Plan: &schedule.Plan{Arrival: schedule.Constant, Rate: 100}},
		func(i int, _ time.Duration) time.Duration {
			d := time.Duration(1e6 * (1 + 0.02*random.NormFloat64()))
			if i%200 == 199 {
				d = 300 * time.Millisecond
			}
			return d
		})
	require.NoError(t, err)
	s, ok := stallsOf(r)
	require.True(t, ok)
	require.InEpsilon(t, 2*time.Second, s.period, 0.1)
	require.InEpsilon(t, 300*time.Millisecond, s.length, 0.1)
}

// TestSlowCallsAtRandomAreNotPeriodic: 2 % of the calls are slow, or each with a
// chance of 1 in 400 hangs for 300 ms.
func TestSlowCallsAtRandomAreNotPeriodic(t *testing.T) {
	const trials = 500
	named := 0
	for trial := range trials {
		random := rand.New(rand.NewPCG(uint64(trial), 7))
		service := slowCalls(random, []float64{0, 0.02}[trial%2])
		r, err := runner.Replay(result.Config{Workers: 1, Duration: 20 * time.Second},
			func(int, time.Duration) time.Duration {
				if trial%2 == 0 && random.IntN(400) == 0 {
					return 300 * time.Millisecond
				}
				return service()
			})
		require.NoError(t, err)
		if kinds(r)["periodic stalls"] {
			named++
		}
	}
	require.LessOrEqual(t, named, 1)
}
