package cost

import (
	"context"
	"slices"
	"time"

	"github.com/zkatbench/zkatbench/runner/stats"
)

// Options configure a measurement.
type Options struct {
	Sample   time.Duration         // measuring time of each figure
	Now      func() time.Duration  // the clock; nil means wall time
	Progress func(done, total int) // called from time to time; may be nil
}

// A sample lasts sampleTime or one call, whichever is longer. sampleTime is
// below the time slice of a busy system, so that with a wall clock, too, few
// samples are interrupted. Options.Sample limits the number of samples of a
// figure; there are at least minSamples.
const (
	sampleTime = 300 * time.Microsecond
	minSamples = 5
)

// Meter measures the costs of calls: Curve plans figures, Run measures them
// all. A figure is the median of short samples, taken in rounds over all
// figures, so that a short disturbance of the machine affects one sample of
// many figures instead of all samples of one figure. The zero value is ready to
// use.
type Meter struct {
	figures []*figure
}

// figure is one cost to measure.
type figure struct {
	call    func()
	calls   int       // calls in a sample
	samples []float64 // nanoseconds for each call, sorted at the end
	spent   time.Duration
	ns      *float64 // destination of the median
}

// Curve plans to measure call(n) for each size n; Run fills in the costs.
func (m *Meter) Curve(sizes []int, call func(n int) func()) Curve {
	c := make(Curve, len(sizes))
	for i, n := range sizes {
		c[i].Size = n
		m.figures = append(m.figures, &figure{call: call(n), calls: 1, ns: &c[i].NS})
	}
	return c
}

// Run measures the planned figures. The error is the error of ctx.
func (m *Meter) Run(ctx context.Context, o Options) error {
	if o.Now == nil {
		start := time.Now()
		o.Now = func() time.Duration { return time.Since(start) }
	}
	rounds := max(int(o.Sample/sampleTime), minSamples)
	for round := range rounds {
		for i, f := range m.figures {
			if err := ctx.Err(); err != nil {
				return err
			}
			if o.Progress != nil {
				o.Progress(round*len(m.figures)+i, rounds*len(m.figures))
			}
			if len(f.samples) < minSamples || f.spent < o.Sample {
				f.sample(o.Now, min(sampleTime, o.Sample/minSamples))
			}
		}
	}
	for _, f := range m.figures {
		slices.Sort(f.samples)
		*f.ns = stats.Median(f.samples)
	}
	return nil
}

// sample takes one sample of at least the given length. One untimed call
// precedes the first sample.
func (f *figure) sample(now func() time.Duration, least time.Duration) {
	if len(f.samples) == 0 {
		f.call()
	}
	for {
		start := now()
		for range f.calls {
			f.call()
		}
		took := now() - start
		if took >= least {
			f.spent += took
			f.samples = append(f.samples, float64(took.Nanoseconds())/float64(f.calls))
			return
		}
		f.calls *= 2
	}
}

// Spread returns the value for Costs.Spread.
func (m *Meter) Spread() float64 {
	var spreads []float64
	for _, f := range m.figures {
		n := len(f.samples)
		half := f.samples[n*3/4] - f.samples[n/4]
		spreads = append(spreads, half/max(*f.ns, 1))
	}
	return stats.Median(spreads)
}
