// Package schedule computes when operations should start. It is pure arithmetic
// without a clock, so plans can be tested without waiting.
//
// A Plan is a rate over time, also read from text. A Cursor has its starts one
// after another.
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
	Jump     = "rate"     // to To at once; only of a Stage
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
	// Then has the stages that follow, each from the final rate of the previous stage:
	// at once after Constant and Poisson, and after Over otherwise. The last rate is
	// kept. After Poisson, arrivals stay independent of each other.
	Then []Stage `json:"then,omitempty"`
	// Generator, from 1 to Generators, starts its part of the plan: every start is
	// in the part of one generator. Constant starts go round; Poisson arrivals are
	// assigned at random, so the arrivals of each part are Poisson. 0 starts all.
	Generator  int `json:"generator,omitempty"`
	Generators int `json:"generators,omitempty"`
}

// A Stage is a part of a plan that begins at the rate where the part before
// it ends.
type Stage struct {
	Kind  string        `json:"kind"`            // Constant, Ramp, Step, Jump
	To    float64       `json:"to,omitempty"`    // final rate, except of Constant
	Over  time.Duration `json:"over,omitempty"`  // length, except of Jump
	Steps int           `json:"steps,omitempty"` // of Step, at least 2
}

// maxStages bounds Then.
const maxStages = 1000

// maxRate and minRate bound all rates: one start a nanosecond is the resolution
// of time.Duration; a rate below one a day would not start an operation in any practical
// run.
const (
	maxRate = 1e9
	minRate = 1.0 / 86400
)

// maxSteps bounds Steps, and maxGenerators Generators.
const (
	maxSteps      = 1000
	maxGenerators = 1000
)

// Check returns an error that wraps ErrPlan if p is not valid.
func (p Plan) Check() error {
	if !(p.Rate >= minRate && p.Rate <= maxRate) {
		return fmt.Errorf("%w: a rate of %g/s is outside [%.3g, %g]", ErrPlan, p.Rate, minRate, maxRate)
	}
	switch p.Arrival {
	case "", Constant, Poisson, Ramp, Step:
	default:
		return fmt.Errorf("%w: arrival %q is not one of %s, %s, %s, %s", ErrPlan, p.Arrival, Constant,
			Poisson, Ramp, Step)
	}
	if p.Generator < 0 || p.Generator > p.Generators || p.Generator == 0 && p.Generators != 0 ||
		p.Generators > maxGenerators {
		return fmt.Errorf("%w: generator %d of %d, of at most %d", ErrPlan, p.Generator, p.Generators,
			maxGenerators)
	}
	if len(p.Then) > maxStages {
		return fmt.Errorf("%w: %d stages are more than %d", ErrPlan, len(p.Then), maxStages)
	}
	for _, s := range p.stages() {
		if err := s.check(); err != nil {
			return err
		}
	}
	return nil
}

func (s Stage) check() error {
	switch s.Kind {
	case Constant, Jump, Ramp, Step:
	default:
		return fmt.Errorf("%w: stage %q is not one of %s, %s, %s, %s", ErrPlan, s.Kind, Constant, Jump, Ramp,
			Step)
	}
	switch {
	case s.Kind != Constant && !(s.To >= minRate && s.To <= maxRate):
		return fmt.Errorf("%w: a final rate of %g/s is outside [%.3g, %g]", ErrPlan, s.To, minRate, maxRate)
	case s.Kind != Jump && s.Over <= 0:
		return fmt.Errorf("%w: a %s over %v", ErrPlan, s.Kind, s.Over)
	case s.Kind == Step && (s.Steps < 2 || s.Steps > maxSteps):
		return fmt.Errorf("%w: %d steps are outside [2, %d]", ErrPlan, s.Steps, maxSteps)
	}
	return nil
}

// stages are the parts of p after a constant rate.
func (p Plan) stages() []Stage {
	if p.Arrival == Ramp || p.Arrival == Step {
		return append([]Stage{{Kind: p.Arrival, To: p.To, Over: p.Over, Steps: p.Steps}}, p.Then...)
	}
	return p.Then
}

// Length returns the time after which p keeps its last rate.
func (p Plan) Length() (all time.Duration) {
	for _, s := range p.stages() {
		if s.Kind != Jump {
			all += s.Over
		}
	}
	return all
}

// Random reports whether arrivals are random; p then has an exponential time
// between them at a constant rate.
func (p Plan) Random() bool { return p.Arrival == Poisson }

// Level returns a plan that keeps the first rate of p forever, for a warm-up.
func (p Plan) Level() Plan {
	if p.Arrival != Poisson {
		p.Arrival = Constant
	}
	p.Then = nil
	p.Seed++ // different arrivals than in the measured window
	return p
}

// A segment is a time when the rate changes in a straight line. Times are in
// seconds from the start of the plan.
type segment struct {
	begin, end float64
	from, to   float64 // rates
	before     float64 // Λ(begin)
}

