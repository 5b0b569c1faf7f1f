package bench

import "github.com/zkatbench/zkatbench/runner/flags"

// Show selects when the value of an axis is part of a benchmark's name.
type Show int

// An axis is shown always, or only when its flag differs from the default, so
// that the names of users who do not set it stay the same.
const (
	always Show = iota
	IfChosen
)

// Axis is one parameter of the matrix: a flag that is a list, and whose values
// appear in names. Its values are of type T.
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
	brief := a.Brief
	if brief == "" {
		brief = a.Default
	}
	return info{a.Name, a.Flag, a.Usage, a.Default, brief, a.Values.Allowed, a.Show, a.Parallel}
}

func (a *Axis[T]) list(raw string) (vs []value, bad string, ok bool) {
	all, bad, ok := a.Values.List(raw)
	for _, v := range all {
		vs = append(vs, value{axis: a, key: a.Name, text: a.Values.Text(v), value: v})
	}
	return vs, bad, ok
}
