package runner_test

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

// A hidden queue is inside a service: with Poisson arrivals and exponential services M/M/k inside the
// operation, with 100 arrivals a second. With as many workers as servers, it is before them.
type hidden struct {
	load             float64
	servers, workers int
	window           time.Duration
	cv               float64 // coefficient of variation of the services: 0, 1 (exponential) or log-normal
	arrival          string
}

// services draws the times of services in seconds.
func (h hidden) services(random *rand.Rand) float64 {
	mean := h.load / 100 * float64(h.servers)
	switch h.cv {
	case 0:
		return mean
	case 1:
		return mean * random.ExpFloat64()
	}
	sigma := math.Sqrt(math.Log(1 + h.cv*h.cv))
	return mean * math.Exp(sigma*random.NormFloat64()-sigma*sigma/2)
}

func (h hidden) run(t *testing.T, seed uint64) *result.Result {
	t.Helper()
	random, free := rand.New(rand.NewPCG(seed, 9)), make([]time.Duration, h.servers)
	r := replay(t, runner.Config{
		Workers: h.workers, Duration: h.window,
		Plan: &schedule.Plan{Arrival: h.arrival, Rate: 100, Seed: seed},
	}, func(_ int, start time.Duration) time.Duration {
		first := slices.Index(free, slices.Min(free)) // of the servers
		free[first] = max(free[first], start) + time.Duration(1e9*h.services(random))
		return free[first] - start
	})
	return r
}

// hiddenCounts counts windows of one process.
type hiddenCounts struct{ growing, met, broken, printed, held int }

// counts judges windows of different seeds: whether the queue grows, and limits and intervals against
// the truth.
func (h hidden) counts(t *testing.T, trials int) (n hiddenCounts) {
	t.Helper()
	truth := h.load / 100 / (1 - h.load) * 1e9 // M/M/1 (Kleinrock, Queueing Systems I, §3.2)
	verdict := func(r *result.Result, figure string, limit float64) must.Verdict {
		return must.Judge(r, []must.Requirement{{Figure: figure, Below: true, Limit: limit}})[0].Verdict
	}
	for seed := range uint64(trials) {
		r := h.run(t, seed)
		if slices.Contains(kindsOf(r), "overloaded") {
			n.growing++
		}
		for figure, q := range map[string]float64{"mean": 0, "p50": 0.5, "p95": 0.95, "p99": 0.99} {
			if h.load >= 1 {
				if verdict(r, figure, 60e9) == must.Met {
					n.met++
				}
				if verdict(r, figure, 100e6) == must.Broken {
					n.broken++
				}
				continue
			}
			if h.servers > 1 || h.cv != 1 || h.arrival != schedule.Poisson {
				continue // the truth is not known
			}
			true, e := truth, judge.Mean(r)
			if q > 0 {
				true, e = -math.Log(1-q)*truth, judge.Quantile(r, q)
			}
			if verdict(r, figure, true/2) == must.Met {
				n.met++
			}
			if e.Interval != nil {
				n.printed++
				if e.Interval.Low*0.9995 <= true && true <= e.Interval.High*1.0005 {
					n.held++
				}
			}
		}
	}
	return n
}

// hiddenQueues returns the rows of the table of docs/runner.md, and queues before the workers that
// are just below and above the capacity.
func hiddenQueues() (hs []hidden) {
	for _, load := range nightly.Pick([]float64{0.95, 1.1}, []float64{0.5, 0.95, 1.1},
		[]float64{0.5, 0.8, 0.9, 0.95, 0.98, 1, 1.1, 1.3}) {
		for _, n := range [][2]int{{1, 1}, {1, 10}, {1, 200}, {1, 4000}, {4, 200}, {32, 200}} {
			if testing.Short() && (n[1] == 10 || n[0] == 4) {
				continue // between others
			}
			hs = append(hs, hidden{load, n[0], n[1], time.Minute, 1, schedule.Poisson})
		}
	}
	const before = 30 * time.Second
	for _, servers := range []int{1, 4} {
		hs = append(hs, hidden{0.95, servers, servers, before, 1, schedule.Poisson},
			hidden{1.05, servers, servers, before, 1, schedule.Poisson})
	}
	hs = append(hs, hidden{0.95, 1, 1, before, 0, schedule.Poisson},
		hidden{1.05, 1, 1, before, 0, schedule.Poisson}, hidden{0.95, 1, 1, before, 2, schedule.Poisson},
		hidden{1.3, 1, 1, before, 2, schedule.Poisson}, hidden{0.95, 1, 1, before, 1, schedule.Constant},
		hidden{1.05, 1, 1, before, 1, schedule.Constant})
	if !testing.Short() {
		hs = append(hs, hidden{0.8, 1, 200, 10 * time.Minute, 1, schedule.Poisson})
	}
	if nightly.On() {
		for _, workers := range []int{200, 4000} {
			hs = append(hs, hidden{0.9, 1, workers, 40 * time.Minute, 1, schedule.Poisson})
		}
	}
	return hs
}

