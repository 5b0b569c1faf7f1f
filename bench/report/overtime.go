package report

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/hist"
)

// overTime draws a heat map of latency over time, a panel for each run.
func overTime(loads []Load) (figure, error) {
	f := figure{
		ID: "over-time", Title: "Latency over time", Table: table{Head: []string{"run", "from s", "latency from ns", "count"}},
		Note: "Colours deepen with the logarithm of the count, so that a single slow operation is visible.",
	}
	v := variant{}
	all := grid{low: hist.Rows, high: -1} // of all runs, since their panels share axes
	longest := 0.0
	for _, l := range loads {
		g := gridOf(l.Result)
		all.low, all.high, all.most = min(all.low, g.low), max(all.high, g.high), max(all.most, g.most)
		longest = max(longest, float64(g.columns())*l.Result.Timeline.Tick.Seconds())
	}
	for _, l := range loads {
		g := gridOf(l.Result)
		if g.columns() == 0 {
			continue
		}
		g.low, g.high, g.most = all.low, all.high, all.most
		g.tabulate(l.label(), &f.Table)
		p := newPlot(short(l.label()))
		p.X.Label.Text, p.Y.Label.Text = "seconds", "latency"
		h := plotter.NewHeatMap(g, heatPalette{})
		h.Min, h.Max = 0, max(g.most, 1e-9)
		p.Add(h)
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, longest, float64(g.low), float64(g.high+1)
		p.Y.Tick.Marker = g.ticks()
		for _, s := range stagesOf(l.Result)[1:] {
			if err := addMark(p, s.From, ink(inkText)); err != nil {
				return f, err
			}
		}
		picture, err := svg(p, "latency over time, "+l.label(), panelWidth, 210)
		if err != nil {
			return f, err
		}
		v.Panels = append(v.Panels, panel{l.label(), picture})
	}
	f.Variants = []variant{v}
	return f, nil
}

// grid is a Timeline as a heat map; its rows are the rows of package hist.
type grid struct {
	timeline  runner.Timeline
	low, high int // range of rows with latencies
	most      float64
}

func gridOf(r *runner.Result) grid {
	g := grid{timeline: r.Timeline, low: hist.Rows, high: -1}
	for _, c := range r.Timeline.Cells {
		for row, n := range c.Rows {
			if n > 0 {
				g.low, g.high = min(g.low, row), max(g.high, row)
				g.most = max(g.most, math.Log1p(float64(n)))
			}
		}
	}
	return g
}

// columns returns 0 without latencies.
func (g grid) columns() int {
	if g.high < 0 {
		return 0
	}
	return len(g.timeline.Cells)
}

// Dims, X, Y and Z implement the data of plotter.HeatMap. Y counts rows, which
// have equal heights on the logarithmic axis.
func (g grid) Dims() (columns, rows int) { return g.columns(), g.high - g.low + 1 }
func (g grid) X(column int) float64      { return (float64(column) + 0.5) * g.timeline.Tick.Seconds() }
func (g grid) Y(row int) float64         { return float64(g.low+row) + 0.5 }

// Z is the logarithm of the count of a cell, NaN for an empty one.
func (g grid) Z(column, row int) float64 {
	if n := g.count(column, g.low+row); n > 0 {
		return math.Log1p(float64(n))
	}
	return math.NaN()
}

func (g grid) count(column, row int) uint64 {
	if rows := g.timeline.Cells[column].Rows; row < len(rows) {
		return rows[row]
	}
	return 0
}

// ticks are the bounds of the rows.
func (g grid) ticks() (ticks plot.ConstantTicks) {
	for row := g.low; row <= g.high+1; row++ {
		low, _ := hist.RowBounds(min(row, hist.Rows-1))
		ticks = append(ticks, plot.Tick{Value: float64(row), Label: seconds(float64(low))})
	}
	return ticks
}

func (g grid) tabulate(run string, t *table) {
	for column := range g.timeline.Cells {
		for row := g.low; row <= g.high; row++ {
			if n := g.count(column, row); n > 0 {
				low, _ := hist.RowBounds(row)
				t.add(run, plain(float64(column)*g.timeline.Tick.Seconds()), fmt.Sprint(low), fmt.Sprint(n))
			}
		}
	}
}

// heatPalette lists the inks of heat maps.
type heatPalette struct{}

func (heatPalette) Colors() (all []color.Color) {
	for i := range heatInks {
		all = append(all, ink(inkHeat+uint8(i)))
	}
	return all
}
