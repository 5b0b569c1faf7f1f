package report

import (
	_ "embed"
	"html/template"
	"slices"

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
	Length float64      `json:"length"`
	Stages []stage      `json:"stages"`
}

// stage is a part of a run whose plan changes its rate: a band of the chart.
type stage struct {
	From float64 `json:"from"` // seconds
	Till float64 `json:"till"`
	Name string  `json:"name"`
}

// timeSeries is a line of a chart: its name and unit, and the ink of the page.
type timeSeries struct {
	Name string `json:"name"`
	Unit string `json:"unit"`
	Ink  string `json:"ink"`
	Axis axisOf `json:"axis"`
}

// axisOf is the axis of a series, the same in all charts of a figure.
type axisOf struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	Log  bool    `json:"log"`
}

// progress shows throughput and mean latency over time, a chart for each run.
func progress(loads []Load) (figure, error) {
	f := figure{
		ID: "progress", Title: "Throughput and latency over time", Table: table{Head: []string{"run", "from s", "stage", "operations/s", "mean latency ns"}},
		Note: "Drag to zoom, double-click for the whole run; with the keyboard: arrows, + and -, 0. All charts have the same axes. Bands are the stages of a plan, with their rates.",
	}
	v := variant{}
	longest := 0.0
	values := make([][]span, 3)
	for _, l := range loads {
		c := chartOf(l.Result)
		c.Title = l.label()
		if len(c.Data[0]) == 0 {
			continue
		}
		for i, at := range c.Data[0] {
			row := []string{l.label(), plain(*at), stageAt(c.Stages, *at), plain(*c.Data[1][i]), ""}
			if ns := c.Data[2][i]; ns != nil {
				row[4] = plain(*ns * 1e6)
			}
			f.Table.add(row...)
			for k, of := range c.Data {
				if of[i] != nil {
					values[k] = append(values[k], span{*of[i], *of[i]})
				}
			}
			longest = max(longest, *at)
		}
		v.Charts = append(v.Charts, c)
	}
	for i := range v.Charts {
		v.Charts[i].Length = longest
		for k := range v.Charts[i].Series {
			e := extentOf(values[k+1])
			v.Charts[i].Series[k].Axis = axisOf{e.low, e.high * map[bool]float64{false: 1.15, true: 2}[e.log], e.log} // with space for the names of stages
		}
	}
	f.Variants = []variant{v}
	return f, nil
}

// chartOf returns the rate and the mean latency in milliseconds of each tick. The
// last tick counts with its true length, and not at all below a tenth.
func chartOf(r *runner.Result) timeChart {
	c := timeChart{
		Series: []timeSeries{{Name: "throughput", Unit: "ops/s", Ink: "--s0"}, {Name: "mean latency", Unit: "ms", Ink: "--s1"}},
		Data:   make([][]*float64, 3),
		Stages: stagesOf(r),
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

// stagesOf returns the stages of a run: one without a name if its rate stays the same.
func stagesOf(r *runner.Result) (all []stage) {
	if r.Config.Plan != nil {
		for _, p := range r.Config.Plan.Parts(r.Elapsed) {
			name := digits(p.From)
			if p.From != p.To {
				name += " – " + digits(p.To)
			}
			all = append(all, stage{p.Begin.Seconds(), p.End.Seconds(), name + "/s"})
		}
	}
	if len(all) < 2 {
		return []stage{{0, r.Elapsed.Seconds(), ""}}
	}
	return all
}

// stageAt returns the name of the stage at a time.
func stageAt(all []stage, at float64) string {
	i := slices.IndexFunc(all, func(s stage) bool { return at < s.Till })
	if i < 0 {
		i = len(all) - 1
	}
	return all[i].Name
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
