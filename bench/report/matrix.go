package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/text"
)

// heat is a table with cells coloured by value.
type heat struct {
	RowAxes []string
	Head    [][]heatHead // a line for each column axis
	Rows    []heatRow
}

// heatHead is a value of an axis above a number of columns.
type heatHead struct {
	Text string
	Span int
}

type heatRow struct {
	Name   string // the page filters by it
	Labels []string
	Cells  []heatCell
}

// heatCell is a value. Without a base, Heat is its position between the smallest
// value, 0, and the greatest, 1, on a logarithmic scale; it is 0 for values whose
// distance from the smallest is within noise. With a base, Class is the verdict.
type heatCell struct {
	Known        bool
	Text, Spread string
	Hint, Class  string
	Heat         float64
}

// matrix shows all cases of all benchmarks, for each unit.
func matrix(d *result.Data, all []*benchmark, found changes) (s section) {
	if d == nil {
		return s
	}
	s = section{
		ID: "matrix", Title: "Every case", Units: found.judgedFirst(d),
		Lead: "Medians. ± is half the width of the interval that contains the median with 95 % confidence, which needs six results. ",
	}
	if len(found.comparisons) > 0 {
		s.Lead += "Colours are verdicts on the change against the base: red for worse, green for better, none within noise."
	} else {
		s.Lead += "Colours deepen with the logarithm of the value, and begin where the interval lies above the interval of the smallest value."
	}
	for i, b := range all {
		f := figure{ID: fmt.Sprintf("matrix-%d", i+1), Title: b.title(), Table: samplesTable(d, b)}
		for _, unit := range s.Units {
			figures := figuresOf(d, b.Cases, unit)
			if len(figures) == 0 {
				f.Variants = append(f.Variants, variant{Unit: unit})
				continue
			}
			f.Variants = append(f.Variants, variant{Unit: unit, Heat: heatOf(b, figures, unit, found)})
		}
		s.Figures = append(s.Figures, f)
	}
	return s
}

// title returns the name with the parts that all cases share.
func (b *benchmark) title() string {
	if len(b.Fixed) == 0 {
		return b.Name
	}
	return b.Name + " (" + strings.Join(b.Fixed, ", ") + ")"
}

// maxBlank bounds the cells of a table, in cells for each case: most could be empty.
const maxBlank = 8

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

// minSparse is the number of cases below which empty cells do no harm.
const minSparse = 100

func heatOf(b *benchmark, figures map[result.Key]summary, unit string, found changes) *heat {
	rowAxes, columnAxes := b.sides()
	h := &heat{}
	for _, a := range rowAxes {
		h.RowAxes = append(h.RowAxes, a.Name)
	}
	columns, _ := split(b.Cases, columnAxes)
	h.Head = heads(columns, len(columnAxes), unit)
	colour := func(k result.Key, s summary, c *heatCell) {
		if one, ok := found.comparisons[gate.Cell{Key: k, Unit: unit}]; ok {
			c.Class = class(one.Verdict)
			c.Hint += ", " + signed(one.Shift.Value) + " against the base: " + verdictText(one.Verdict)
		}
	}
	if len(found.comparisons) == 0 {
		warmth := warmthOf(figures)
		colour = func(_ result.Key, s summary, c *heatCell) { c.Heat = warmth(s) }
	}
	labels, rows := split(b.Cases, rowAxes)
	for _, label := range labels {
		row := heatRow{}
		for _, a := range rowAxes {
			row.Labels = append(row.Labels, rows[label][0].Value[a.Name])
		}
		row.Name = b.Name + "/" + label
		_, cells := split(rows[label], columnAxes)
		for _, c := range columns {
			row.Cells = append(row.Cells, cellOf(cells[c], figures, unit, colour))
		}
		h.Rows = append(h.Rows, row)
	}
	return h
}

// heads returns the lines above the columns; equal neighbours share one head.
func heads(columns []string, axes int, unit string) [][]heatHead {
	if axes == 0 {
		return [][]heatHead{{{unit, 1}}}
	}
	lines := make([][]heatHead, axes)
	for i, c := range columns {
		for line, part := range strings.SplitN(c, "/", axes) {
			last := len(lines[line]) - 1
			if line < axes-1 && i > 0 && lines[line][last].Text == part {
				lines[line][last].Span++
				continue
			}
			lines[line] = append(lines[line], heatHead{part, 1})
		}
	}
	return lines
}

func cellOf(cases []benchCase, figures map[result.Key]summary, unit string, colour func(result.Key, summary, *heatCell)) heatCell {
	if len(cases) == 0 {
		return heatCell{}
	}
	s, ok := figures[cases[0].Key]
	if !ok {
		return heatCell{}
	}
	c := heatCell{Known: true, Text: show(s.Mid, unit), Hint: fmt.Sprintf("%s, %s", cases[0].Key, text.Plural(s.N, "result"))}
	if s.Bounded {
		c.Hint += fmt.Sprintf(", %s – %s", show(s.Low, unit), show(s.High, unit))
		if s.High > s.Low && s.Mid != 0 {
			c.Spread = "±" + text.Percent(max(s.High-s.Mid, s.Mid-s.Low)/math.Abs(s.Mid))
		}
	}
	colour(cases[0].Key, s, &c)
	return c
}

// warmthOf places values between the smallest and the greatest, by logarithms
// if all are positive. Values with an interval that overlaps the interval of the
// smallest one get 0.
func warmthOf(figures map[result.Key]summary) func(summary) float64 {
	least, high := summary{Mid: math.Inf(1), High: math.Inf(1)}, math.Inf(-1)
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

// samplesTable lists all units of all cases of b.
func samplesTable(d *result.Data, b *benchmark) table {
	t := table{Head: []string{"case", "unit", "median", "low", "high", "results"}}
	for _, unit := range d.Units {
		figures := figuresOf(d, b.Cases, unit)
		for _, c := range b.Cases {
			if s, ok := figures[c.Key]; ok {
				t.add(c.Key.String(), unit, plain(s.Mid), s.low(), s.high(), fmt.Sprint(s.N))
			}
		}
	}
	return t
}

// low and high are empty without an interval.
func (s summary) low() string  { return s.end(s.Low) }
func (s summary) high() string { return s.end(s.High) }

func (s summary) end(v float64) string {
	if !s.Bounded {
		return ""
	}
	return plain(v)
}
