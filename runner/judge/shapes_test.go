package judge_test

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
)

// A shape is a run in simulated time, and the latencies of its operations.
type shape struct {
	name    string
	c       result.Config
	service func(random *rand.Rand, i int, start time.Duration) time.Duration
}

func parsed(rate float64, text string) *schedule.Plan {
	p, err := schedule.Parse(rate, text)
	if err != nil {
		panic(err)
	}
	return &p
}

// lognormal draws latencies of a median in ns.
func lognormal(random *rand.Rand, median, sigma float64) time.Duration {
	return time.Duration(median * math.Exp(sigma*random.NormFloat64()))
}

// spread draws services of a median in ns.
func spread(median, sigma float64) func(*rand.Rand, int, time.Duration) time.Duration {
	return func(r *rand.Rand, _ int, _ time.Duration) time.Duration { return lognormal(r, median, sigma) }
}

// shapes reach each judgement of a Result: by its number of latencies, its tail, its
// memory, its queue and its stalls.
var shapes = []shape{
	{"equal", result.Config{Workers: 3, Duration: 5 * time.Second},
		func(_ *rand.Rand, i int, _ time.Duration) time.Duration { return time.Millisecond }},
	{"of no time", result.Config{Workers: 1, Ops: 500}, func(*rand.Rand, int, time.Duration) time.Duration {
		return 0
	}},
	{"one", result.Config{Workers: 1, Ops: 1}, func(*rand.Rand, int, time.Duration) time.Duration {
		return time.Second
	}},
	{"five", result.Config{Workers: 2, Ops: 5}, func(_ *rand.Rand, i int, _ time.Duration) time.Duration {
		return time.Duration(1+i*i) * time.Millisecond
	}},
	{"thirty", result.Config{Workers: 1, Ops: 30}, func(_ *rand.Rand, i int, _ time.Duration) time.Duration {
		return time.Duration(1+i%5) * time.Millisecond
	}},
	{"more workers than records", result.Config{Workers: 13, Ops: 700},
		spread(2e6, 0.3)},
	{"spread", result.Config{Workers: 2, Duration: 8 * time.Second},
		spread(3e6, 0.4)},
	{"heavy tail", result.Config{Workers: 1, Ops: 6000},
		func(r *rand.Rand, i int, _ time.Duration) time.Duration {
			return time.Duration(1e6 / math.Pow(r.Float64(), 0.9))
		}},
	{"far stalls", result.Config{Workers: 1, Ops: 8000},
		func(r *rand.Rand, i int, _ time.Duration) time.Duration {
			if i%400 == 399 {
				return 50 * time.Millisecond
			}
			return lognormal(r, 1e6, 0.1)
		}},
	{"drift", result.Config{Workers: 1, Duration: 6 * time.Second},
		func(r *rand.Rand, _ int, at time.Duration) time.Duration {
			return lognormal(r, 2e6*(1+at.Seconds()/8), 0.2)
		}},
	{"waves", result.Config{Workers: 1, Duration: 20 * time.Second},
		func(r *rand.Rand, _ int, at time.Duration) time.Duration {
			return lognormal(r, 4e6*(1+0.4*math.Sin(at.Seconds()*2)), 0.2)
		}},
	{"bursts", result.Config{Workers: 1, Ops: 5000},
		func(r *rand.Rand, i int, _ time.Duration) time.Duration {
			if i%700 < 40 {
				return lognormal(r, 4e6, 0.2)
			}
			return lognormal(r, 1e6, 0.2)
		}},
	{"two halves", result.Config{Workers: 1, Ops: 400},
		func(r *rand.Rand, i int, _ time.Duration) time.Duration {
			return lognormal(r, []float64{1e6, 1e7}[i/200], 0.02)
		}},
	{"two modes", result.Config{Workers: 1, Ops: 3000},
		func(r *rand.Rand, i int, _ time.Duration) time.Duration {
			return lognormal(r, []float64{1e6, 5e6, 1e6}[i%3], 0.05)
		}},
	{"slow start", result.Config{Workers: 1, Duration: 10 * time.Second},
		func(r *rand.Rand, _ int, at time.Duration) time.Duration {
			return lognormal(r, 3e6+1e7*math.Exp(-at.Seconds()*3), 0.1)
		}},
	{"periodic", result.Config{Workers: 2, Duration: 12 * time.Second},
		func(r *rand.Rand, i int, at time.Duration) time.Duration {
			if at%time.Second < 3*time.Millisecond {
				return 200 * time.Millisecond
			}
			return lognormal(r, 2e6, 0.1)
		}},
	{"missing periods", result.Config{Workers: 1, Duration: 14 * time.Second},
		func(r *rand.Rand, i int, at time.Duration) time.Duration {
			if at%time.Second < 3*time.Millisecond && at/time.Second != 4 && at/time.Second != 9 {
				return 200*time.Millisecond + time.Duration(i%4)*time.Millisecond
			}
			return lognormal(r, 2e6, 0.1)
		}},
	{"mean to 2 %", result.Config{Workers: 1, Duration: time.Minute, Precision: 0.02, HalfWidth: judge.HalfWidth},
		spread(3e6, 0.5)},
	{"P90 to 3 %",
		result.Config{Workers: 4, Duration: time.Minute, Precision: 0.03, HalfWidth: judge.HalfWidth,
			PrecisionOf: "p90"}, spread(3e6, 0.5)},
	{"P99 missed",
		result.Config{Workers: 1, Duration: 4 * time.Second, Precision: 0.01, HalfWidth: judge.HalfWidth,
			PrecisionOf: "p99"}, spread(3e6, 0.5)},
	{"open, precise",
		result.Config{Workers: 2, Duration: time.Minute, Precision: 0.05, HalfWidth: judge.HalfWidth,
			PrecisionOf: "p50", Plan: parsed(200, "poisson")},
		spread(3e6, 0.3)},
	{"open, a quarter", result.Config{Workers: 1, Duration: 10 * time.Second, Plan: parsed(100, "poisson")},
		spread(2.5e6, 0.5)},
	{"open, busy", result.Config{Workers: 4, Duration: 20 * time.Second, Plan: parsed(300, "constant")},
		func(r *rand.Rand, _ int, _ time.Duration) time.Duration {
			return time.Duration(1e7 * r.ExpFloat64())
		}},
	{"open, nearly full", result.Config{Workers: 1, Duration: 10 * time.Second, Plan: parsed(100, "poisson")},
		func(r *rand.Rand, _ int, _ time.Duration) time.Duration {
			return time.Duration(9.6e6 * r.ExpFloat64())
		}},
	{"open, above", result.Config{Workers: 1, Duration: 10 * time.Second, Plan: parsed(100, "constant")},
		spread(1.2e7, 0.1)},
	{"open, one server", result.Config{Workers: 50, Duration: 10 * time.Second, Plan: parsed(100, "poisson")},
		server(7e6)},
	{"open, one slow server",
		result.Config{Workers: 400, Duration: 10 * time.Second, Plan: parsed(100, "poisson")}, server(1.2e7)},
	{"open, ramp", result.Config{Workers: 2, Duration: 10 * time.Second, Plan: parsed(50, "ramp:400/8s")},
		spread(4e6, 0.3)},
	{"open, stages",
		result.Config{Workers: 2, Ops: 2000,
			Plan: parsed(50, "step:200/3s/4,constant:2s,rate:100,constant:1s,ramp:300/2s")},
		spread(4e6, 0.3)},
	{"open, a part",
		result.Config{Workers: 1, Duration: 5 * time.Second,
			Plan: &schedule.Plan{Arrival: schedule.Poisson, Rate: 300, Seed: 3, Generator: 2, Generators: 3}},
		spread(4e6, 0.3)},
	{"open, a stall", result.Config{Workers: 1, Duration: 10 * time.Second, Plan: parsed(100, "constant")},
		func(r *rand.Rand, i int, _ time.Duration) time.Duration {
			if i == 300 {
				return 1500 * time.Millisecond
			}
			return lognormal(r, 3e6, 0.1)
		}},
}

// server has one queue for all workers.
func server(mean float64) func(*rand.Rand, int, time.Duration) time.Duration {
	free := time.Duration(0)
	return func(r *rand.Rand, i int, at time.Duration) time.Duration {
		if i == 0 {
			free = 0
		}
		free = max(free, at) + time.Duration(mean*r.ExpFloat64())
		return free - at
	}
}

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

func (s shape) run(t *testing.T) *result.Result {
	t.Helper()
	random := rand.New(rand.NewPCG(uint64(len(s.name)), 5))
	return replay(t, s.c, func(i int, start time.Duration) time.Duration {
		return s.service(random, i, start)
	})
}

// TestFiguresOfShapes checks the laws of the figures of every run.
func TestFiguresOfShapes(t *testing.T) {
	for _, s := range shapes {
		t.Run(s.name, func(t *testing.T) {
			r := s.run(t)
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
		})
	}
}
