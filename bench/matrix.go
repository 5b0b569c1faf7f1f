package bench

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/runner/drive"
)

// Selection is what the flags ask for: the values of every axis, and how the
// runner should run.
type Selection struct {
	choices []choice
	runner  *drive.Options
}

// choice is the values of one axis: of the matrix, and under the runner.
type choice struct {
	of Param
	info
	all, brief []value
}

func newChoice(a Param, normal, brief string) (c choice, err error) {
	c.of, c.info = a, a.info()
	if c.all, err = c.values(a, normal); err != nil {
		return c, err
	}
	c.brief, err = c.values(a, brief)
	return c, err
}

func (c choice) values(a Param, raw string) ([]value, error) {
	vs, err := a.list(raw)
	show := c.show == Always || c.show == IfChosen && raw != c.normal
	for i := range vs {
		vs[i].show = show
	}
	return vs, err
}

// All returns the values of the axis in the whole matrix.
func (a *Axis[T]) All(s *Selection) (values []T) {
	for _, c := range s.choices {
		for _, v := range c.all {
			if v.of == a {
				values = append(values, v.value.(T))
			}
		}
	}
	return values
}

// Drive is how operations are driven.
type Drive int

// Serial and Parallel are a testing.B, the second with an axis of workers; Load
// is the runner, which has the brief defaults.
const (
	Serial Drive = iota
	Parallel
	Load
)

// Cases returns the matrix: the product of all axes but those in without, the
// last one varying fastest.
func (s *Selection) Cases(d Drive, without ...Param) []Case {
	cases := []Case{{}}
	for _, c := range s.choices {
		vs := c.all
		if d == Load {
			vs = c.brief
		}
		if c.parallel && d == Serial || slices.Contains(without, c.of) {
			continue
		}
		var next []Case
		for _, old := range cases {
			for _, v := range vs {
				next = append(next, old.with(v))
			}
		}
		cases = next
	}
	return cases
}

// groups cuts cases into those that differ in the value of one axis alone,
// which varies fastest.
func groups(cases []Case, axis Param) (gs [][]Case) {
	key := func(c Case) string { return fmt.Sprint(c.without(axis)) }
	for i, c := range cases {
		if i == 0 || key(c) != key(cases[i-1]) {
			gs = append(gs, nil)
		}
		gs[len(gs)-1] = append(gs[len(gs)-1], c)
	}
	return gs
}

// Case is one point of the matrix: a value of every axis. Axis.Of reads it.
type Case struct{ values []value }

func (c Case) with(v value) Case {
	values := make([]value, len(c.values), len(c.values)+1)
	copy(values, c.values)
	return Case{append(values, v)}
}

// without is c but for its value of axis.
func (c Case) without(axis Param) Case {
	return Case{slices.DeleteFunc(slices.Clone(c.values), func(v value) bool { return v.of == axis })}
}

// Name is how benchmarks call the case: "bits=32/curve=BN254".
func (c Case) Name() string {
	var parts []string
	for _, v := range c.values {
		if v.show {
			parts = append(parts, v.key+"="+v.text)
		}
	}
	return strings.Join(parts, "/")
}
