package selftest_test

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
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

// A process is a distribution of latencies or a queue, with its true figures.
type process struct {
	name   string
	window time.Duration
	rate   float64 // of Poisson arrivals a second; 0 for a closed loop
	load   float64 // of the queue
	draw   func(*rand.Rand) float64
	// truth returns the mean, and the quantile q > 0, in seconds.
	truth func(q float64) float64
}

const mean = 0.01 // seconds, of the closed loops and of a service at load 1

// distributions returns the closed loops.
func distributions() []process {
	logNormal := func(q float64) float64 { return mean * math.Exp(normalQuantile(q)-0.5) }
	bimodal := func(r *rand.Rand) float64 {
		x := mean * (0.45 + 0.1*r.Float64())
		if r.Float64() < 0.2 {
			x += 2.5 * mean
		}
		return x
	}
	const alpha, window = 1.5, 30 * time.Second
	return []process{
		{"constant", window, 0, 0, func(*rand.Rand) float64 { return mean }, func(float64) float64 {
			return mean
		}},
		{"exponential", window, 0, 0, func(r *rand.Rand) float64 { return mean * r.ExpFloat64() },
			func(q float64) float64 { return ifMean(q, mean, -mean*math.Log(1-q)) }},
		{"log-normal", window, 0, 0, func(r *rand.Rand) float64 {
			return mean * math.Exp(r.NormFloat64()-0.5)
		},
			func(q float64) float64 { return ifMean(q, mean, logNormal(q)) }},
		{"bimodal", window, 0, 0, bimodal, func(q float64) float64 {
			if q < 0.8 {
				return ifMean(q, mean, mean*(0.45+0.1*q/0.8))
			}
			return mean * (2.95 + 0.1*(q-0.8)/0.2)
		}},
		{heavy, window, 0, 0, func(r *rand.Rand) float64 {
			return mean / 3 * math.Pow(1-r.Float64(), -1/alpha)
		},
			func(q float64) float64 { return ifMean(q, mean, mean/3*math.Pow(1-q, -1/alpha)) }},
	}
}

// heavy is the distribution with a mean that a few latencies determine.
const heavy = "Pareto 1.5"

// queues returns the queues of both kinds with these loads.
func queues(loads ...float64) (ps []process) {
	for _, load := range loads {
		ps = append(ps, queue(load, true), queue(load, false))
	}
	return ps
}

func ifMean(q, mean, quantile float64) float64 {
	if q == 0 {
		return mean
	}
	return quantile
}

func normalQuantile(p float64) float64 { return -math.Sqrt2 * math.Erfcinv(2*p) }

// queue is a queue of 100 Poisson arrivals a second with one worker: M/M/1 if
// random is set, otherwise M/D/1. Its window is long enough for P99.
func queue(load float64, random bool) process {
	starts := 6000 / ((1 - load) * (1 - load)) // for M/M/1
	p := process{name: fmt.Sprintf("M/D/1, load %g", load), rate: 1 / mean, load: load}
	service := mean * load
	if random {
		p.name = fmt.Sprintf("M/M/1, load %g", load)
		p.draw = func(r *rand.Rand) float64 { return service * r.ExpFloat64() }
		// The response time is exponential with rate μ-λ (Kleinrock, Queueing
		// Systems I, §5.12).
		p.truth = func(q float64) float64 { return ifMean(q, 1, -math.Log(1-q)) * service / (1 - load) }
	} else {
		starts /= 2
		p.draw = func(*rand.Rand) float64 { return service }
		p.truth = func(q float64) float64 {
			if q == 0 {
				return service * (1 + load/2/(1-load)) // Pollaczek and Khinchine
			}
			return service * (1 + waitQuantile(q, load))
		}
	}
	p.window = time.Duration(starts / p.rate * 1e9)
	return p
}

// run replays one window of p.
func (p process) run(t *testing.T, seed uint64, window time.Duration) *result.Result {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 1))
	c := runner.Config{Workers: 1, Duration: window}
	if p.rate > 0 {
		c.Plan = &schedule.Plan{Arrival: schedule.Poisson, Rate: p.rate, Seed: seed}
	}
	r, err := runner.Replay(c, func(int, time.Duration) time.Duration {
		return time.Duration(p.draw(random) * 1e9)
	})
	require.NoError(t, err)
	return r
}

// A tally counts the intervals of a figure.
type tally struct{ printed, held int }

