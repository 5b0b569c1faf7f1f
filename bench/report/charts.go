package report

import (
	"strings"

	"github.com/zkatbench/zkatbench/bench/chart"
)

// group is the table of a group, if it has rows, and its charts.
func group(id string, g chart.Group) section {
	s := section{ID: id, Title: g.Title, Lead: strings.Join(g.Notes, "; ")}
	if len(g.Table.Rows) > 0 {
		s.Figures = []figure{{Table: table(g.Table)}}
	}
	for k := range g.Charts {
		s.Figures = append(s.Figures, chartFigure(&g.Charts[k]))
	}
	return s
}

// chartFigure is a chart as a figure: picture, legend, marks as a note, table.
func chartFigure(c *chart.Chart) figure {
	f := figure{Title: c.Title, Note: c.Note, Table: chartTable(c)}
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
	f.add("", &drawn)
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
