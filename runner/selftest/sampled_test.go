package selftest

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"time"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/schedule"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// A sampled interval is printed after several runs or looks, not after one
// window. It reports whether the interval of one trial holds.
type sampled struct {
	name  string
	holds func(*rand.Rand) (bool, error)
}

var sampledIntervals = []sampled{
	{"mean, stopped at ±5 %", func(r *rand.Rand) (bool, error) { return stoppedHolds(r, 0.05) }},
	{"mean, stopped at ±2 %", func(r *rand.Rand) (bool, error) { return stoppedHolds(r, 0.02) }},
	{"throughput of 5 runs", repeatsHold},
	{"σ of 7 numbers of workers", func(r *rand.Rand) (bool, error) {
		f, err := noisyLaw(r)
		return err == nil && f.Bounds.Sigma.Holds(trueLaw.Sigma), err
	}},
	{"κ of 7 numbers of workers", func(r *rand.Rand) (bool, error) {
		f, err := noisyLaw(r)
		return err == nil && f.Bounds.Kappa.Holds(trueLaw.Kappa), err
	}},
}

func stoppedHolds(random *rand.Rand, precision float64) (bool, error) {
	r, err := stoppedRun(random, precision)
	if err != nil {
		return false, err
	}
	e := judge.Mean(r)
	return e.Interval != nil && e.Interval.Holds(1e6), nil
}

// repeatsHold reports whether the interval between five runs of 4 s holds the
// throughput of 50 Poisson arrivals a second.
func repeatsHold(random *rand.Rand) (bool, error) {
	const rate = 50
	var throughputs []float64
	for range 5 {
		c := runner.Config{
			Workers: 4, Duration: 4 * time.Second,
			Plan: &schedule.Plan{Arrival: schedule.Poisson, Rate: rate, Seed: random.Uint64()},
		}
		r, err := runner.Replay(c, func(int, time.Duration) time.Duration { return time.Millisecond })
		if err != nil {
			return false, err
		}
		throughputs = append(throughputs, r.Throughput())
	}
	mean, half := stats.MeanOf(throughputs, 0.95)
	return mean-half <= rate && rate <= mean+half, nil
}

var trueLaw = stats.Scalability{Lambda: 1000, Sigma: 0.05, Kappa: 0.002}

// noisyLaw fits the Universal Scalability Law to throughputs that vary by 2 %.
func noisyLaw(random *rand.Rand) (stats.Scalability, error) {
	var ps []stats.Point
	for _, n := range []float64{1, 2, 4, 8, 16, 24, 32} {
		ps = append(ps,
			stats.Point{Workers: n, Throughput: trueLaw.Throughput(n) * (1 + 0.02*random.NormFloat64())})
	}
	return stats.FitUSL(ps)
}

// coverSampled writes a table of the intervals that several runs or looks make,
// and returns the names of intervals that hold too seldom.
func coverSampled(ctx context.Context, w io.Writer, trials int) (failed []string, err error) {
	if _, err := fmt.Fprint(w, "\n| interval | holds |\n| --- | ---: |\n"); err != nil {
		return nil, err
	}
	for _, s := range sampledIntervals {
		t := tally{printed: trials}
		for i := range trials {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			ok, err := s.holds(rand.New(rand.NewPCG(uint64(i), 4)))
			if err != nil {
				return nil, err
			}
			if ok {
				t.held++
			}
		}
		if t.tooFew() {
			failed = append(failed, s.name)
		}
		if _, err := fmt.Fprintf(w, "| %s | %.1f |\n", s.name,
			100*float64(t.held)/float64(trials)); err != nil {
			return nil, err
		}
	}
	return failed, nil
}

// stopped runs exponential latencies until their interval is narrow enough. It
// returns the share of intervals that hold the mean, and the mean number of
// operations over the number that suffices if the variance is known.
func stopped(ctx context.Context, precision float64, trials int) (held, cost float64, err error) {
	for i := range trials {
		if err := ctx.Err(); err != nil {
			return 0, 0, err
		}
		r, err := stoppedRun(rand.New(rand.NewPCG(uint64(i), 2)), precision)
		if err != nil {
			return 0, 0, err
		}
		if e := judge.Mean(r); e.Interval != nil && e.Interval.Holds(1e6) {
			held += 1 / float64(trials)
		}
		cost += float64(r.Done) / math.Pow(1.96/precision, 2) / float64(trials)
	}
	return held, cost, nil
}

// stoppedRun is a run of exponential latencies with a mean of 1 ms.
func stoppedRun(random *rand.Rand, precision float64) (*result.Result, error) {
	c := runner.Config{Workers: 1, Duration: time.Hour, Precision: precision, HalfWidth: judge.HalfWidth}
	return runner.Replay(c, func(int, time.Duration) time.Duration {
		return time.Duration(1e6 * random.ExpFloat64())
	})
}
