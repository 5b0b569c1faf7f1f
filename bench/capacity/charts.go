package capacity

import (
	"github.com/zkatbench/zkatbench/bench/chart"
	"github.com/zkatbench/zkatbench/internal/text"
)

// Points of the charts of a plan.
const (
	ratePoints = 60
	loads      = 9 // tenths of utilisation
)

// Charts are the cores of endorsers and auditor over the rate, and P99 over the
// utilisation of a node, computed as the tables are.
func (p *Plan) Charts() chart.Group {
	s := p.Settings
	cores := chart.Chart{Title: "Cores of endorsers and auditor", X: chart.Axis{Name: "requests a second"},
		Y: chart.Axis{Name: "cores"},
		Note: "By utilisation, without cores added for P99. Vertical lines are the average rate and the " +
			"peak.", Rules: []chart.Rule{{X: s.Rate, Colour: "text"}, {X: s.Peak, Colour: "bad"}}}
	waits := chart.Chart{Title: "P99 of validation over the utilisation of a node",
		X:     chart.Axis{Name: "utilisation", Label: text.Percent},
		Y:     chart.Axis{Name: "P99", Log: true, Label: chart.Seconds},
		Note:  "By simulation, with the nodes of the plan. The vertical line is the highest utilisation.",
		Rules: []chart.Rule{{X: s.Utilisation, Colour: "bad"}}}
	for i, c := range p.Choices {
		line := chart.Series{Name: c.Name, Ink: i, Style: chart.Steps}
		for k := range ratePoints {
			at := chart.Point{X: 2 * s.Peak * float64(k+1) / ratePoints}
			for _, r := range c.Roles {
				if r.Wait != nil {
					at.Y += float64(r.Parties * r.size(s, at.X*r.Share).total())
				}
			}
			line.Points = append(line.Points, at)
		}
		cores.Series = append(cores.Series, line)
		wait := chart.Series{Name: c.Name, Ink: i}
		for r, tenth := c.first(), 1; tenth <= loads; tenth++ {
			load, q := float64(tenth)/10, r.queue(s, r.Peak)
			q.rate *= load / r.Peak.Utilisation
			wait.Points = append(wait.Points, chart.Point{X: load, Y: q.settle(r.asked).P99})
		}
		waits.Series = append(waits.Series, wait)
	}
	return chart.Group{Title: "Over rate and utilisation", Charts: []chart.Chart{cores, waits}}
}
