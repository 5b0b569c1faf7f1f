package selftest

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// share is the percentage of 500·scale trials that succeed.
func share(scale float64, trial func(*rand.Rand) bool) (float64, error) {
	random := rand.New(rand.NewPCG(11, 12))
	trials, n := int(500*scale), 0
	for range trials {
		if trial(random) {
			n++
		}
	}
	return 100 * float64(n) / float64(trials), nil
}

// series is an AR(1) series around 10 with variance 1.
func series(random *rand.Rand, n int, phi float64) []float64 {
	xs := make([]float64, n)
	x := random.NormFloat64()
	for i := range xs {
		x = phi*x + math.Sqrt(1-phi*phi)*random.NormFloat64()
		xs[i] = 10 + x
	}
	return xs
}

// clusters divides a series into a hundred ticks.
func clusters(xs []float64) (cs []stats.Cluster) {
	for tick := range slices.Chunk(xs, max(1, len(xs)/100)) {
		c := stats.Cluster{N: float64(len(tick))}
		for _, x := range tick {
			c.Sum += x
		}
		cs = append(cs, c)
	}
	return cs
}

// holdsMedian reports whether the interval of a Result would contain 10.
func holdsMedian(xs []float64) bool {
	effective := math.Floor(stats.MemoryOf(clusters(xs), 1).Effective(float64(len(xs)), 0.95))
	l, u, ok := stats.Ranks(uint64(effective), 0.5, 0.95)
	slices.Sort(xs)
	scale := float64(len(xs)) / effective
	low, high := max(1, int(float64(l)*scale)), min(len(xs), int(math.Ceil(float64(u)*scale)))
	return ok && xs[low-1] <= 10 && 10 <= xs[high-1]
}

func coverage(_ context.Context, scale float64) (float64, error) {
	return share(4*scale, func(random *rand.Rand) bool { return holdsMedian(series(random, 1000, 0)) })
}

func coverageAR1(_ context.Context, scale float64) (float64, error) {
	return share(scale, func(random *rand.Rand) bool { return holdsMedian(series(random, 4000, 0.9)) })
}

// coverageStopped stops runs when the interval of their mean is within ±5 %.
func coverageStopped(ctx context.Context, scale float64) (float64, error) {
	held, _, err := stopped(ctx, 0.05, int(500*scale))
	return 100 * held, err
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
		if e := r.Mean(); e.Interval != nil && e.Interval.Holds(1e6) {
			held += 1 / float64(trials)
		}
		cost += float64(r.Done) / math.Pow(1.96/precision, 2) / float64(trials)
	}
	return held, cost, nil
}

// stoppedRun is a run of exponential latencies with a mean of 1 ms.
func stoppedRun(random *rand.Rand, precision float64) (*runner.Result, error) {
	c := runner.Config{Workers: 1, Duration: time.Hour, Precision: precision}
	return runner.Replay(c, func(int, time.Duration) time.Duration { return time.Duration(1e6 * random.ExpFloat64()) })
}

func falseTrends(_ context.Context, scale float64) (float64, error) {
	return share(4*scale, func(random *rand.Rand) bool { return math.Abs(stats.Trend(series(random, 64, 0))) > 1.96 })
}

func falseDependence(_ context.Context, scale float64) (float64, error) {
	return share(4*scale, func(random *rand.Rand) bool {
		return stats.MemoryOf(clusters(series(random, 2000, 0)), 1).Inflation > 3
	})
}
