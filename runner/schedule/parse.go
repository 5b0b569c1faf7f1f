package schedule

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Syntax describes the arrivals that Parse reads.
const Syntax = "constant, poisson, ramp:TO/OVER or step:TO/OVER/STEPS, and after a comma more stages: " +
	"constant:OVER, rate:TO, ramp:… or step:…"

// Parse reads the arrival process of a plan with initial rate rate:
//
//	constant
//	poisson
//	ramp:TO/OVER        ramp:500/30s
//	step:TO/OVER/STEPS  step:500/30s/5
//
// TO is in operations a second. Stages follow, each after a comma, from the final rate
// of the previous stage:
//
//	ramp:TO/OVER, step:TO/OVER/STEPS
//	constant:OVER  keeps the rate
//	rate:TO        jumps to a rate
//
// "poisson,ramp:500/30s,constant:1m,rate:50" has independent arrivals at the
// rates of its stages.
func Parse(rate float64, arrival string) (Plan, error) {
	first, stages, more := strings.Cut(arrival, ",")
	p := Plan{Rate: rate}
	s, err := parseStage(first, map[string]int{Constant: 0, Poisson: 0, Ramp: 2, Step: 3})
	p.Arrival, p.To = s.Kind, s.To
	p.Over, p.Steps = s.Over, s.Steps
	if err != nil {
		return p, err
	}
	for more {
		first, stages, more = strings.Cut(stages, ",")
		s, err := parseStage(first, map[string]int{Constant: 1, Ramp: 2, Step: 3, Jump: 1})
		if err != nil {
			return p, err
		}
		p.Then = append(p.Then, s)
	}
	return p, p.Check()
}

// parseStage reads one stage; fields has the number of fields of each kind.
func parseStage(text string, fields map[string]int) (s Stage, err error) {
	name, rest, _ := strings.Cut(text, ":")
	s.Kind = name
	values := []string{}
	if rest != "" {
		values = strings.Split(rest, "/")
	}
	if want, known := fields[name]; !known || len(values) != want {
		return s, fmt.Errorf("%w: %q is not one of %s", ErrPlan, text, Syntax)
	}
	readers := []func(string) error{
		func(v string) (err error) { s.To, err = strconv.ParseFloat(v, 64); return },
		func(v string) (err error) { s.Over, err = time.ParseDuration(v); return },
		func(v string) (err error) { s.Steps, err = strconv.Atoi(v); return },
	}
	needed := [3]string{"a rate", "a duration", "a number of steps"}
	if name == Constant {
		readers, needed = readers[1:], [3]string{needed[1]}
	}
	for i, v := range values {
		if err := readers[i](v); err != nil {
			return s, fmt.Errorf("%w: %q in %q: %s is needed", ErrPlan, v, text, needed[i])
		}
	}
	return s, nil
}

// String returns the rate and the arrival in the syntax of Parse.
func (p Plan) String() string {
	text := fmt.Sprintf("%g/s, %s", p.Rate, Stage{Kind: cmp.Or(p.Arrival, Constant),
		To: p.To, Over: p.Over, Steps: p.Steps})
	for _, s := range p.Then {
		text += "," + s.String()
	}
	if p.Generators > 0 {
		text += fmt.Sprintf(", generator %d of %d", p.Generator, p.Generators)
	}
	return text
}

// String returns the stage in the syntax of Parse.
func (s Stage) String() string {
	switch {
	case s.Kind == Ramp:
		return fmt.Sprintf("ramp:%g/%v", s.To, s.Over)
	case s.Kind == Step:
		return fmt.Sprintf("step:%g/%v/%d", s.To, s.Over, s.Steps)
	case s.Kind == Jump:
		return fmt.Sprintf("rate:%g", s.To)
	case s.Over > 0:
		return fmt.Sprintf("%s:%v", s.Kind, s.Over)
	}
	return s.Kind
}
