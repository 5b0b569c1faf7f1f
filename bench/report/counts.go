package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/bench/svg"
	"github.com/zkatbench/zkatbench/text"
)

// phase is the key of names that stacks counts.
const phase = "phase"

// counts shows exact counts as stacked bars, for each unit: by phase for
// benchmarks with phase= in their names, and by kind of count for others.
func counts(d *result.Data, all []*benchmark) (s section) {
	s = section{ID: "counts", Title: "Counted operations", Lead: "Exact counts of one operation, the same on every machine."}
	units := countUnits(d)
	if len(units) == 0 {
		return s
	}
	for i, b := range all {
		f := b.stacks(d, units)
		f.ID = fmt.Sprintf("counts-%d", i+1)
		if len(f.Variants) == 0 {
			continue
		}
		if f.Variants[0].Unit != "" {
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

// stack is a set of bars with the same parts.
type stack struct {
	axes  []axis
	parts []string
	bars  []bar
}

// bar is the parts of one bar, and the case that it belongs to.
type bar struct {
	name, label string
	sizes       []float64
}

// stacks draws the counts of b.
func (b *benchmark) stacks(d *result.Data, units []string) figure {
	f := figure{Title: b.title(), Table: table{Head: []string{"case", "part", "unit", "count"}}}
	i := slices.IndexFunc(b.Axes, func(a axis) bool { return a.Name == phase })
	if i < 0 {
		s := stack{axes: b.Axes, parts: units}
		labels, cases := split(b.Cases, b.Axes)
		for _, label := range labels {
			one := bar{name: b.Name + "/" + label, label: cases[label][0].brief(b.Axes)}
			for _, unit := range units {
				one.sizes = append(one.sizes, b.count(d, cases[label], unit, unit, &f.Table))
			}
			s.bars = append(s.bars, one)
		}
		f.addStack(s, "", "operations")
		return f
	}
	rest := without(b.Axes, phase)
	labels, cases := split(b.Cases, rest)
	for _, unit := range units {
		s := stack{axes: rest, parts: b.Axes[i].Values}
		for _, label := range labels {
			one := bar{name: b.Name + "/" + label, label: cases[label][0].brief(rest)}
			_, byPhase := split(cases[label], b.Axes[i:i+1])
			for _, p := range s.parts {
				one.sizes = append(one.sizes, b.count(d, byPhase[phase+"="+p], unit, p, &f.Table))
			}
			s.bars = append(s.bars, one)
		}
		f.addStack(s, unit, unit)
	}
	return f
}

// count returns the figure of a case, or 0 if it is absent, and adds a line to
// the table.
func (b *benchmark) count(d *result.Data, cases []benchCase, unit, part string, t *table) float64 {
	if len(cases) == 0 {
		return 0
	}
	s, ok := summarise(d.Values[cases[0].Key][unit])
	if !ok {
		return 0
	}
	t.add(cases[0].Key.String(), part, unit, plain(s.Mid))
	return s.Mid
}

// addStack adds the picture of s, unless all bars are empty: a row with its sum for
// each bar. Colours are numbered without the parts that are 0 in all bars.
func (f *figure) addStack(s stack, unit, label string) {
	inks := make([]int, len(s.parts))
	var shown []string
	for i, part := range s.parts {
		inks[i] = len(shown)
		if slices.ContainsFunc(s.bars, func(b bar) bool { return b.sizes[i] > 0 }) {
			shown = append(shown, part)
		}
	}
	if len(shown) == 0 {
		return
	}
	f.Legend = legend(asBar, shown...)
	var ends []span
	for _, b := range s.bars {
		ends = append(ends, span{sum(b.sizes), sum(b.sizes)})
	}
	a := stripAxisOf(ends)
	a.low = 0
	rows := &strips{Head: []string{strings.Join(names(s.axes), between), label}, Axis: a.marks(text.Number)}
	for _, b := range s.bars {
		p, from := newStrip(a, 0), 0.0
		for i, size := range b.sizes {
			if size > 0 {
				p.bar(from, from+size, svg.Colour(inks[i]), fmt.Sprintf("%s %s: %s", b.label, s.parts[i], plain(size)))
			}
			from += size
		}
		p.beyond(from, 50, "dot")
		rows.Rows = append(rows.Rows, stripRow{Name: b.name, Label: b.label, Cells: []string{text.Number(from)}, Picture: p.picture()})
	}
	f.Variants = append(f.Variants, variant{Unit: unit, Strips: rows})
}

func sum(values []float64) (all float64) {
	for _, v := range values {
		all += v
	}
	return all
}
