package report

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
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
			panels, _ := split(b.Cases, panelAxes(b.Axes, x))
			if !x.Numeric || len(figures) == 0 || len(panels) > maxPanels {
				continue // the cases of many panels are in the table of every case
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

// maxPanels is the number of panels of a figure that readers can compare.
const maxPanels = 100

// panelAxes returns the axes whose combinations have a panel each.
func panelAxes(axes []axis, x axis) []axis {
	rest := without(axes, x.Name)
	for _, colour := range colourAxis(rest) {
		rest = without(rest, colour.Name)
	}
	return rest
}

// growth draws b against x: a panel for each combination of the other axes
// except one, and a line for each value of that axis.
func (b *benchmark) growth(x axis, unit string, figures map[result.Key]summary) (f figure, err error) {
	rest := without(b.Axes, x.Name)
	colour := colourAxis(rest)
	panelled := panelAxes(b.Axes, x)
	f = figure{Title: fmt.Sprintf("%s against %s", b.title(), x.Name)}
	f.Table.Head = append([]string{x.Name}, names(rest)...)
	f.Table.Head = append(f.Table.Head, unit, "low", "high", "results")
	if len(colour) > 0 {
		f.Legend = legend("", colour[0].Values...)
	}
	var all []span
	for _, s := range figures {
		all = append(all, span{s.Low, s.High})
	}
	y := extentOf(all)
	labels, panels := split(b.Cases, panelled)
	v := variant{}
	for _, label := range labels {
		p := linePanel{x: x, unit: unit, title: strings.ReplaceAll(label, "/", ", "), y: y}
		values, parts := split(panels[label], colour)
		for _, value := range values {
			ink := 0
			if len(colour) > 0 {
				ink = colour[0].place[parts[value][0].Value[colour[0].Name]]
			}
			p.lines = append(p.lines, panelLine{ink, p.points(parts[value], figures)})
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

// maxMarks is the number of values up to which an axis marks each.
const maxMarks = 30

// linePanel is one plot of lines with bands.
type linePanel struct {
	x     axis
	unit  string
	title string
	y     extent // of all panels
	lines []panelLine
}

// panelLine is a line of a panel in one of the inks of the legend.
type panelLine struct {
	ink    int
	points []linePoint
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
	for _, c := range cases {
		if s, ok := figures[c.Key]; ok {
			at, _ := number(c.Value[p.x.Name])
			points = append(points, linePoint{at, s, c.Key.String()})
		}
	}
	slices.SortStableFunc(points, func(a, b linePoint) int { return cmp.Compare(a.x, b.x) })
	return points
}

func (p linePanel) draw() (template.HTML, error) {
	plt := newPlot(p.title)
	if plt.X.Label.Text = p.x.Name; len(p.x.Values) <= maxMarks {
		plt.X.Tick.Marker = marksAt(p.x.numbers())
	}
	var spots []spot
	for _, l := range p.lines {
		for _, pt := range l.points {
			spots = append(spots, spot{pt.x, pt.Mid, pt.text(p.unit)})
		}
		if err := addLine(plt, l.ink, l.points); err != nil {
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
