package report

import (
	"math"

	"github.com/zkatbench/zkatbench/bench/chart"
	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/hist"
	"github.com/zkatbench/zkatbench/runner/result"
)

// tick is a part of the window of a run: its begin in seconds, its rate in operations a
// second and the mean latency in ns, which is NaN if no operation ended.
type tick struct{ from, rate, latency float64 }

// ticksOf returns the ticks of a run. The last one counts with its true length, and
// not at all below a tenth.
func ticksOf(r *result.Result) (all []tick) {
	whole := r.Timeline.Tick.Seconds()
	for i, c := range r.Timeline.Cells {
		from := float64(i) * whole
		length := min(whole, r.Elapsed.Seconds()-from)
		if length >= whole/10 {
			all = append(all, tick{from, c.Ops / length, c.Sum / float64(c.N)})
		}
	}
	return all
}

// progress draws throughput over time, a panel for each run.
func progress(loads []Load) figure {
	f := figure{
		ID: "progress", Title: "Throughput over time",
		Table: table{Head: []string{"run", "from s", "operations/s", "mean latency ns"}},
		Note: "Pictures of the same figure have the same axes; dotted lines, also below, separate the " +
			"stages of a plan.",
	}
	var rates []span
	for _, l := range loads {
		for _, at := range ticksOf(l.Result) {
			rates = append(rates, span{at.rate, at.rate})
		}
	}
	for _, l := range loads {
		rate := chart.Series{Style: chart.Curve}
		for _, at := range ticksOf(l.Result) {
			mean := ""
			if !math.IsNaN(at.latency) {
				mean = plain(at.latency)
			}
			f.Table.add(l.label(), plain(at.from), plain(at.rate), mean)
			rate.Points = append(rate.Points,
				chart.Point{X: at.from, Y: at.rate,
					Hint: text.Number(at.from) + " s: " + text.Number(at.rate) + " operations/s"})
		}
		f.add(l.label(),
			&chart.Chart{Title: short(l.label()), X: seconds(loads), Y: magnitudes(rates, "operations/s"),
				Series: []chart.Series{rate}, Rules: stages(l)})
	}
	return f
}

// seconds is the axis of time, as long as the longest run.
func seconds(loads []Load) chart.Axis {
	a := chart.Axis{Name: "seconds", High: 1e-9}
	for _, l := range loads {
		a.High = max(a.High, float64(len(l.Result.Timeline.Cells))*l.Result.Timeline.Tick.Seconds())
	}
	return a
}

// stages are lines between the stages of the plan of a run.
func stages(l Load) (all []chart.Rule) {
	if l.Result.Config.Plan == nil {
		return nil
	}
	for i, part := range l.Result.Config.Plan.Parts(l.Result.Elapsed) {
		if i > 0 {
			all = append(all, chart.Rule{X: part.Begin.Seconds(), Colour: "text"})
		}
	}
	return all
}

// overTime draws a heat map of latency over time with the mean, a panel for each run.
func overTime(loads []Load) figure {
	f := figure{
		ID: "over-time", Title: "Latency over time",
		Table: table{Head: []string{"run", "from s", "latency from ns", "count"}},
		Note: "Colours deepen with the logarithm of the count, so that a single slow operation is " +
			"visible. The line is the mean.",
	}
	first, last, most := hist.Rows, -1, 0.0 // of all runs, since their panels share axes
	each := func(l Load, do func(from float64, row int, heat float64)) {
		for i, c := range l.Result.Timeline.Cells {
			for row, n := range c.Rows {
				if n > 0 {
					do(float64(i)*l.Result.Timeline.Tick.Seconds(), row, math.Log1p(float64(n)))
				}
			}
		}
	}
	for _, l := range loads {
		each(l, func(_ float64, row int, heat float64) {
			first, last, most = min(first, row), max(last, row), max(most, heat)
		})
	}
	bottom, _ := rowBounds(first)
	_, top := rowBounds(last)
	for _, l := range loads {
		mean := chart.Series{Ink: 1, Style: chart.Curve}
		for _, at := range ticksOf(l.Result) {
			mean.Points = append(mean.Points,
				chart.Point{X: at.from, Y: at.latency,
					Hint: text.Number(at.from) + " s: " + text.Duration(at.latency)})
		}
		c := chart.Chart{Title: short(l.label()), X: seconds(loads), Y: durations("latency", bottom, top),
			Series: []chart.Series{mean}, Rules: stages(l)}
		each(l, func(from float64, row int, heat float64) {
			low, high := rowBounds(row)
			f.Table.add(l.label(), plain(from), plain(low), plain(math.Round(math.Expm1(heat))))
			c.Cells = append(c.Cells,
				chart.Cell{Left: from, Right: from + l.Result.Timeline.Tick.Seconds(), Low: low, High: high,
					Heat: heat / most})
		})
		f.add(l.label(), &c)
	}
	return f
}

// rowBounds are the latencies of a row of package hist in ns, on a logarithmic axis.
func rowBounds(row int) (low, high float64) {
	l, h := hist.RowBounds(min(max(row, 0), hist.Rows-1))
	return max(float64(l), 1), max(float64(h), 2)
}
