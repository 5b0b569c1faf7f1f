package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/bench/chart"
	"github.com/zkatbench/zkatbench/bench/result"
)

// lines shows time against each numeric axis.
func lines(d *result.Data, all []*benchmark, found changes) (s section) {
	if d == nil {
		return s
	}
	s = section{ID: "lines", Title: "Growth",
		Lead: "Time, or another unit, against each number in the names. Bands contain the median with 95 % " +
			"confidence; they need six results."}
	for _, b := range all {
		unit, figures := b.growing(d, found)
		for _, x := range b.Axes {
			panels, _ := split(b.Cases, panelAxes(b.Axes, x))
			if !x.Numeric || len(figures) == 0 || len(panels) > maxPanels {
				continue // the cases of many panels are in the table of every case
			}
			s.Figures = append(s.Figures, b.growth(x, unit, figures))
		}
	}
	return s
}

// growing returns the first unit, with the judged one first, for which b has
// figures.
func (b *benchmark) growing(d *result.Data, found changes) (unit string, figures map[result.Key]summary) {
	for _, unit := range found.judgedFirst(d) {
		if figures := figuresOf(d, b.Cases, unit); len(figures) > 0 {
			return unit, figures
		}
	}
	return "", nil
}

// colourAxis returns the axis that distinguishes the lines of one panel: the
// first non-numeric axis, or the first one.
func colourAxis(axes []axis) []axis {
	for i, a := range axes {
		if !a.Numeric {
			return axes[i : i+1]
		}
	}
	return axes[:min(1, len(axes))]
}

// maxPanels is the number of panels of a figure that readers can compare.
const maxPanels = 100

// panelAxes returns the axes that get a panel for each combination of their values.
func panelAxes(axes []axis, x axis) []axis {
	rest := without(axes, x.Name)
	for _, colour := range colourAxis(rest) {
		rest = without(rest, colour.Name)
	}
	return rest
}

// growth draws b against x: a panel for each combination of the other axes
// except one, and a line for each value of that axis.
func (b *benchmark) growth(x axis, unit string, figures map[result.Key]summary) figure {
	rest := without(b.Axes, x.Name)
	colour := colourAxis(rest)
	f := figure{Title: fmt.Sprintf("%s against %s", b.title(), x.Name), Table: table{Head: medianHead}}
	f.Table.addMedians(b, unit, figures)
	if len(colour) > 0 {
		f.Legend = legend("", colour[0].Values...)
	}
	var all []span
	for _, s := range figures {
		all = append(all, span{s.Low, s.High})
	}
	y := magnitudes(all, unit)
	labels, panels := split(b.Cases, panelAxes(b.Axes, x))
	for _, label := range labels {
		c := chart.Chart{Title: strings.ReplaceAll(label, "/", ", "), X: x.scale(), Y: y}
		values, parts := split(panels[label], colour)
		for _, value := range values {
			s := chart.Series{Points: pointsOf(parts[value], x, unit, figures)}
			if len(colour) > 0 {
				s.Ink = colour[0].place[parts[value][0].Value[colour[0].Name]]
			}
			c.Series = append(c.Series, s)
		}
		f.add(b.Name+"/"+label, &c)
	}
	return f
}

// maxMarks is the largest number of values for which an axis marks each.
const maxMarks = 30

// scale is a numeric axis of names as an axis of a chart.
func (a axis) scale() chart.Axis {
	xs := a.numbers()
	low, high := xs[0], xs[len(xs)-1]
	margin := (high - low) * 0.05
	c := chart.Axis{Name: a.Name, Low: low - margin, High: high + margin}
	if low > 0 && high > decades*low {
		c.Log, c.Low, c.High = true, low/1.1, high*1.1
	}
	if len(xs) <= maxMarks {
		c.Ticks = chart.Values(xs)
	}
	return c
}

// pointsOf returns the cases of a line, from left to right.
func pointsOf(cases []benchCase, x axis, unit string, figures map[result.Key]summary) (points []chart.Point) {
	for _, c := range cases {
		s, ok := figures[c.Key]
		if !ok {
			continue
		}
		hint := c.Key.String() + ": " + show(s.Mid, unit)
		if s.Bounded {
			hint += fmt.Sprintf(" (%s – %s)", show(s.Low, unit), show(s.High, unit))
		}
		at, _ := number(c.Value[x.Name])
		points = append(points,
			chart.Point{X: at, Y: s.Mid, Low: s.Low, High: s.High, Bounded: s.Bounded, Hint: hint})
	}
	slices.SortStableFunc(points, func(a, b chart.Point) int { return cmp.Compare(a.X, b.X) })
	return points
}
