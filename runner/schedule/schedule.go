// Package schedule says when operations should start. It is arithmetic: it
// holds no clock, so a plan is tested without one.
//
//	schedule.go  Plan: a rate over time; Cursor: its starts one after another
//	parse.go     a Plan from text
package schedule

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"
)

// The arrivals that a Plan can have.
const (
	Constant = "constant" // Rate, evenly spaced
	Poisson  = "poisson"  // Rate on average, independent of each other
	Ramp     = "ramp"     // from Rate to To in a straight line over Over
	Step     = "step"     // from Rate to To in Steps equal steps over Over
)

// ErrPlan says that a Plan makes no sense.
var ErrPlan = errors.New("schedule")

// A Plan says when operations should start, whatever became of those before:
// an open loop. It is data. Rates are in operations a second.
type Plan struct {
	Arrival string        `json:"arrival"`
	Rate    float64       `json:"rate"`
	To      float64       `json:"to,omitempty"`    // of a ramp or step, kept after Over
	Over    time.Duration `json:"over,omitempty"`  // of a ramp or step
	Steps   int           `json:"steps,omitempty"` // rates of a step, at least 2
	Seed    uint64        `json:"seed,omitempty"`  // of Poisson arrivals
}

// The fastest and the slowest rate: one start a nanosecond is the resolution
// of a time.Duration, one a day is slower than anyone waits.
const (
	fastest = 1e9
	slowest = 1.0 / 86400
)

// mostSteps bounds the steps, which each start walks.
const mostSteps = 1000

// Check returns an error that wraps ErrPlan unless p can be followed.
func (p Plan) Check() error {
	if !(p.Rate >= slowest && p.Rate <= fastest) {
		return fmt.Errorf("%w: a rate of %g/s is outside [%.3g, %g]", ErrPlan, p.Rate, slowest, fastest)
	}
	switch p.Arrival {
	case Constant, Poisson:
		return nil
	case Ramp, Step:
	default:
		return fmt.Errorf("%w: arrival %q is not one of %s, %s, %s, %s", ErrPlan, p.Arrival, Constant, Poisson, Ramp, Step)
	}
	switch {
	case !(p.To >= slowest && p.To <= fastest):
		return fmt.Errorf("%w: a final rate of %g/s is outside [%.3g, %g]", ErrPlan, p.To, slowest, fastest)
	case p.Over <= 0:
		return fmt.Errorf("%w: a %s over %v", ErrPlan, p.Arrival, p.Over)
	case p.Arrival == Step && (p.Steps < 2 || p.Steps > mostSteps):
		return fmt.Errorf("%w: %d steps are outside [2, %d]", ErrPlan, p.Steps, mostSteps)
	}
	return nil
}

// Level is the plan that keeps the first rate of p for ever, as a warm-up does.
func (p Plan) Level() Plan {
	if p.Arrival != Poisson {
		p.Arrival = Constant
	}
	p.Seed++ // other arrivals than those that are measured
	return p
}

// Expected returns Λ(t), how many operations should have started by t on
// average.
func (p Plan) Expected(t time.Duration) float64 {
	s, over := t.Seconds(), p.Over.Seconds()
	switch p.Arrival {
	case Ramp:
		in := min(s, over)
		return p.Rate*in + (p.To-p.Rate)*in*in/(2*over) + p.To*(s-in)
	case Step:
		length, sum := over/float64(p.Steps), 0.0
		for k := range p.Steps {
			sum += p.stepRate(k) * min(max(0, s-float64(k)*length), length)
		}
		return sum + p.To*max(0, s-over)
	}
	return p.Rate * s
}

func (p Plan) stepRate(k int) float64 {
	return p.Rate + (p.To-p.Rate)*float64(k)/float64(p.Steps-1)
}

// when returns Λ⁻¹(x) in seconds: the time by which x operations should have
// started.
func (p Plan) when(x float64) float64 {
	over := p.Over.Seconds()
	switch p.Arrival {
	case Ramp:
		all := (p.Rate + p.To) / 2 * over
		if x >= all {
			return over + (x-all)/p.To
		}
		// The root of a·t² + Rate·t = x that does not cancel.
		a := (p.To - p.Rate) / (2 * over)
		return 2 * x / (p.Rate + math.Sqrt(p.Rate*p.Rate+4*a*x))
	case Step:
		length := over / float64(p.Steps)
		for k := range p.Steps {
			in := p.stepRate(k) * length
			if x < in {
				return float64(k)*length + x/p.stepRate(k)
			}
			x -= in
		}
		return over + x/p.To
	}
	return x / p.Rate
}

// A Cursor walks the starts of a Plan in order.
type Cursor struct {
	plan   Plan
	x      float64 // Λ of the next start
	source *rand.PCG
	random *rand.Rand // nil if arrivals are not random
}

// Cursor returns one that stands before the first start. Constant plans start
// at 0. Poisson arrivals are those of a rate of one a second, walked at the
// plan's rate (the time-change theorem), so a seed means the same ones.
func (p Plan) Cursor() *Cursor {
	c := &Cursor{plan: p}
	if p.Arrival == Poisson {
		c.source = rand.NewPCG(p.Seed, 0)
		c.random = rand.New(c.source)
		c.x = c.random.ExpFloat64()
	}
	return c
}

// Clone returns a cursor that will give the same starts as c.
func (c *Cursor) Clone() *Cursor {
	d := *c
	if c.source != nil {
		source := *c.source
		d.source, d.random = &source, rand.New(&source)
	}
	return &d
}

// Next returns when the next operation should start, counted from the start of
// the plan.
func (c *Cursor) Next() time.Duration {
	t := c.plan.when(c.x)
	if c.random != nil {
		c.x += c.random.ExpFloat64()
	} else {
		c.x++
	}
	return time.Duration(math.Round(min(t, 9e9) * 1e9))
}
