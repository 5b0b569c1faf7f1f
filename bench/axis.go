package bench

import (
	"fmt"
	"strings"
)

// Show selects when the value of an axis is part of a benchmark's name.
type Show int

// An axis is shown always, only when its flag differs from the default (so that
// the names of users who do not set it stay the same), or never.
const (
	Always Show = iota
	IfChosen
	Never
)

// Axis is one parameter of the matrix. Its values are of type T.
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
	Values Values[T]
	Show   Show
	// Parallel marks an axis that applies only to cases with workers: it does
	// not multiply the serial matrix.
	Parallel bool
	// One means that the flag takes a single value instead of a list.
	One bool
}

// Values describes the values of an axis.
type Values[T any] struct {
	// Allowed completes the sentence "x is not ...": "a number from 1 to 64".
	Allowed string
	// Parse reads one item of the list, which can stand for several values.
	Parse func(item string) ([]T, bool)
	// Text formats a value as in names.
	Text func(T) string
	// Switch means that the flag can be given without a value.
	Switch bool
}

// Of returns the value of the axis in c, or the zero value if the case has no
// such axis: a parallel axis in a serial case, or an axis that does not apply
// to the operation.
func (a *Axis[T]) Of(c Case) T {
	for _, v := range c.values {
		if v.of == a {
			return v.value.(T)
		}
	}
	var zero T
	return zero
}

// Param is an Axis of any type, as used by Set.
type Param interface {
	info() info
	// list parses the value of a flag, without duplicates.
	list(raw string) ([]value, error)
}

// info holds the properties of an axis that do not depend on its type.
type info struct {
	name, flag, usage, normal, brief string
	show                             Show
	parallel, toggle                 bool
}

// value is a value of an axis in a Case.
type value struct {
	of    any // the *Axis
	key   string
	text  string
	value any
	show  bool
}

func (a *Axis[T]) info() info {
	brief := a.Brief
	if brief == "" {
		brief = a.Default
	}
	return info{a.Name, a.Flag, a.Usage, a.Default, brief, a.Show, a.Parallel, a.Values.Switch}
}

func (a *Axis[T]) list(raw string) (vs []value, err error) {
	items := []string{raw}
	if !a.One {
		items = strings.Split(raw, ",")
	}
	seen := map[string]bool{}
	for _, item := range items {
		item = strings.TrimSpace(item)
		parsed, ok := a.Values.Parse(item)
		if !ok {
			return nil, fmt.Errorf("%q is not %s", item, a.Values.Allowed)
		}
		for _, v := range parsed {
			text := a.Values.Text(v)
			if !seen[text] {
				seen[text] = true
				vs = append(vs, value{of: a, key: a.Name, text: text, value: v})
			}
		}
	}
	return vs, nil
}
