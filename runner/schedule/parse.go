package schedule

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Parse reads the arrival process of a plan with initial rate rate:
//
//	constant
//	poisson
//	ramp:TO/OVER        ramp:500/30s
//	step:TO/OVER/STEPS  step:500/30s/5
//
// TO is in operations a second.
func Parse(rate float64, arrival string) (Plan, error) {
	name, rest, _ := strings.Cut(arrival, ":")
	p := Plan{Arrival: name, Rate: rate}
	fields := []string{}
	if rest != "" {
		fields = strings.Split(rest, "/")
	}
	if want, known := map[string]int{Constant: 0, Poisson: 0, Ramp: 2, Step: 3}[name]; !known || len(fields) != want {
		return p, fmt.Errorf("%w: %q is not one of constant, poisson, ramp:TO/OVER, step:TO/OVER/STEPS", ErrPlan, arrival)
	}
	for i, read := range []func(string) error{
		func(s string) (err error) { p.To, err = strconv.ParseFloat(s, 64); return },
		func(s string) (err error) { p.Over, err = time.ParseDuration(s); return },
		func(s string) (err error) { p.Steps, err = strconv.Atoi(s); return },
	}[:len(fields)] {
		if err := read(fields[i]); err != nil {
			return p, fmt.Errorf("%w: %q in %q: %s", ErrPlan, fields[i], arrival, [3]string{"a rate", "a duration", "a number of steps"}[i]+" is needed")
		}
	}
	return p, p.Check()
}

// String returns the rate and the arrival in the syntax of Parse.
func (p Plan) String() string {
	switch p.Arrival {
	case Ramp:
		return fmt.Sprintf("%g/s, ramp:%g/%v", p.Rate, p.To, p.Over)
	case Step:
		return fmt.Sprintf("%g/s, step:%g/%v/%d", p.Rate, p.To, p.Over, p.Steps)
	}
	return fmt.Sprintf("%g/s, %s", p.Rate, cmp.Or(p.Arrival, Constant))
}
