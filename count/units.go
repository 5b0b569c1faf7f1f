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

// Column is an exact figure of a step.
type Column struct {
	Name string
	Of   func(Counts) uint64
}

// Columns returns the columns of steps. Columns of G2 follow all sums, and columns of
// encodings are last.
func Columns() (all []Column) {
	all = []Column{
		{"Add", func(c Counts) uint64 { return c.Outer().Adds }},
		{"Double", func(c Counts) uint64 { return c.Outer().Doubles }},
		{"Neg", func(c Counts) uint64 { return c.Outer().Negs }},
	}
	var g2, others, encodings []Column
	for op, o := range operations {
		op, list := Op(op), &others
		switch {
		case op < HashToCurve:
			list = &all
		case op <= Decode:
			list = &encodings
		}
		*list = add(add(*list, o.step.calls, op, Counts.Calls, outsideG2), o.step.terms, op, Counts.Terms,
			outsideG2)
		g2 = add(add(g2, o.step.g2Calls, op, Counts.Calls, inG2), o.step.g2Terms, op, Counts.Terms, inG2)
	}
	return slices.Concat(all, g2, others, encodings)
}

// add appends a column of an operation, if it has a name.
func add(all []Column, name string, op Op, figure func(Counts, Op) uint64, keep func(Event) bool) []Column {
	if name == "" {
		return all
	}
	return append(all, Column{name, func(c Counts) uint64 { return figure(c.Select(keep), op) }})
}

func inG2(e Event) bool      { return e.Group == "G2" }
func outsideG2(e Event) bool { return e.Group != "G2" }
