package report

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/plotter"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/text"
)

// tick is a part of the window of a run: its rate in operations a second and the mean
// latency in seconds, which is NaN if no operation ended.
type tick struct{ from, rate, latency float64 }

// progress draws throughput and mean latency over time, a panel of each for each run.
func progress(loads []Load) (figure, error) {
	f := figure{
		ID: "progress", Title: "Throughput and latency over time", Table: table{Head: []string{"run", "from s", "stage", "operations/s", "mean latency ns"}},
		Note: "Pictures of the same figure have the same axes; dotted lines, also below, separate the stages of a plan.",
	}
	all, longest := map[string][]tick{}, 0.0
	var rates, latencies []span
	for _, l := range loads {
		stages := stagesOf(l.Result)
		for _, at := range ticksOf(l.Result) {
			all[l.label()] = append(all[l.label()], at)
			longest = max(longest, at.from)
			rates, latencies = append(rates, span{at.rate, at.rate}), append(latencies, span{at.latency, at.latency})
			latency := ""
			if !math.IsNaN(at.latency) {
				latency = plain(1e9 * at.latency)
			}
			f.Table.add(l.label(), plain(at.from), stageAt(stages, at.from), plain(at.rate), latency)
		}
	}
	v := variant{}
	for _, l := range loads {
		if len(all[l.label()]) == 0 {
			continue
		}
		for i, c := range []struct {
			title, unit string
			y           extent
			value       func(tick) float64
		}{
			{"throughput", "operations/s", extentOf(rates), func(at tick) float64 { return at.rate }},
			{"mean latency", "sec", extentOf(latencies), func(at tick) float64 { return at.latency }},
		} {
			p := newPlot(short(l.label()) + ": " + c.title)
			p.X.Label.Text, p.X.Min, p.X.Max = "seconds", 0, max(longest, 1e-9)
			c.y.mark(&p.Y, c.unit)
			stages := stagesOf(l.Result)
			var spots []spot
			var line plotter.XYs
			for k, at := range all[l.label()] {
				y := c.value(at)
				if !math.IsNaN(y) {
					line = append(line, plotter.XY{X: at.from, Y: y})
					spots = append(spots, spot{at.from, y, fmt.Sprintf("%s s, %s: %s", text.Number(at.from), stageAt(stages, at.from), show(y, c.unit))})
				}
				if len(line) > 0 && (math.IsNaN(y) || k == len(all[l.label()])-1) { // a gap ends a line
					drawn, err := plotter.NewLine(line)
					if err != nil {
						return f, err
					}
					drawn.Color, drawn.Width = seriesInk(i), 1.2
					p.Add(drawn)
					line = nil
				}
			}
			for _, s := range stages[1:] {
				if err := addMark(p, s.From, ink(inkText)); err != nil {
					return f, err
				}
			}
			picture, err := svg(p, c.title+" over time, "+l.label(), panelWidth, 210, spots...)
			if err != nil {
				return f, err
			}
			v.Panels = append(v.Panels, panel{l.label(), picture})
		}
	}
	f.Variants = []variant{v}
	return f, nil
}

// ticksOf returns the ticks of a run. The last one counts with its true length, and
// not at all below a tenth.
func ticksOf(r *runner.Result) (all []tick) {
	whole := r.Timeline.Tick.Seconds()
	for i, cell := range r.Timeline.Cells {
		at := tick{from: float64(i) * whole, latency: math.NaN()}
		length := min(whole, r.Elapsed.Seconds()-at.from)
		if length < whole/10 {
			break
		}
		at.rate = cell.Ops / length
		if cell.N > 0 {
			at.latency = cell.Sum / float64(cell.N) / 1e9
		}
		all = append(all, at)
	}
	return all
}

// stage is a part of a run whose plan changes its rate, from and until seconds of the
// window.
type stage struct {
	From, Until float64
	Name        string
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
	i := slices.IndexFunc(all, func(s stage) bool { return at < s.Until })
	if i < 0 {
		i = len(all) - 1
	}
	return all[i].Name
}
