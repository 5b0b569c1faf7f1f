package report

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"

	moremath "github.com/aclements/go-moremath/stats"

	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/text"
)

// outcome is the results of a case in a unit.
type outcome struct {
	c      benchCase
	head   summary
	change gate.Comparison // its Base is empty without results in the base
	// results of both sides, sorted, relative to the median of the base, or of the case without a base
	points [2][]float64
}

// results shows every result as a point, their density, and the change of each case
// against the base, for each unit.
func results(base, head *result.Data, all []*benchmark, found changes) (s section) {
	if head == nil {
		return s
	}
	s = section{ID: "results", Title: "Results", Units: varying(head, found)}
	s.Lead = "Every result as a point, and their density, relative to the median of the case."
	if base != nil {
		s.Units = found.judgedFirst(head)
		s.Lead = "Every result as a point, and their density, relative to the median of the base. Grey: " +
			"base; coloured: results; between them the change with its interval, by which the cases are " +
			"sorted. Changes, intervals and verdicts, and with them the colours, come from zkatbench compare."
	}
	for _, b := range all {
		f := figure{
			Title: b.title(),
			Table: table{Head: []string{"case", "unit", "base median", "results median", "ratio", "low",
				"high", "verdict", "base", "results"}},
		}
		for _, unit := range s.Units {
			outcomes := b.outcomes(base, head, unit, found)
			for _, o := range outcomes {
				f.Table.add(o.cells(base, head, unit)...)
			}
			f.Grids = append(f.Grids, outcomeGrid(b, outcomes, unit, base != nil))
		}
		if len(f.Table.Rows) > 0 {
			s.Figures = append(s.Figures, f)
		}
	}
	return s
}

// varying returns the units with different results of a case.
func varying(d *result.Data, found changes) (units []string) {
	for _, unit := range found.judgedFirst(d) {
		if slices.ContainsFunc(d.Cases, func(k result.Key) bool {
			xs := d.Values[k][unit]
			return len(xs) > 1 && slices.Min(xs) < slices.Max(xs)
		}) {
			units = append(units, unit)
		}
	}
	return units
}

// outcomes returns the cases of b with results in a unit, the smallest change first.
func (b *benchmark) outcomes(base, head *result.Data, unit string, found changes) (all []outcome) {
	for _, c := range b.Cases {
		s, known := summarise(head.Values[c.Key][unit])
		if !known {
			continue
		}
		o := outcome{c: c, head: s, change: found.comparisons[gate.Cell{Key: c.Key, Unit: unit}]}
		middle := s.Mid
		if o.change.Base.N > 0 {
			middle = o.change.Base.Median
			o.points[0] = relativeTo(middle, base.Values[c.Key][unit])
		}
		o.points[1] = relativeTo(middle, head.Values[c.Key][unit])
		all = append(all, o)
	}
	slices.SortStableFunc(all, func(a, b outcome) int {
		return cmp.Compare(a.change.Shift.Value, b.change.Shift.Value)
	})
	return all
}

// relativeTo returns values as points, sorted.
func relativeTo(middle float64, values []float64) (points []float64) {
	for _, v := range slices.Sorted(slices.Values(values)) {
		if at := v/middle - 1; at-at == 0 {
			points = append(points, at)
		}
	}
	return points
}

// cells are the row of the table, with all results as they are.
func (o outcome) cells(base, head *result.Data, unit string) []string {
	list := func(values []float64) string { return strings.Trim(fmt.Sprint(values), "[]") }
	row := []string{o.c.Key.String(), unit, "", plain(o.head.Mid), "", "", "", "", "",
		list(head.Values[o.c.Key][unit])}
	if c := o.change; c.Base.N > 0 {
		row[2], row[8] = plain(c.Base.Median), list(base.Values[o.c.Key][unit])
		row[4], row[5] = plain(1+c.Shift.Value), plain(1+c.Shift.Lo)
		row[6], row[7] = plain(1+c.Shift.Hi), string(c.Verdict)
	}
	return row
}

// outcomeGrid draws a row for each case.
func outcomeGrid(b *benchmark, all []outcome, unit string, compared bool) grid {
	var values []span
	for _, o := range all {
		for _, v := range slices.Concat(o.points[0], o.points[1]) {
			values = append(values, span{v, v})
		}
		if shift := o.change.Shift; o.change.Base.N > 0 {
			values = append(values, span{shift.Value, shift.Value}, span{shift.Lo, shift.Hi})
		}
	}
	a := stripAxisOf(values)
	g := grid{Unit: unit, Class: "strips"}
	heads := []string{names(b.Axes), "median", "spread"}
	if compared {
		heads = []string{names(b.Axes), "base", "results", "change", "verdict"}
	}
	for _, head := range heads {
		g.Head = append(g.Head, cell{Text: head})
	}
	g.Head = append(g.Head, cell{Picture: a.marks(relative)})
	for _, o := range all {
		row := gridRow{Name: o.c.Key.String(), Label: o.c.brief(b.Axes)}
		hint := fmt.Sprintf("%s: %s around %s", row.Name, text.Plural(o.head.N, "result"),
			show(o.head.Mid, unit))
		cells := []string{show(o.head.Mid, unit), ""}
		switch after := o.points[1]; {
		case o.change.Base.N > 0:
			cells = []string{show(o.change.Base.Median, unit), cells[0], signed(o.change.Shift.Value),
				wording[o.change.Verdict].word}
			hint += fmt.Sprintf(", %s against %s", cells[2], cells[0])
		case compared:
			cells = []string{"", cells[0], "", ""}
		case len(after) > 0:
			cells[1] = "±" + text.Percent((after[len(after)-1]-after[0])/2)
		}
		for _, c := range cells {
			row.Cells = append(row.Cells, cell{Text: c, Class: wording[o.change.Verdict].class})
		}
		row.Cells = append(row.Cells, cell{Class: "picture", Hint: hint, Picture: o.picture(a)})
		g.Rows = append(g.Rows, row)
	}
	return g
}

// picture draws the results, with the results of the base above, and the change between
// them.
func (o outcome) picture(a stripAxis) template.HTML {
	p, heights := newStrip(a, 0), [2]int{25, 50}
	if o.change.Base.N > 0 {
		heights[1] = 75
	}
	for i, side := range []string{" faint", ""} {
		if len(o.points[i]) >= minResults {
			p.area(density(o.points[i]), "density"+side)
		}
		for _, v := range slices.Compact(slices.Clone(o.points[i])) {
			p.dot(v, heights[i], "point"+side)
		}
	}
	if shift, class := o.change.Shift, wording[o.change.Verdict].class; o.change.Base.N > 0 {
		p.interval(shift.Lo, shift.Hi, "interval "+class)
		p.dot(shift.Value, 50, "dot "+class)
	}
	return p.picture()
}

// density estimates the density of sorted values by a kernel, with Scott's bandwidth
// (Scott, Multivariate Density Estimation, 1992).
func density(sorted []float64) func(float64) float64 {
	if sorted[0] == sorted[len(sorted)-1] {
		return func(float64) float64 { return 0 }
	}
	kernel := moremath.KDE{Sample: moremath.Sample{Xs: sorted, Sorted: true}}
	return kernel.PDF
}