// segments returns the segments of p. The last one keeps its rate and does not
// end.
func (p Plan) segments() (all []segment) {
	rate, at, before := p.Rate, 0.0, 0.0
	add := func(to, length float64) {
		all = append(all, segment{begin: at, end: at + length, from: rate, to: to, before: before})
		before += (rate + to) / 2 * length
		rate, at = to, at+length
	}
	for _, s := range p.stages() {
		length := s.Over.Seconds()
		switch s.Kind {
		case Constant:
			add(rate, length)
		case Ramp:
			add(s.To, length)
		case Step:
			begin, end, from := at, at+length, rate
			for k := range s.Steps {
				rate = from + (s.To-from)*float64(k)/float64(s.Steps-1)
				till := begin + length*float64(k+1)/float64(s.Steps)
				if k == s.Steps-1 {
					till = end
				}
				add(rate, till-at)
			}
		}
		if s.Kind != Constant {
			rate = s.To
		}
	}
	return append(all, segment{begin: at, end: math.Inf(1), from: rate, to: rate, before: before})
}

// expected returns Λ(t) for a time in the segment or after it.
func (s segment) expected(t float64) float64 {
	in := min(t, s.end) - s.begin
	if s.from == s.to {
		return s.before + s.from*in
	}
	return s.before + s.from*in + (s.to-s.from)*in*in/(2*(s.end-s.begin))
}

// inverse returns Λ⁻¹(x) for an x in the segment.
func (s segment) inverse(x float64) float64 {
	x -= s.before
	if s.from == s.to {
		return s.begin + x/s.from
	}
	// Solve a·t² + from·t = x with the form of the root that avoids cancellation.
	a := (s.to - s.from) / (2 * (s.end - s.begin))
	return min(s.end, s.begin+2*x/(s.from+math.Sqrt(max(0, s.from*s.from+4*a*x))))
}

// Expected returns Λ(t), the mean number of operations that should have started
// by time t, divided by the generators.
func (p Plan) Expected(t time.Duration) (n float64) {
	for _, s := range p.segments() {
		if s.begin <= t.Seconds() {
			n = s.expected(t.Seconds())
		}
	}
	return n / float64(max(1, p.Generators))
}

// A Cursor iterates over the starts of a Plan in order.
type Cursor struct {
	left   []segment // from the segment of the last start
	x      float64   // Λ of the next start
	source *rand.PCG
	random *rand.Rand // nil if arrivals are not random

	generator, generators int
	turn                  int       // generator of the next constant start, from 0
	parting               *rand.PCG // assigns random starts
}

// Cursor returns a Cursor before the first start. Constant plans start at 0.
// Poisson arrivals are drawn at a rate of one a second and then scaled to the
// rate of the plan (the time-change theorem), so the same seed gives the same
// arrivals at every rate.
func (p Plan) Cursor() *Cursor {
	c := &Cursor{left: p.segments(), generator: p.Generator - 1, generators: p.Generators}
	if p.Arrival == Poisson {
		c.source = rand.NewPCG(p.Seed, 0)
		c.random = rand.New(c.source)
		c.x = c.random.ExpFloat64()
		c.parting = rand.NewPCG(p.Seed, 1)
	}
	return c
}

// Clone returns an independent cursor that gives the same starts as c.
func (c *Cursor) Clone() *Cursor {
	d := *c
	if c.source != nil {
		source := *c.source
		parting := *c.parting
		d.source, d.random, d.parting = &source, rand.New(&source), &parting
	}
	return &d
}

// Next returns the time of the next start of the generator, counted from the start of
// the plan.
func (c *Cursor) Next() time.Duration {
	for {
		t, turn := c.next(), c.turn
		switch {
		case c.generators == 0:
			return t
		case c.parting != nil:
			// of at most maxGenerators: without a visible bias
			turn = int(c.parting.Uint64() % uint64(c.generators))
		default:
			c.turn = (turn + 1) % c.generators
		}
		if turn == c.generator {
			return t
		}
	}
}

// next returns the time of the next start of any generator.
func (c *Cursor) next() time.Duration {
	for len(c.left) > 1 && c.x >= c.left[1].before {
		c.left = c.left[1:]
	}
	t := c.left[0].inverse(c.x)
	if c.random != nil {
		c.x += c.random.ExpFloat64()
	} else {
		c.x++
	}
	return time.Duration(math.Round(min(t, 9e9) * 1e9))
}

// A Part is an interval of a plan with a constant or linearly changing rate.
type Part struct {
	Begin, End time.Duration
	From, To   float64 // rates, in operations a second
}

// Parts returns the parts of the first d of p.
func (p Plan) Parts(d time.Duration) (all []Part) {
	for _, s := range p.segments() {
		begin, end := s.begin*float64(time.Second), min(s.end*float64(time.Second), float64(d))
		if end > begin {
			to := s.to
			if at := d.Seconds(); s.end > at && s.from != s.to {
				to = s.from + (s.to-s.from)*(at-s.begin)/(s.end-s.begin)
			}
			all = append(all,
				Part{Begin: time.Duration(math.Round(begin)), End: time.Duration(math.Round(end)),
					From: s.from, To: to})
		}
	}
	return all
}
