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
	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

// says reports whether one window of 100 starts a second at the given load is
// reported as overloaded. cv is the coefficient of variation of the services,
// which are constant (0), exponential (1) or log-normal.
func says(t *testing.T, arrival string, load, cv float64, workers int, window time.Duration,
	seed uint64) bool {
	random := rand.New(rand.NewPCG(seed, 3))
	mean := load / 100 * float64(workers)
	sigma := math.Sqrt(math.Log(1 + cv*cv))
	r := replay(t, result.Config{
		Workers: workers, Duration: window, Plan: &schedule.Plan{Arrival: arrival, Rate: 100, Seed: seed},
	}, func(int, time.Duration) time.Duration {
		v := mean
		switch cv {
		case 0:
		case 1:
			v *= random.ExpFloat64()
		default:
			v *= math.Exp(sigma*random.NormFloat64() - sigma*sigma/2)
		}
		return time.Duration(v * 1e9)
	})
	return slices.Contains(kinds(r), "overloaded")
}

// TestOverloadIsFoundAndNotInvented compares windows at loads just below and
// above the capacity. A busy stable queue has a backlog that comes and goes, and
// an overloaded one grows by a few starts a second.
func TestOverloadIsFoundAndNotInvented(t *testing.T) {
	trials := nightly.Pick(20, 40, 1000)
	for _, c := range []struct {
		load, cv float64
		workers  int
		arrival  string
	}{
		{0.8, 1, 1, schedule.Poisson}, {0.95, 1, 1, schedule.Poisson}, {0.95, 0, 1, schedule.Poisson},
		{0.95, 1, 4, schedule.Poisson}, {0.95, 2, 1, schedule.Poisson}, {0.95, 1, 1, schedule.Constant},
		{1.05, 1, 1, schedule.Poisson}, {1.05, 0, 1, schedule.Poisson}, {1.05, 1, 4, schedule.Poisson},
		{1.05, 1, 1, schedule.Constant},
		{1.3, 2, 1, schedule.Poisson},
	} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			found := 0
			for seed := range uint64(trials) {
				if says(t, c.arrival, c.load, c.cv, c.workers, 30*time.Second, seed) {
					found++
				}
			}
			share, few := float64(found)/float64(trials), 2.58*math.Sqrt(0.02*0.98/float64(trials))
			t.Logf("reported in %.1f %%", 100*share)
			if c.load < 1 {
				require.LessOrEqual(t, share, 0.02+few)
			} else {
				require.GreaterOrEqual(t, share, 0.98-few)
			}
		})
	}
}

// TestABacklogThatNoQueueReachesGrows has operations that need half of the time;
// making their inputs takes the rest and more.
func TestABacklogThatNoQueueReachesGrows(t *testing.T) {
	r := quiet()
	grows := func(present ...int64) bool {
		open(r,
			result.Open{Offered: 51_000, Started: 45_000, Backlog: 6000, Present: present, ServiceMean: 1e6})
		q, ok := judge.QueueOf(r)
		require.True(t, ok)
		return q.Growing
	}
	require.True(t, grows(600, 1200, 1800, 2400, 3000, 3600, 4200, 4800, 5400, 6000))
	require.False(t, grows(6000, 6000, 6000, 6000, 6000, 6000, 6000, 6000, 6000, 6000),
		"operations take long")
	require.False(t, grows(60, 120, 180, 240, 300, 360, 420, 480, 540, 560),
		"as many as a busy queue may have")
	require.True(t, grows(60, 120, 180, 240, 300, 360, 420, 480, 540, 570))
	require.False(t, grows(), "a result of an older version")
}

// TestARampIsJudgedByItsEnd: the load is 0.6 on average and 1.1 at the end.
func TestARampIsJudgedByItsEnd(t *testing.T) {
	for to, grows := range map[float64]bool{110: true, 60: false} {
		plan := &schedule.Plan{Arrival: schedule.Ramp, Rate: 10, To: to, Over: 15 * time.Second}
		r := replay(t, result.Config{Workers: 1, Duration: 30 * time.Second, Plan: plan},
			func(int, time.Duration) time.Duration { return 10 * time.Millisecond })
		q, _ := judge.QueueOf(r)
		require.Equal(t, grows, q.Growing, "%v", to)
	}
}
