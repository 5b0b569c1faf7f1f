package report

import (
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"

	"github.com/zkatbench/zkatbench/bench/chart"
)

// Charts are a group of charts under one heading of a page.
type Charts struct {
	Title, Lead string
	Charts      []chart.Chart
}

// WriteCharts writes a page of charts, each with a table of its data. It returns
// ErrEmpty without a chart.
func WriteCharts(w io.Writer, title string, groups []Charts) error {
	p := page{Title: title}
	for i, g := range groups {
		s := section{ID: fmt.Sprintf("charts-%d", i+1), Title: g.Title, Lead: g.Lead}
		for k := range g.Charts {
			f, err := chartFigure(&g.Charts[k])
			if err != nil {
				return err
			}
			f.ID = fmt.Sprintf("chart-%d-%d", i+1, k+1)
			s.Figures = append(s.Figures, f)
		}
		if len(s.Figures) > 0 {
			p.Sections = append(p.Sections, s)
		}
	}
	if len(p.Sections) == 0 {
		return ErrEmpty
	}
	return p.write(w)
}

// chartFigure is a chart as a figure: picture, legend, marks as a note, table.
func chartFigure(c *chart.Chart) (f figure, err error) {
	f = figure{Title: c.Title, Note: c.Note, Table: chartTable(c)}
	var series []string
	for _, s := range c.Series {
		series = append(series, s.Name)
	}
	f.Legend = legend("", series...)
	for _, m := range c.Marks {
		f.Legend = append(f.Legend, entry{Class: "mark", Mark: "✕", Text: m.Text})
	}
	picture, err := drawChart(c)
	f.Variants = []variant{{Panels: single(picture)}}
	return f, err
}

// chartTable is the points of all series: a row for each x.
func chartTable(c *chart.Chart) table {
	t := table{Head: []string{c.X.Name}}
	rows := map[float64][]string{}
	var xs []float64
	column := 1
	for _, s := range c.Series {
		bounded := slices.ContainsFunc(s.Points, func(p chart.Point) bool { return p.Bounded })
		t.Head = append(t.Head, s.Name)
		if bounded {
			t.Head = append(t.Head, s.Name+": low", "high")
		}
		for _, p := range s.Points {
			if rows[p.X] == nil {
				xs = append(xs, p.X)
			}
			rows[p.X] = append(rows[p.X], make([]string, max(0, column-1-len(rows[p.X])))...)
			rows[p.X] = append(rows[p.X], plain(p.Y))
			if bounded {
				rows[p.X] = append(rows[p.X], plain(p.Low), plain(p.High))
			}
		}
		column = len(t.Head)
	}
	slices.Sort(xs)
	for _, x := range xs {
		row := append([]string{plain(x)}, rows[x]...)
		t.add(append(row, make([]string, len(t.Head)-len(row))...)...)
	}
	return t
}

func drawChart(c *chart.Chart) (template.HTML, error) {
	p := newPlot("")
	p.X.Label.Text, p.Y.Label.Text = c.X.Name, c.Y.Name
	var spots []spot
	for i, s := range c.Series {
		var points []linePoint
		for _, pt := range s.Points {
			points = append(points, linePoint{pt.X, summary{Mid: pt.Y, Low: pt.Low, High: pt.High, N: 1, Bounded: pt.Bounded}, s.Name})
			spots = append(spots, spot{pt.X, pt.Y, fmt.Sprintf("%s: %s at %s", s.Name, c.Y.Text(pt.Y), c.X.Text(pt.X))})
		}
		if err := addLine(p, i, points); err != nil {
			return "", err
		}
	}
	if len(c.Marks) > 0 {
		var xys plotter.XYs
		for _, m := range c.Marks {
			xys = append(xys, plotter.XY{X: m.X, Y: m.Y})
			spots = append(spots, spot{m.X, m.Y, m.Text})
		}
		marks, err := plotter.NewScatter(xys)
		if err != nil {
			return "", err
		}
		marks.Color, marks.Radius, marks.Shape = ink(inkText), 5, draw.CrossGlyph{}
		p.Add(marks)
	}
	if !c.Y.Log {
		p.Y.Min = min(0, p.Y.Min)
	}
	scaleAxis(&p.X, c.X)
	scaleAxis(&p.Y, c.Y)
	return svg(p, c.Title+": "+c.Y.Name+" over "+c.X.Name, 560, 300, spots...)
}

// scaleAxis sets the scale and the marks of an axis.
func scaleAxis(a *plot.Axis, of chart.Axis) {
	if of.Log {
		if a.Max <= a.Min {
			a.Min, a.Max = a.Min/2, a.Max*2
		}
		a.Scale, a.Tick.Marker = plot.LogScale{}, roundLogs(of.Text)
		return
	}
	if a.Max <= a.Min {
		a.Max = a.Min + math.Max(1e-12, math.Abs(a.Min))
	}
	a.Tick.Marker = labelled{of.Text}
}

// labelled marks round values with labels.
type labelled struct{ label func(float64) string }

func (l labelled) Ticks(low, high float64) []plot.Tick {
	ticks := round{}.Ticks(low, high)
	for i := range ticks {
		ticks[i].Label = l.label(ticks[i].Value)
	}
	return ticks
}
