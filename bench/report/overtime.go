package report

import (
	"fmt"
	"math"

	"github.com/zkatbench/zkatbench/bench/chart"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/hist"
)

// overTime draws a heat map of latency over time, a panel for each run.
func overTime(loads []Load) figure {
	f := figure{
		ID: "over-time", Title: "Latency over time", Table: table{Head: []string{"run", "from s", "latency from ns", "count"}},
		Note: "Colours deepen with the logarithm of the count, so that a single slow operation is visible.",
	}
	first, last, most, longest := hist.Rows, -1, 0.0, 0.0 // of all runs, since their panels share axes
	for _, l := range loads {
		longest = max(longest, float64(len(l.Result.Timeline.Cells))*l.Result.Timeline.Tick.Seconds())
		eachCell(l.Result, func(_ float64, row int, n uint64) {
			first, last, most = min(first, row), max(last, row), max(most, math.Log1p(float64(n)))
		})
	}
	bottom, top := rowBounds(first)[0], rowBounds(last)[1]
	v := variant{}
	for _, l := range loads {
		c := chart.Chart{
			Title: short(l.label()), X: chart.Axis{Name: "seconds", Low: 0, High: max(longest, 1e-9)}, Y: durations("latency", bottom, top),
			Rules: rules(stagesOf(l.Result)),
		}
		eachCell(l.Result, func(from float64, row int, n uint64) {
			low, _ := hist.RowBounds(row)
			f.Table.add(l.label(), plain(from), fmt.Sprint(low), fmt.Sprint(n))
			c.Cells = append(c.Cells, chart.Cell{
				Left: from, Right: from + l.Result.Timeline.Tick.Seconds(), Low: rowBounds(row)[0], High: rowBounds(row)[1],
				Heat: math.Log1p(float64(n)) / most,
			})
		})
		v.add(l.label(), &c)
	}
	f.Variants = []variant{v}
	return f
}

// eachCell calls f for the ticks of a run, in seconds, and their rows with latencies.
func eachCell(r *runner.Result, f func(from float64, row int, n uint64)) {
	for i, c := range r.Timeline.Cells {
		for row, n := range c.Rows {
			if n > 0 {
				f(float64(i)*r.Timeline.Tick.Seconds(), row, n)
			}
		}
	}
}

// rowBounds are the latencies of a row of package hist in ns, on a logarithmic axis.
func rowBounds(row int) [2]float64 {
	low, high := hist.RowBounds(min(max(row, 0), hist.Rows-1))
	return [2]float64{max(float64(low), 1), max(float64(high), 2)}
}
