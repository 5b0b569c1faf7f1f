package judge_test

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

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

// closed is a closed loop of a worker.
var closed = result.Config{Workers: 1, Duration: 20 * time.Second}

// TestPeriodicStallsAreNoDriftButHidden: stalls at intervals that do not divide
// the window fall unequally into its thirds.
func TestPeriodicStallsAreNoDriftButHidden(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for trial := range nightly.Pick(15, 40, 40) {
		every := 2*time.Second + time.Duration(trial)*97*time.Millisecond
		phase := time.Duration(random.Int64N(int64(every)))
		found := kinds(replay(t, closed, hanging(slowCalls(random, 0), every, 400*time.Millisecond, phase)))
		require.NotContains(t, found, "drift", "%v from %v on", every, phase)
		require.Contains(t, found, "hidden stalls", "%v from %v on", every, phase)
	}
}

// TestStallsInOnePartAreNoDrift has stalls in the first third only.
func TestStallsInOnePartAreNoDrift(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	stalls := hanging(slowCalls(random, 0), 500*time.Millisecond, 200*time.Millisecond, 0)
	r := replay(t, closed, func(i int, _ time.Duration) time.Duration {
		d := stalls(i, 0)
		if i > 800 && d > 100*time.Millisecond {
			d -= 200 * time.Millisecond
		}
		return d
	})
	require.NotContains(t, kinds(r), "drift")
}

// TestQueuesDoNotDrift: the latencies of a busy queue wander, but without a trend. A few begin
// emptier than they end, which is a start-up.
func TestQueuesDoNotDrift(t *testing.T) {
	counts, trials := map[string]int{}, nightly.Pick(20, 60, 60)
	for seed := range uint64(trials) {
		random := rand.New(rand.NewPCG(seed, 1))
		r := replay(t, result.Config{Workers: 1, Duration: time.Minute,
			Plan: &schedule.Plan{Arrival: schedule.Poisson, Rate: 100, Seed: seed}},
			func(int, time.Duration) time.Duration { return time.Duration(8e6 * random.ExpFloat64()) })
		for _, kind := range kinds(r) {
			counts[kind]++
		}
	}
	require.LessOrEqual(t, counts["drift"], trials/20)
	require.LessOrEqual(t, counts["start-up"], trials/10)
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	require.NoError(t, err)
	return v
}

// requireStalls checks the period and the length that the finding tells.
func requireStalls(t *testing.T, r *result.Result, period, length time.Duration) map[string]judge.Finding {
	t.Helper()
	found := map[string]judge.Finding{}
	for _, f := range judge.Findings(r) {
		found[f.Kind] = f
	}
	told := regexp.MustCompile(`(\S+) ms every (\S+) s$`).
		FindStringSubmatch(found["periodic stalls"].Observed)
	require.NotNil(t, told, "%v", found)
	require.InEpsilon(t, length.Milliseconds(), number(t, told[1]), 0.1)
	require.InEpsilon(t, period.Seconds(), number(t, told[2]), 0.05)
	return found
}

// TestPeriodicStallsAreNamed plants stalls of 300 ms every 2 s, among 2 % of calls
// that are slow, on a noisy machine.
func TestPeriodicStallsAreNamed(t *testing.T) {
	for name, share := range map[string]float64{"without slow calls": 0, "with slow calls": 0.02} {
		t.Run(name, func(t *testing.T) {
			for trial := range uint64(nightly.Pick(10, 50, 100)) {
				random := rand.New(rand.NewPCG(trial, 5))
				phase := time.Duration(random.Int64N(int64(2 * time.Second)))
				r := replay(t, closed,
					hanging(slowCalls(random, share), 2*time.Second, 300*time.Millisecond, phase))
				r.Control = result.Control{N: 50, Median: 44000, Spread: 0.3}
				found := requireStalls(t, r, 2*time.Second, 300*time.Millisecond)
				require.Empty(t, found["periodic stalls"].Cause)
				require.False(t, found["periodic stalls"].Machine)
				require.Contains(t, found, "hidden stalls", "trial %d", trial)
				require.Equal(t, "periodic stalls", found["hidden stalls"].Cause)
			}
		})
	}
}

// TestPeriodicStallsOfAnOpenLoop: the starts that wait for the end of a stall belong
// to it.
func TestPeriodicStallsOfAnOpenLoop(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 6))
	r := replay(t, result.Config{Workers: 1, Duration: time.Minute, Plan: &schedule.Plan{Rate: 100}},
		func(i int, _ time.Duration) time.Duration {
			if i%200 == 199 {
				return 300 * time.Millisecond
			}
			return time.Duration(1e6 * (1 + 0.02*random.NormFloat64()))
		})
	requireStalls(t, r, 2*time.Second, 300*time.Millisecond)
}

// TestSlowCallsAtRandomAreNotPeriodic: 2 % of the calls are slow, or each with a
// chance of 1 in 400 hangs for 300 ms.
func TestSlowCallsAtRandomAreNotPeriodic(t *testing.T) {
	named := 0
	for trial := range uint64(nightly.Pick(40, 200, 500)) {
		random := rand.New(rand.NewPCG(trial, 7))
		service := slowCalls(random, []float64{0, 0.02}[trial%2])
		r := replay(t, closed, func(int, time.Duration) time.Duration {
			if trial%2 == 0 && random.IntN(400) == 0 {
				return 300 * time.Millisecond
			}
			return service()
		})
		if slices.Contains(kinds(r), "periodic stalls") {
			named++
		}
	}
	require.LessOrEqual(t, named, 1)
}
