package bench

import (
	"fmt"
	"strings"
)

// Show says when the value of an axis is part of a benchmark's name.
type Show int

// An axis is always shown, shown when its flag holds anything but the default
// (so that names stay as they were for those who do not use it), or never.
const (
	Always Show = iota
	IfChosen
	Never
)

// Axis is one parameter of the matrix. Its values are of type T.
type Axis[T any] struct {
	// Name is the key in benchmark names, "bits" in "bits=32".
	Name string
	// Flag is the flag's name without the dash.
	Flag  string
	Usage string
	// Default is what the flag holds when it is not given.
	Default string
	// Brief replaces Default under the runner, where a case takes seconds. If
	// empty, Default holds there as well.
	Brief  string
	Values Values[T]
	Show   Show
	// Parallel says that the axis has a meaning only where workers have: it
	// does not multiply the serial matrix.
	Parallel bool
	// One says that the flag takes one value and no list.
	One bool
}

// Values is what an axis can hold.
type Values[T any] struct {
	// Allowed ends the sentence "x is not ...": "a number from 1 to 64".
	Allowed string
	// Parse reads one item of the list, which can stand for several values.
	Parse func(item string) ([]T, bool)
	// Text writes a value as names show it.
	Text func(T) string
	// Switch says that the flag can be given without a value.
	Switch bool
}

// Of returns the value of the axis in c, the zero value if the case has none: a
// parallel axis in a serial case, an axis that the operation does without.
func (a *Axis[T]) Of(c Case) T {
	for _, v := range c.values {
		if v.of == a {
			return v.value.(T)
		}
	}
	var none T
	return none
}

// Param is an Axis of any type, as Set sees it.
type Param interface {
	info() info
	// list reads what a flag holds, without repetitions.
	list(raw string) ([]value, error)
}

// info is what is known of an axis whatever its type.
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
