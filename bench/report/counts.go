package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/perf/benchmath"

	"github.com/zkatbench/zkatbench/bench/chart"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/text"
)

// phase is the key of names that stacks counts.
const phase = "phase"

// counts shows exact counts as stacked bars: by phase, for each unit, for benchmarks
// with phase= in their names, and by unit for others.
func counts(d *result.Data, all []*benchmark) (s section) {
	s = section{ID: "counts", Title: "Counted operations",
		Lead: "Exact counts of one operation, the same on every machine."}
	units := countUnits(d)
	for _, b := range all {
		f := figure{Title: b.title(), Table: table{Head: []string{"case", "part", "unit", "count"}}}
		if i := slices.IndexFunc(b.Axes, func(a axis) bool { return a.Name == phase }); i >= 0 {
			for _, unit := range units {
				inPhase := func(c benchCase, part string) (string, bool) {
					return unit, c.Value[phase] == part
				}
				f.addBars(b, d, unit, without(b.Axes, phase), b.Axes[i].Values, inPhase)
			}
		} else {
			counted := slices.DeleteFunc(slices.Clone(units), func(unit string) bool {
				return !slices.ContainsFunc(b.Cases, func(c benchCase) bool {
					return d.Values[c.Key][unit] != nil
				})
			})
			f.addBars(b, d, "", b.Axes, counted, func(_ benchCase, unit string) (string, bool) {
				return unit, true
			})
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
		if d.Meta.GetAssumption(u) == benchmath.AssumeExact && strings.HasSuffix(u, "/op") &&
			!strings.HasSuffix(u, "B/op") {
			units = append(units, u)
		}
	}
	return units
}

// addBars draws a row for each combination of axes: a bar of parts with its sum. part
// tells the unit of a part in a case, and whether the case has it.
func (f *figure) addBars(b *benchmark, d *result.Data, unit string, axes []axis, parts []string,
	part func(c benchCase, part string) (unit string, has bool)) {
	labels, cases := split(b.Cases, axes)
	sizes, sums := make([][]float64, len(labels)), []span(nil)
	for k, label := range labels {
		sizes[k] = make([]float64, len(parts))
		for i, p := range parts {
			for _, c := range cases[label] {
				unit, has := part(c, p)
				if count, known := summarise(d.Values[c.Key][unit]); has && known {
					f.Table.add(c.Key.String(), p, unit, plain(count.Mid))
					sizes[k][i] = count.Mid
				}
			}
		}
		all := sum(sizes[k])
		sums = append(sums, span{all, all})
	}
	if len(parts) > 1 {
		f.Legend = legend(asBar, parts...)
	}
	a := stripAxisOf(sums)
	a.low = 0
	g := grid{Unit: unit, Class: "strips",
		Head: []cell{{Text: names(axes)}, {Text: cmp.Or(unit, "operations")},
			{Picture: a.marks(text.Number)}}}
	for k, label := range labels {
		p, from, brief := newStrip(a, 0), 0.0, cases[label][0].brief(axes)
		for i, size := range sizes[k] {
			if size > 0 {
				p.bar(from, from+size, chart.Colour(i),
					fmt.Sprintf("%s %s: %s", brief, parts[i], plain(size)))
			}
			from += size
		}
		p.beyond(from, 50, "dot")
		g.Rows = append(g.Rows,
			gridRow{Name: b.Name + "/" + label, Label: brief,
				Cells: []cell{{Text: text.Number(from)}, {Class: "picture", Picture: p.picture()}}})
	}
	f.Grids = append(f.Grids, g)
}

func sum(values []float64) (all float64) {
	for _, v := range values {
		all += v
	}
	return all
}
