// Package schedule computes when operations should start. It is pure arithmetic
// without a clock, so plans can be tested without waiting.
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

// The values of Plan.Arrival.
const (
	Constant = "constant" // Rate, evenly spaced
	Poisson  = "poisson"  // Rate on average, independent of each other
	Ramp     = "ramp"     // from Rate to To in a straight line over Over
	Step     = "step"     // from Rate to To in Steps equal steps over Over
)

// ErrPlan reports an invalid Plan.
var ErrPlan = errors.New("schedule")

// A Plan gives the planned start times of operations in an open loop: starts do
// not depend on whether earlier operations have finished. Rates are in
// operations a second.
type Plan struct {
	Arrival string        `json:"arrival"` // Constant if empty
	Rate    float64       `json:"rate"`
	To      float64       `json:"to,omitempty"`    // final rate of a ramp or step, kept after Over
	Over    time.Duration `json:"over,omitempty"`  // length of a ramp or step
	Steps   int           `json:"steps,omitempty"` // number of rates of a step, at least 2
	Seed    uint64        `json:"seed,omitempty"`  // seed of Poisson arrivals
}

// maxRate and minRate bound all rates: one start a nanosecond is the resolution
// of time.Duration; a rate below one a day would start nothing in any practical
// run.
const (
	maxRate = 1e9
	minRate = 1.0 / 86400
)

// maxSteps bounds Steps, since every start loops over all of them.
const maxSteps = 1000

// Check returns an error that wraps ErrPlan if p is not valid.
func (p Plan) Check() error {
	if !(p.Rate >= minRate && p.Rate <= maxRate) {
		return fmt.Errorf("%w: a rate of %g/s is outside [%.3g, %g]", ErrPlan, p.Rate, minRate, maxRate)
	}
	switch p.Arrival {
	case "", Constant, Poisson:
		return nil
	case Ramp, Step:
	default:
		return fmt.Errorf("%w: arrival %q is not one of %s, %s, %s, %s", ErrPlan, p.Arrival, Constant, Poisson, Ramp, Step)
	}
	switch {
	case !(p.To >= minRate && p.To <= maxRate):
		return fmt.Errorf("%w: a final rate of %g/s is outside [%.3g, %g]", ErrPlan, p.To, minRate, maxRate)
	case p.Over <= 0:
		return fmt.Errorf("%w: a %s over %v", ErrPlan, p.Arrival, p.Over)
	case p.Arrival == Step && (p.Steps < 2 || p.Steps > maxSteps):
		return fmt.Errorf("%w: %d steps are outside [2, %d]", ErrPlan, p.Steps, maxSteps)
	}
	return nil
}

// Level returns a plan that keeps the first rate of p forever, for a warm-up.
func (p Plan) Level() Plan {
	if p.Arrival != Poisson {
		p.Arrival = Constant
	}
	p.Seed++ // different arrivals than in the measured window
	return p
}

// Expected returns Λ(t), the mean number of operations that should have started
// by time t.
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

// inverse returns Λ⁻¹(x) in seconds: the time by which x operations should have
// started.
func (p Plan) inverse(x float64) float64 {
	over := p.Over.Seconds()
	switch p.Arrival {
	case Ramp:
		all := (p.Rate + p.To) / 2 * over
		if x >= all {
			return over + (x-all)/p.To
		}
		// Solve a·t² + Rate·t = x with the form of the root that avoids
		// cancellation.
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

// A Cursor iterates over the starts of a Plan in order.
type Cursor struct {
	plan   Plan
	x      float64 // Λ of the next start
	source *rand.PCG
	random *rand.Rand // nil if arrivals are not random
}

// Cursor returns a Cursor before the first start. Constant plans start at 0.
// Poisson arrivals are drawn at a rate of one a second and then scaled to the
// rate of the plan (the time-change theorem), so the same seed gives the same
// arrivals at every rate.
func (p Plan) Cursor() *Cursor {
	c := &Cursor{plan: p}
	if p.Arrival == Poisson {
		c.source = rand.NewPCG(p.Seed, 0)
		c.random = rand.New(c.source)
		c.x = c.random.ExpFloat64()
	}
	return c
}

// Clone returns an independent cursor that gives the same starts as c.
func (c *Cursor) Clone() *Cursor {
	d := *c
	if c.source != nil {
		source := *c.source
		d.source, d.random = &source, rand.New(&source)
	}
	return &d
}

// Next returns the time of the next start, counted from the start of the plan.
func (c *Cursor) Next() time.Duration {
	t := c.plan.inverse(c.x)
	if c.random != nil {
		c.x += c.random.ExpFloat64()
	} else {
		c.x++
	}
	return time.Duration(math.Round(min(t, 9e9) * 1e9))
}
