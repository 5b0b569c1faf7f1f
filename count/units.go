package count

import "slices"

// Unit is an exact figure with its unit in benchmarks.
type Unit struct {
	Name  string
	Value uint64
}

// Units returns the outer view of one operation in the units of benchmarks. Additions
// include doublings; sums over tables are multi-scalar multiplications.
func (c Counts) Units() []Unit {
	t := c.Outer()
	units := []Unit{{"point-add/op", t.Adds + t.Doubles}}
	add := func(name string, value uint64) {
		i := slices.IndexFunc(units, func(u Unit) bool { return u.Name == name })
		switch {
		case name == "":
		case i < 0:
			units = append(units, Unit{name, value})
		default:
			units[i].Value += value
		}
	}
	for op, o := range operations {
		add(o.calls, c.Calls(Op(op)))
		add(o.terms, c.Terms(Op(op)))
	}
	return units
}