// cell is the percentage of intervals that hold the true value, and in
// parentheses the percentage of windows with an interval.
func (t tally) cell(trials int) string {
	if t.printed == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f (%.0f)", 100*float64(t.held)/float64(t.printed),
		100*float64(t.printed)/float64(trials))
}

// leastCoverage is the least percentage of printed intervals that must hold.
const leastCoverage = 93

// tooFew reports whether intervals hold significantly less often than they must.
func (t tally) tooFew() bool {
	n, p := float64(t.printed), leastCoverage/100.0
	return float64(t.held) < n*p-2.58*math.Sqrt(n*p*(1-p))
}

// A window of a process is a row of the table of coverage.
type window struct {
	process
	length time.Duration
}

// windows returns the rows. Each queue has two windows: a minute, and one long enough for P99, which
// at a load of 0.95 has up to 2.4 million operations.
func windows() (ws []window) {
	for _, p := range append(distributions(), queues(0.5, 0.8, 0.95)...) {
		if p.load > 0 {
			ws = append(ws, window{p, time.Minute})
		}
		if p.load < 0.9 || nightly.On() {
			ws = append(ws, window{p, p.window})
		}
	}
	return ws
}

// TestTablesOfCoverage prints the percentage of intervals that hold the true value (-v), and of the
// windows with an interval in parentheses, for the mean, P50, P95 and P99. Intervals may not hold
// significantly less often than in 93 % of all windows. At a load of 0.8 a minute is too short for
// any interval, and a long window has most of them.
func TestTablesOfCoverage(t *testing.T) {
	for _, w := range windows() {
		t.Run(fmt.Sprintf("%s, %v", w.name, w.length.Round(time.Second)), func(t *testing.T) {
			t.Parallel()
			trials := nightly.Pick(3, 12, 1000)
			if w.load > 0.9 {
				trials = min(trials, 400)
			}
			figures := []float64{0, 0.5, 0.95, 0.99} // 0 is the mean
			row, tallies := "", make([]tally, len(figures))
			for seed := range uint64(trials) {
				r := w.run(t, seed, w.length)
				for k, q := range figures {
					e := judge.Mean(r)
					if q > 0 {
						e = judge.Quantile(r, q)
					}
					if e.Interval == nil {
						continue
					}
					tallies[k].printed++
					// Histograms know a latency to 0.05 %.
					truth := w.truth(q) * 1e9
					if e.Interval.Low*0.9995 <= truth && truth <= e.Interval.High*1.0005 {
						tallies[k].held++
					}
				}
			}
			for k, n := range tallies {
				row += " " + n.cell(trials) + " |"
				// A rare interval is printed because the sample looks unusual.
				require.False(t, n.printed > trials/5 && n.tooFew(), "quantile %v: %+v", figures[k], n)
				if w.load == 0.8 && w.length == time.Minute {
					require.Zero(t, n.printed, "quantile %v", figures[k])
				} else if w.load == 0.8 {
					require.Greater(t, float64(n.printed), 0.7*float64(trials), "quantile %v", figures[k])
				}
			}
			t.Logf("| %s | %v |%s", w.name, w.length.Round(time.Second), row)
		})
	}
}

// TestAQueueSaysHowLongItNeeds follows the advice of a short window.
func TestAQueueSaysHowLongItNeeds(t *testing.T) {
	both := []float64{0.8, 0.95}
	for _, load := range nightly.Pick(both[:1], both, both) {
		p := queue(load, true)
		e := judge.Quantile(p.run(t, 1, time.Minute), 0.95)
		require.Equal(t, "short window", e.Reason)
		require.Greater(t, e.Needs, 2*time.Minute)
		require.NotNil(t, judge.Quantile(p.run(t, 1, 2*e.Needs), 0.95).Interval)
	}
}

// TestTheMeanOfAHeavyTailHasNoInterval: a Pareto distribution with index 1.5 has
// a mean that a few latencies determine.
func TestTheMeanOfAHeavyTailHasNoInterval(t *testing.T) {
	for _, p := range distributions() {
		t.Run(p.name, func(t *testing.T) {
			found, trials := 0, nightly.Pick(10, 20, 20)
			for seed := range uint64(trials) {
				if judge.Mean(p.run(t, seed, p.window)).Reason == "heavy tail" {
					found++
				}
			}
			if p.name == heavy {
				require.GreaterOrEqual(t, found, trials*8/10)
			} else {
				require.LessOrEqual(t, found, trials/10)
			}
		})
	}
}