// TestHiddenQueues: a queue inside the service or before it is found, whether or not all its
// requests fit into the workers, and a busy stable queue is none. -v prints the table of docs/runner.md.
func TestHiddenQueues(t *testing.T) {
	trials := nightly.Pick(1, 12, 100)
	allowed := func(share float64) int { // with 99 % probability at most so many
		n := float64(trials)
		return int(n*share + 2.33*math.Sqrt(n*share*(1-share)))
	}
	for _, h := range hiddenQueues() {
		t.Run(fmt.Sprintf("%+v", h), func(t *testing.T) {
			n := h.counts(t, trials)
			t.Logf("| %g | %d | %d | %v | %d | %d | %d of %d | (of %d windows)", h.load, h.servers,
				h.workers, h.window, n.growing, n.met, n.held, n.printed, trials)
			switch {
			case h.load <= 0.95:
				require.LessOrEqual(t, n.growing, allowed(0.02))
			case h.load > 1 && h.window < time.Minute:
				require.GreaterOrEqual(t, n.growing, trials-allowed(0.02))
			case h.load > 1:
				require.Equal(t, trials, n.growing)
				require.Equal(t, 4*trials, n.broken, "a limit of 100 ms")
			}
			switch {
			case h.load == 1: // at the border a minute can look like a load below 0.88
				require.LessOrEqual(t, n.met, 4*max(1, allowed(0.01)))
			case h.load > 1:
				require.Zero(t, n.met, "a limit of a minute on a queue without a steady state")
			default:
				require.LessOrEqual(t, n.met, 4*allowed(0.02), "limits at half the truth")
			}
			require.GreaterOrEqual(t, float64(n.held),
				0.9*float64(n.printed)-2.33*math.Sqrt(0.09*float64(n.printed)))
		})
	}
}

// TestSlowWanderHasNoInterval: services wander by 5 % with a time constant of 20 s. A
// window of 10 s shows one or two of their levels, so an interval of the mean is not
// given; few windows look steady by chance.
func TestSlowWanderHasNoInterval(t *testing.T) {
	trials := nightly.Pick(10, 40, 1000)
	for _, c := range []struct {
		window  time.Duration
		printed float64 // at most this share of windows
	}{{10 * time.Second, 0.2}, {40 * time.Minute, 1}} {
		t.Run(c.window.String(), func(t *testing.T) {
			printed, held := 0, 0
			for seed := range uint64(trials) / uint64(c.window/(10*time.Second)/60+1) {
				random := rand.New(rand.NewPCG(seed, 5))
				const keep = 1 - 0.005/20 // of operations of 5 ms
				level := random.NormFloat64()
				r := replay(t, runner.Config{Workers: 1, Duration: c.window},
					func(int, time.Duration) time.Duration {
						level = keep*level + math.Sqrt(1-keep*keep)*random.NormFloat64()
						return time.Duration(5e6 * (1 + 0.05*level + 0.01*random.NormFloat64()))
					})
				if i := judge.Mean(r).Interval; i != nil {
					printed++
					if i.Holds(5e6) {
						held++
					}
				}
			}
			t.Logf("%v: %d of %d printed, %d hold", c.window, printed, trials, held)
			require.LessOrEqual(t, float64(printed), c.printed*float64(trials))
			if c.printed == 1 {
				require.GreaterOrEqual(t, float64(held),
					0.9*float64(printed)-2.33*math.Sqrt(0.09*float64(printed)))
			}
		})
	}
}

// TestManyInProgressAreNoQueue: operations take 10 s each. Their number in progress
// rises for the first sixth of the window and then stays.
func TestManyInProgressAreNoQueue(t *testing.T) {
	for seed := range uint64(nightly.Pick(3, 10, 100)) {
		random := rand.New(rand.NewPCG(seed, 1))
		r := replay(t, runner.Config{
			Workers: 4000, Duration: time.Minute,
			Plan: &schedule.Plan{Arrival: schedule.Poisson, Rate: 100, Seed: seed},
		}, func(int, time.Duration) time.Duration { return time.Duration((9 + 2*random.Float64()) * 1e9) })
		q, ok := judge.QueueOf(r)
		require.True(t, ok)
		require.False(t, q.Growing, "seed %d: %v", seed, r.Open.Present)
		require.InDelta(t, 1000, r.Open.Present[9], 150)
		require.Less(t, q.Load, 0.9)
	}
}
