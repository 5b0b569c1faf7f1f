package report

import (
	_ "embed"
	"html/template"

	"github.com/zkatbench/zkatbench/runner"
)

// uPlot draws the charts with a time axis, since readers zoom them. The files are
// the published ones of version 1.6.32; TestUPlotIsThePublishedOne has their
// digests.
var (
	//go:embed uplot/uPlot.iife.min.js
	uplotJS string
	//go:embed uplot/uPlot.min.css
	uplotCSS string
	//go:embed uplot/LICENSE
	uplotLicence string
	//go:embed timechart.js
	timechartJS string
)

// timeChart is the data of a chart over time for timechart.js.
type timeChart struct {
	Title  string       `json:"title"`
	Series []timeSeries `json:"series"`
	Data   [][]*float64 `json:"data"` // seconds, then the values of each series
}

// timeSeries is a line of a chart: its name and unit, and the ink of the page.
type timeSeries struct {
	Name string `json:"name"`
	Unit string `json:"unit"`
	Ink  string `json:"ink"`
}

// progress shows throughput and mean latency over time, a chart for each run.
func progress(loads []Load) (figure, error) {
	f := figure{
		ID: "progress", Title: "Throughput and latency over time", Table: table{Head: []string{"run", "from s", "operations/s", "mean latency ns"}},
		Note: "Drag to zoom, double-click for the whole run; with the keyboard: arrows, + and -, 0.",
	}
	v := variant{}
	for _, l := range loads {
		c := chartOf(l.Result)
		c.Title = l.label()
		if len(c.Data[0]) == 0 {
			continue
		}
		for i, at := range c.Data[0] {
			row := []string{l.label(), plain(*at), plain(*c.Data[1][i]), ""}
			if ns := c.Data[2][i]; ns != nil {
				row[3] = plain(*ns * 1e6)
			}
			f.Table.add(row...)
		}
		v.Charts = append(v.Charts, c)
	}
	f.Variants = []variant{v}
	return f, nil
}

// chartOf returns the rate and the mean latency in milliseconds of each tick. The
// last tick counts with its true length, and not at all below a tenth.
func chartOf(r *runner.Result) timeChart {
	c := timeChart{
		Series: []timeSeries{{"throughput", "ops/s", "--s0"}, {"mean latency", "ms", "--s1"}},
		Data:   make([][]*float64, 3),
	}
	tick := r.Timeline.Tick.Seconds()
	for i, cell := range r.Timeline.Cells {
		from := float64(i) * tick
		length := min(tick, r.Elapsed.Seconds()-from)
		if length < tick/10 {
			break
		}
		rate := cell.Ops / length
		var latency *float64
		if cell.N > 0 {
			ms := cell.Sum / float64(cell.N) / 1e6
			latency = &ms
		}
		c.Data[0], c.Data[1], c.Data[2] = append(c.Data[0], &from), append(c.Data[1], &rate), append(c.Data[2], latency)
	}
	return c
}

// withCharts reports whether the page has charts over time.
func (p page) withCharts() bool {
	for _, s := range p.Sections {
		for _, f := range s.Figures {
			for _, v := range f.Variants {
				if len(v.Charts) > 0 {
					return true
				}
			}
		}
	}
	return false
}

// chartScripts returns the style and the scripts of charts over time, if the page
// has any: the licence and the code of uPlot, and the code that calls it.
func (p page) chartScripts() (template.CSS, template.JS) {
	if !p.withCharts() {
		return "", ""
	}
	return template.CSS(uplotCSS), template.JS("/*\n" + uplotLicence + "*/\n" + uplotJS + timechartJS)
}
