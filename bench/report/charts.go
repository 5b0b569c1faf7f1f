package report

import (
	"fmt"
	"io"

	"github.com/zkatbench/zkatbench/bench/chart"
	"github.com/zkatbench/zkatbench/text"
)

// Charts are a group of charts under one heading of a page.
type Charts struct {
	Title, Lead string
	Charts      []chart.Chart
	Table       text.Table // without a chart
}

// WriteCharts writes a page of charts, each with a table of its data. It returns
// ErrEmpty without a chart.
func WriteCharts(w io.Writer, title string, groups []Charts) error {
	p := page{Title: title}
	for i, g := range groups {
		s := section{ID: fmt.Sprintf("charts-%d", i+1), Title: g.Title, Lead: g.Lead}
		if len(g.Table.Head) > 0 {
			s.Figures = []figure{{ID: s.ID + "-table", Table: table{g.Table.Head, g.Table.Rows}, Open: true}}
		}
		for k := range g.Charts {
			s.Figures = append(s.Figures, chartFigure(fmt.Sprintf("chart-%d-%d", i+1, k+1), &g.Charts[k]))
		}
		if len(s.Figures) > 0 || s.Lead != "" {
			p.Sections = append(p.Sections, s)
		}
	}
	if len(p.Sections) == 0 {
		return ErrEmpty
	}
	return p.write(w)
}

// chartFigure is a chart as a figure: picture, legend, marks as a note, table.
func chartFigure(id string, c *chart.Chart) figure {
	f := figure{ID: id, Title: c.Title, Note: c.Note, Table: chartTable(c)}
	var series []string
	for _, s := range c.Series {
		series = append(series, s.Name)
	}
	f.Legend = legend("", series...)
	for _, m := range c.Marks {
		f.Legend = append(f.Legend, entry{Class: "mark", Mark: "✕", Text: m.Text})
	}
	drawn := *c
	drawn.Title = ""
	f.Variants = single(picture(&drawn, 750, 400))
	return f
}

// chartTable lists the points of all series.
func chartTable(c *chart.Chart) table {
	t := table{Head: []string{"series", c.X.Name, c.Y.Name, "low", "high"}}
	for _, s := range c.Series {
		for _, p := range s.Points {
			row := []string{s.Name, plain(p.X), plain(p.Y), "", ""}
			if p.Bounded {
				row[3], row[4] = plain(p.Low), plain(p.High)
			}
			t.add(row...)
		}
	}
	return t
}
