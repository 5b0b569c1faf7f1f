package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/bench/svg"
	"github.com/zkatbench/zkatbench/text"
)

// phase is the key of names that stacks counts.
const phase = "phase"

// counts shows exact counts as stacked bars: by phase, for each unit, for benchmarks
// with phase= in their names, and by unit for others.
func counts(d *result.Data, all []*benchmark) (s section) {
	s = section{ID: "counts", Title: "Counted operations", Lead: "Exact counts of one operation, the same on every machine."}
	units := countUnits(d)
	for _, b := range all {
		f := figure{Title: b.title(), Table: table{Head: []string{"case", "part", "unit", "count"}}}
		if i := slices.IndexFunc(b.Axes, func(a axis) bool { return a.Name == phase }); i >= 0 {
			for _, unit := range units {
				inPhase := func(c benchCase, part string) (string, bool) { return unit, c.Value[phase] == part }
				f.addBars(unit, b.stack(d, without(b.Axes, phase), b.Axes[i].Values, inPhase, &f.Table))
			}
		} else {
			counted := slices.DeleteFunc(slices.Clone(units), func(unit string) bool {
				return !slices.ContainsFunc(b.Cases, func(c benchCase) bool { return d.Values[c.Key][unit] != nil })
			})
			f.addBars("", b.stack(d, b.Axes, counted, func(_ benchCase, unit string) (string, bool) { return unit, true }, &f.Table))
		}
		if len(f.Table.Rows) == 0 {
			continue
		}
		if f.Grids[0].Unit != "" {
			s.Units = units
		}
		s.Figures = append(s.Figures, f)
	}
	return s
}

// countUnits returns the exact units per operation, except bytes.
func countUnits(d *result.Data) (units []string) {
	if d == nil {
		return nil
	}
	for _, u := range d.Units {
		m := d.Meta.Get(u, "assume")
		if m != nil && m.Value == "exact" && strings.HasSuffix(u, "/op") && !strings.HasPrefix(u, "B/") && !strings.HasSuffix(u, "B/op") {
			units = append(units, u)
		}
	}
	return units
}

// stack is bars with the same parts.
type stack struct {
	head  string // of the labels
	parts []string
	bars  []bar
}

// bar has the sizes of its parts, and the name by which the page filters.
type bar struct {
	name, label string
	sizes       []float64
}

// stack has a bar for each combination of axes. part tells the unit of a part in a case,
// and whether the case has it.
func (b *benchmark) stack(d *result.Data, axes []axis, parts []string, part func(c benchCase, part string) (unit string, has bool), t *table) stack {
	s := stack{head: joined(axes), parts: parts}
	labels, cases := split(b.Cases, axes)
	for _, label := range labels {
		one := bar{name: b.Name + "/" + label, label: cases[label][0].brief(axes), sizes: make([]float64, len(parts))}
		for i, p := range parts {
			for _, c := range cases[label] {
				unit, has := part(c, p)
				if count, known := summarise(d.Values[c.Key][unit]); has && known {
					t.add(c.Key.String(), p, unit, plain(count.Mid))
					one.sizes[i] = count.Mid
				}
			}
		}
		s.bars = append(s.bars, one)
	}
	return s
}

// addBars draws a row with its sum for each bar.
func (f *figure) addBars(unit string, s stack) {
	if len(s.parts) > 1 {
		f.Legend = legend(asBar, s.parts...)
	}
	var ends []span
	for _, b := range s.bars {
		ends = append(ends, span{sum(b.sizes), sum(b.sizes)})
	}
	a := stripAxisOf(ends)
	a.low = 0
	g := grid{Unit: unit, Class: "strips", Head: []cell{{Text: s.head}, {Text: cmp.Or(unit, "operations")}, {Picture: a.marks(text.Number)}}}
	for _, b := range s.bars {
		p, from := newStrip(a, 0), 0.0
		for i, size := range b.sizes {
			if size > 0 {
				p.bar(from, from+size, svg.Colour(i), fmt.Sprintf("%s %s: %s", b.label, s.parts[i], plain(size)))
			}
			from += size
		}
		p.beyond(from, 50, "dot")
		g.Rows = append(g.Rows, gridRow{Name: b.name, Label: b.label, Cells: []cell{{Text: text.Number(from)}, {Class: "picture", Picture: p.picture()}}})
	}
	f.Grids = append(f.Grids, g)
}

func sum(values []float64) (all float64) {
	for _, v := range values {
		all += v
	}
	return all
}
