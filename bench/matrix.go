package bench

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/runner/drive"
	"github.com/zkatbench/zkatbench/runner/flags"
)

// Selection is the outcome of the flags: the values of every axis, the options,
// and the configuration of the runner.
type Selection struct {
	Options Options

	choices []choice
	runner  *drive.Options
}

// choice holds the values of one axis, for the matrix and under the runner.
type choice struct {
	axis Param
	info
	all, brief []value
}

func (c choice) values(raw string) (vs []value, bad string, ok bool) {
	vs, bad, ok = c.axis.list(raw)
	show := c.show == always || raw != c.normal
	for i := range vs {
		vs[i].show = show
	}
	return vs, bad, ok
}

// All returns the values of the axis in the whole matrix.
func (a *Axis[T]) All(s *Selection) (values []T) {
	for _, c := range s.choices {
		for _, v := range c.all {
			if v.axis == a {
				values = append(values, v.value.(T))
			}
		}
	}
	return values
}

// Drive selects how operations are driven.
type Drive int

// Serial and Parallel are driven by testing.B, Parallel with an axis of
// workers; Load is driven by the runner, with the brief defaults.
const (
	Serial Drive = iota
	Parallel
	Load
)

// Cases returns the matrix: the product of all axes except the axes in without, with the
// last axis varying fastest.
func (s *Selection) Cases(d Drive, without ...Param) []Case {
	cases := []Case{{options: &s.Options}}
	for _, c := range s.choices {
		vs := c.all
		if d == Load {
			vs = c.brief
		}
		if c.parallel && d == Serial || slices.Contains(without, c.axis) {
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

// groups divides cases into groups that differ only in the value of one axis,
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

// Case is one point of the matrix: a value of every axis, which Axis.Of reads,
// and the options of its Selection.
type Case struct {
	values  []value
	options *Options
}

// Options are the options of the Selection; of the zero Case they are zero.
func (c Case) Options() Options {
	if c.options == nil {
		return Options{}
	}
	return *c.options
}

func (c Case) with(v value) Case {
	return Case{append(slices.Clip(c.values), v), c.options}
}

// without returns c without its value of axis.
func (c Case) without(axis Param) Case {
	return Case{slices.DeleteFunc(slices.Clone(c.values), func(v value) bool { return v.axis == axis }),
		c.options}
}

// Params returns the keys and values that names show.
func (c Case) Params() (params [][2]string) {
	for _, v := range c.values {
		if v.show {
			params = append(params, [2]string{v.key, v.text})
		}
	}
	return params
}

// Name is the name of the case in benchmarks: "bits=32/curve=BN254".
func (c Case) Name() string {
	var parts []string
	for _, p := range c.Params() {
		parts = append(parts, p[0]+"="+p[1])
	}
	return strings.Join(parts, "/")
}

// Flags returns the command line that selects the case: a flag for each axis.
func (c Case) Flags() (flags []string) {
	for _, v := range c.values {
		flags = append(flags, "-"+v.axis.(Param).info().flag+"="+v.text)
	}
	return flags
}

// Matches reports whether a benchmark's name without the operation, such as
// "bits=32/curve=BN254", is a name of the case: every part has the value of the
// case, and an axis without a part has its default. Axes in ignored may have any
// value.
func (c Case) Matches(name string, ignored ...Param) bool {
	parts := map[string]string{}
	for part := range strings.SplitSeq(name, "/") {
		if key, value, found := strings.Cut(part, "="); found {
			parts[key] = value
		} else if part != "" {
			return false
		}
	}
	for _, v := range c.values {
		i := v.axis.(Param).info()
		text, named := parts[v.key]
		delete(parts, v.key)
		switch {
		case slices.Contains(ignored, v.axis.(Param)):
		case named && text != v.text, !named && i.normal != v.text:
			return false
		}
	}
	return len(parts) == 0
}

// FlagOf returns the name of the flag of an axis.
func FlagOf(p Param) string { return p.info().flag }

// Show selects when the value of an axis is part of a benchmark's name.
type Show int

// An axis is shown always, or only when its flag differs from the default, so
// that the names of users who do not set it stay the same.
const (
	always Show = iota
	IfChosen
)

// Axis is one parameter of the matrix: a flag with a list of values, which appear in
// names. Its values are of type T.
type Axis[T any] struct {
	// Name is the key in benchmark names, "bits" in "bits=32".
	Name string
	// Flag is the name of the flag without the dash.
	Flag  string
	Usage string
	// Default is the value of the flag when it is not given.
	Default string
	// Brief replaces Default under the runner, where a case takes seconds. If
	// empty, Default applies there as well.
	Brief  string
	Values flags.Values[T]
	Show   Show
	// Parallel marks an axis that applies only to cases with workers: it does
	// not multiply the serial matrix.
	Parallel bool
}

// Of returns the value of the axis in c, or the zero value if the case has no
// such axis: a parallel axis in a serial case, or an axis that does not apply
// to the operation.
func (a *Axis[T]) Of(c Case) T {
	for _, v := range c.values {
		if v.axis == a {
			return v.value.(T)
		}
	}
	var zero T
	return zero
}

// Param is an Axis of any type, as used by Set.
type Param interface {
	info() info
	// list parses the value of a flag, without duplicates. If an item is not
	// allowed, it is returned as bad.
	list(raw string) (vs []value, bad string, ok bool)
}

// info holds the properties of an axis that do not depend on its type.
type info struct {
	name, flag, usage, normal, brief, allowed string
	show                                      Show
	parallel                                  bool
}

// value is a value of an axis in a Case.
type value struct {
	axis  any // the *Axis
	key   string
	text  string
	value any
	show  bool
}

func (a *Axis[T]) info() info {
	return info{name: a.Name, flag: a.Flag, usage: a.Usage, normal: a.Default,
		brief: cmp.Or(a.Brief, a.Default), allowed: a.Values.Allowed, show: a.Show,
		parallel: a.Parallel}
}

func (a *Axis[T]) list(raw string) (vs []value, bad string, ok bool) {
	all, bad, ok := a.Values.List(raw)
	for _, v := range all {
		vs = append(vs, value{axis: a, key: a.Name, text: a.Values.Text(v), value: v})
	}
	return vs, bad, ok
}
