package selftest

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

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

// processes returns the rows of the table of coverage.
func processes() []process {
	logNormal := func(q float64) float64 { return mean * math.Exp(normalQuantile(q)-0.5) }
	bimodal := func(r *rand.Rand) float64 {
		x := mean * (0.45 + 0.1*r.Float64())
		if r.Float64() < 0.2 {
			x += 2.5 * mean
		}
		return x
	}
	const alpha = 1.5
	ps := []process{
		{"constant", 30 * time.Second, 0, 0, func(*rand.Rand) float64 { return mean }, func(float64) float64 {
			return mean
		}},
		{"exponential", 30 * time.Second, 0, 0, func(r *rand.Rand) float64 { return mean * r.ExpFloat64() },
			func(q float64) float64 { return ifMean(q, mean, -mean*math.Log(1-q)) }},
		{"log-normal", 30 * time.Second, 0, 0, func(r *rand.Rand) float64 {
			return mean * math.Exp(r.NormFloat64()-0.5)
		},
			func(q float64) float64 { return ifMean(q, mean, logNormal(q)) }},
		{"bimodal", 30 * time.Second, 0, 0, bimodal, func(q float64) float64 {
			if q < 0.8 {
				return ifMean(q, mean, mean*(0.45+0.1*q/0.8))
			}
			return mean * (2.95 + 0.1*(q-0.8)/0.2)
		}},
		{"Pareto 1.5", 30 * time.Second, 0, 0, func(r *rand.Rand) float64 {
			return mean / 3 * math.Pow(1-r.Float64(), -1/alpha)
		},
			func(q float64) float64 { return ifMean(q, mean, mean/3*math.Pow(1-q, -1/alpha)) }},
	}
	for _, load := range []float64{0.5, 0.8, 0.95} {
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
func (p process) run(seed uint64, window time.Duration) (*result.Result, error) {
	random := rand.New(rand.NewPCG(seed, 1))
	c := runner.Config{Workers: 1, Duration: window}
	if p.rate > 0 {
		c.Plan = &schedule.Plan{Arrival: schedule.Poisson, Rate: p.rate, Seed: seed}
	}
	return runner.Replay(c, func(int, time.Duration) time.Duration {
		return time.Duration(p.draw(random) * 1e9)
	})
}

// coveredFigures are the columns of the table: the mean (0) and quantiles.
var coveredFigures = []float64{0, 0.5, 0.95, 0.99}

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

// inTurns runs trials on all processors. It calls count with the result of one at a time, in
// any order.
func inTurns[T any](ctx context.Context, trials int, run func(seed uint64) (T, error), count func(T)) error {
	var seed atomic.Int64
	var counting sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() error {
			for i := seed.Add(1) - 1; i < int64(trials); i = seed.Add(1) - 1 {
				one, err := run(uint64(i))
				err = cmp.Or(ctx.Err(), err)
				if err != nil {
					return err
				}
				counting.Lock()
				count(one)
				counting.Unlock()
			}
			return nil
		})
	}
	return group.Wait()
}

// cover counts the intervals of trials windows, for each figure.
func (p process) cover(ctx context.Context, trials int, window time.Duration) (tallies [4]tally, err error) {
	var truths [4]float64
	for k, q := range coveredFigures {
		truths[k] = p.truth(q) * 1e9
	}
	one := func(seed uint64) (seen [4]tally, err error) {
		r, err := p.run(seed, window)
		if err != nil {
			return seen, err
		}
		for k, q := range coveredFigures {
			e := judge.Mean(r)
			if q > 0 {
				e = judge.Quantile(r, q)
			}
			if e.Interval == nil {
				continue
			}
			seen[k].printed = 1
			// Histograms know a latency to 0.05 %.
			if e.Interval.Low*0.9995 <= truths[k] && truths[k] <= e.Interval.High*1.0005 {
				seen[k].held = 1
			}
		}
		return seen, nil
	}
	err = inTurns(ctx, trials, one, func(seen [4]tally) {
		for k, s := range seen {
			tallies[k].printed, tallies[k].held = tallies[k].printed+s.printed, tallies[k].held+s.held
		}
	})
	return tallies, err
}

// leastCoverage is the least percentage of printed intervals that must hold.
const leastCoverage = 93

// tooFew reports whether intervals hold significantly less often than they must.
func (t tally) tooFew() bool {
	n, p := float64(t.printed), leastCoverage/100.0
	return float64(t.held) < n*p-2.58*math.Sqrt(n*p*(1-p))
}

// mostLong is the greatest number of trials with windows of hours.
const mostLong = 400

// Coverage writes a Markdown table of the percentage of intervals that hold the
// true value, and of the windows with an interval in parentheses. Each queue has
// two windows: a minute, and one long enough for P99. A second table has
// the intervals that several runs or looks make. Scale multiplies the 400 trials, of which
// a queue at a load of 0.95 has at most mostLong. The error
// wraps ErrBound and names the figures with intervals that hold significantly less often than
// in 93 % of all windows.
func Coverage(ctx context.Context, w io.Writer, scale float64) error {
	trials := max(1, int(400*scale))
	if _, err := fmt.Fprintf(w,
		"| process | window | mean | P50 | P95 | P99 |\n| --- | ---: | ---: | ---: | ---: | ---: "+
			"|\n"); err != nil {
		return err
	}
	var failed []string
	for _, p := range processes() {
		for _, window := range p.windows() {
			trials := trials
			if p.load > 0.9 { // a window has up to 2.4 million operations
				trials = min(trials, mostLong)
			}
			tallies, err := p.cover(ctx, trials, window)
			if err != nil {
				return err
			}
			row := fmt.Sprintf("| %s | %v |", p.name, window.Round(time.Second))
			for k, t := range tallies {
				row += " " + t.cell(trials) + " |"
				// A rare interval is printed because the sample looks unusual.
				if t.printed > trials/5 && t.tooFew() {
					failed = append(failed,
						fmt.Sprintf("%s, %s, %s", p.name, window, figureName(coveredFigures[k])))
				}
			}
			if _, err := fmt.Fprintln(w, row); err != nil {
				return err
			}
		}
	}
	more, err := coverSampled(ctx, w, trials)
	if err != nil {
		return err
	}
	if failed = append(failed, more...); failed != nil {
		return fmt.Errorf("%w: coverage of %s", ErrBound, strings.Join(failed, "; "))
	}
	return nil
}

func figureName(q float64) string {
	if q == 0 {
		return "mean"
	}
	return fmt.Sprintf("P%g", 100*q)
}

func (p process) windows() []time.Duration {
	if p.rate == 0 {
		return []time.Duration{p.window}
	}
	return []time.Duration{time.Minute, p.window}
}
