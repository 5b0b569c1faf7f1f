package report

import (
	"fmt"
	"html/template"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"github.com/zkatbench/zkatbench/bench/result"
)

// lines shows time against each numeric axis.
func lines(d *result.Data, all []*benchmark, found changes) (s section, err error) {
	if d == nil {
		return s, nil
	}
	s = section{ID: "lines", Title: "Growth", Lead: "Time, or another unit, against each number in the names. Bands contain the median with 95 % confidence; they need six results."}
	for i, b := range all {
		unit, figures := b.growing(d, found)
		for _, x := range b.Axes {
			if !x.Numeric || len(figures) == 0 {
				continue
			}
			f, err := b.growth(x, unit, figures)
			if err != nil {
				return s, err
			}
			f.ID = fmt.Sprintf("lines-%d-%s", i+1, identifier(x.Name))
			s.Figures = append(s.Figures, f)
		}
	}
	return s, nil
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

// timeUnit returns the unit of time, or without one the first unit.
func timeUnit(d *result.Data) string {
	for _, u := range d.Units {
		if u == "sec/op" {
			return u
		}
	}
	return d.Units[0]
}

// identifier makes a name usable as an address within the page.
func identifier(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, name)
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

// growth draws b against x: a panel for each combination of the other axes
// except one, and a line for each value of that axis.
func (b *benchmark) growth(x axis, unit string, figures map[result.Key]summary) (f figure, err error) {
	rest := without(b.Axes, x.Name)
	colour := colourAxis(rest)
	f = figure{Title: fmt.Sprintf("%s against %s", b.title(), x.Name)}
	f.Table.Head = append([]string{x.Name}, names(rest)...)
	f.Table.Head = append(f.Table.Head, unit, "low", "high", "results")
	if len(colour) > 0 {
		rest = without(rest, colour[0].Name)
		f.Legend = legend("", colour[0].Values...)
	}
	var all []span
	for _, s := range figures {
		all = append(all, span{s.Low, s.High})
	}
	y := extentOf(all)
	labels, panels := split(b.Cases, rest)
	v := variant{}
	for _, label := range labels {
		p := linePanel{x: x, unit: unit, title: strings.ReplaceAll(label, "/", ", "), y: y}
		for _, c := range b.lineCases(panels[label], colour) {
			p.lines = append(p.lines, p.points(c, figures))
		}
		picture, err := p.draw()
		if err != nil {
			return f, err
		}
		v.Panels = append(v.Panels, panel{b.Name + "/" + label, picture})
	}
	f.Variants = []variant{v}
	for _, c := range b.Cases {
		if s, ok := figures[c.Key]; ok {
			row := []string{c.Value[x.Name]}
			for _, a := range without(b.Axes, x.Name) {
				row = append(row, c.Value[a.Name])
			}
			f.Table.add(append(row, plain(s.Mid), s.low(), s.high(), fmt.Sprint(s.N))...)
		}
	}
	return f, nil
}

func names(axes []axis) (all []string) {
	for _, a := range axes {
		all = append(all, a.Name)
	}
	return all
}

// lineCases returns the cases of each line of a panel, in the order of the
// legend; a line without cases is empty.
func (b *benchmark) lineCases(cases []benchCase, colour []axis) [][]benchCase {
	if len(colour) == 0 {
		return [][]benchCase{cases}
	}
	_, parts := split(cases, colour)
	lines := make([][]benchCase, len(colour[0].Values))
	for i, v := range colour[0].Values {
		lines[i] = parts[colour[0].Name+"="+v]
	}
	return lines
}

// linePanel is one plot of lines with bands.
type linePanel struct {
	x     axis
	unit  string
	title string
	y     extent // of all panels
	lines [][]linePoint
}

type linePoint struct {
	x float64
	summary
	name string
}

// text is the value of a point with its interval.
func (pt linePoint) text(unit string) string {
	text := pt.name + ": " + show(pt.Mid, unit)
	if pt.Bounded {
		text += fmt.Sprintf(" (%s – %s)", show(pt.Low, unit), show(pt.High, unit))
	}
	return text
}

// points returns the cases of a line, from left to right.
func (p linePanel) points(cases []benchCase, figures map[result.Key]summary) (points []linePoint) {
	for _, v := range p.x.Values {
		for _, c := range cases {
			if s, ok := figures[c.Key]; ok && c.Value[p.x.Name] == v {
				at, _ := number(v)
				points = append(points, linePoint{at, s, c.Key.String()})
			}
		}
	}
	return points
}

func (p linePanel) draw() (template.HTML, error) {
	plt := newPlot(p.title)
	plt.X.Label.Text, plt.X.Tick.Marker = p.x.Name, marksAt(p.x.numbers())
	var spots []spot
	for i, points := range p.lines {
		for _, pt := range points {
			spots = append(spots, spot{pt.x, pt.Mid, pt.text(p.unit)})
		}
		if err := addLine(plt, i, points); err != nil {
			return "", err
		}
	}
	xs := p.x.numbers()
	margin := (xs[len(xs)-1] - xs[0]) * 0.05
	plt.X.Min, plt.X.Max = xs[0]-margin, xs[len(xs)-1]+margin
	if low, high := xs[0], xs[len(xs)-1]; low > 0 && high > decades*low {
		plt.X.Scale, plt.X.Min, plt.X.Max = plot.LogScale{}, low/1.1, high*1.1
	}
	p.y.mark(&plt.Y, p.unit)
	return svg(plt, p.title+": "+p.unit+" against "+p.x.Name, 260, 200, spots...)
}

// band returns the area between the ends of the intervals.
func band(points []linePoint) (xys plotter.XYs) {
	for _, pt := range points {
		xys = append(xys, plotter.XY{X: pt.x, Y: pt.High})
	}
	for i := len(points) - 1; i >= 0; i-- {
		xys = append(xys, plotter.XY{X: points[i].x, Y: points[i].Low})
	}
	return xys
}
