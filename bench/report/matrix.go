package report

import (
	"cmp"
	"fmt"
	"math"

	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/text"
)

// matrix shows all cases of all benchmarks, for each unit.
func matrix(d *result.Data, all []*benchmark, found changes) (s section) {
	if d == nil {
		return s
	}
	s = section{
		ID: "matrix", Title: "Every case", Units: found.judgedFirst(d),
		Lead: "Medians. ± is half the width of the interval that contains the median with 95 % confidence, " +
			"which needs six results. ",
	}
	if len(found.comparisons) > 0 {
		s.Lead += "Colours are verdicts on the change against the base: red for worse, green for better, " +
			"none within noise."
	} else {
		s.Lead += "Colours deepen with the logarithm of the value, and begin where the interval lies above " +
			"the interval of the smallest value."
	}
	for _, b := range all {
		f := figure{Title: b.title(), Table: table{Head: medianHead}}
		for _, unit := range s.Units {
			figures := figuresOf(d, b.Cases, unit)
			f.Grids = append(f.Grids, b.heat(figures, unit, found))
			f.Table.addMedians(b, unit, figures)
		}
		s.Figures = append(s.Figures, f)
	}
	return s
}

// maxBlank bounds the cells of a table, in cells for each case: most could be empty.
// They do no harm below minSparse cases.
const maxBlank, minSparse = 8, 100

// sides divides the axes between rows and columns of a table: of more than two
// axes, two go to the columns, and fewer if the table would be almost empty.
func (b *benchmark) sides() (rows, columns []axis) {
	for n := min(2, len(b.Axes)/2); ; n-- {
		rows, columns = b.Axes[:len(b.Axes)-n], b.Axes[len(b.Axes)-n:]
		down, _ := split(b.Cases, rows)
		across, _ := split(b.Cases, columns)
		if n == 0 || len(down)*len(across) <= maxBlank*max(len(b.Cases), minSparse) {
			return rows, columns
		}
	}
}

// heat is a table with a cell for each case, coloured by its value or, with a base, by
// the verdict.
func (b *benchmark) heat(figures map[result.Key]summary, unit string, found changes) grid {
	g := grid{Unit: unit, Class: "heat"}
	if len(figures) == 0 {
		return g
	}
	down, across := b.sides()
	columns, first := split(b.Cases, across)
	g.Head = []cell{{Text: names(down), Small: names(across)}}
	for _, c := range columns {
		g.Head = append(g.Head, cell{Text: cmp.Or(first[c][0].brief(across), unit)})
	}
	warmth := warmthOf(figures)
	rows, cases := split(b.Cases, down)
	for _, label := range rows {
		row := gridRow{Name: b.Name + "/" + label, Label: cases[label][0].brief(down)}
		_, cells := split(cases[label], across)
		for _, column := range columns {
			at := cell{}
			for _, c := range cells[column] {
				if s, known := figures[c.Key]; known {
					at = heatCell(c.Key, s, unit)
					if one, judged := found.comparisons[gate.Cell{Key: c.Key, Unit: unit}]; judged {
						at.Class = wording[one.Verdict].class
						at.Hint += ", " + signed(one.Shift.Value) + " against the base: " +
							wording[one.Verdict].word
					} else if len(found.comparisons) == 0 {
						at.Heat = warmth(s)
					}
				}
			}
			row.Cells = append(row.Cells, at)
		}
		g.Rows = append(g.Rows, row)
	}
	return g
}

func heatCell(k result.Key, s summary, unit string) cell {
	c := cell{Text: show(s.Mid, unit), Hint: fmt.Sprintf("%s, %s", k, text.Plural(s.N, "result"))}
	if s.Bounded {
		c.Hint += fmt.Sprintf(", %s – %s", show(s.Low, unit), show(s.High, unit))
		if s.High > s.Low && s.Mid != 0 {
			c.Small = "±" + text.Percent(max(s.High-s.Mid, s.Mid-s.Low)/math.Abs(s.Mid))
		}
	}
	return c
}

// warmthOf places values between the smallest, 0, and the greatest, 1, by logarithms
// if all are positive. Values with an interval that overlaps the interval of the
// smallest one get 0.
func warmthOf(figures map[result.Key]summary) func(summary) float64 {
	least, high := summary{Mid: math.Inf(1)}, math.Inf(-1)
	for _, s := range figures {
		if s.Mid < least.Mid {
			least = s
		}
		high = max(high, s.Mid)
	}
	place := func(v float64) float64 { return v }
	if least.Mid > 0 {
		place = math.Log
	}
	return func(s summary) float64 {
		if high <= least.Mid || s.Low <= least.High {
			return 0
		}
		return math.Round(100*(place(s.Mid)-place(least.Mid))/(place(high)-place(least.Mid))) / 100
	}
}
