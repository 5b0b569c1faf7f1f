package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/zkatbench/zkatbench/bench/chart"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/text"
)

// tick is a part of the window of a run: its rate in operations a second and the mean
// latency in seconds, which is NaN if no operation ended.
type tick struct{ from, rate, latency float64 }

// progress draws throughput and mean latency over time, a panel of each for each run.
func progress(loads []Load) figure {
	f := figure{
		ID: "progress", Title: "Throughput and latency over time", Table: table{Head: []string{"run", "from s", "stage", "operations/s", "mean latency ns"}},
		Note: "Pictures of the same figure have the same axes; dotted lines, also below, separate the stages of a plan.",
	}
	longest := 0.0
	var rates, latencies []span
	for _, l := range loads {
		stages := stagesOf(l.Result)
		for _, at := range ticksOf(l.Result) {
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
		stages := stagesOf(l.Result)
		for ink, c := range []struct {
			name  string
			y     chart.Axis
			value func(tick) float64
		}{
			{"throughput", magnitudes(rates, "operations/s"), func(at tick) float64 { return at.rate }},
			{"mean latency", magnitudes(latencies, "sec"), func(at tick) float64 { return at.latency }},
		} {
			s := chart.Series{Ink: ink, Style: chart.Curve}
			for _, at := range ticksOf(l.Result) {
				y := c.value(at)
				s.Points = append(s.Points, chart.Point{X: at.from, Y: y, Hint: fmt.Sprintf("%s s, %s: %s", text.Number(at.from), stageAt(stages, at.from), c.y.Text(y))})
			}
			v.add(l.label(), &chart.Chart{
				Title: short(l.label()) + ": " + c.name, X: chart.Axis{Name: "seconds", Low: 0, High: max(longest, 1e-9)}, Y: c.y,
				Series: []chart.Series{s}, Rules: rules(stages),
			})
		}
	}
	f.Variants = []variant{v}
	return f
}

// rules are lines between stages.
func rules(stages []stage) (all []chart.Rule) {
	for _, s := range stages[1:] {
		all = append(all, chart.Rule{X: s.From, Colour: "text"})
	}
	return all
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
			name := text.Number(p.From)
			if p.From != p.To {
				name += " – " + text.Number(p.To)
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
