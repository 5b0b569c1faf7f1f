package capacity

import (
	"github.com/zkatbench/zkatbench/bench/chart"
	"github.com/zkatbench/zkatbench/text"
)

// Points of the charts of a plan.
const (
	ratePoints = 60
	loads      = 9 // tenths of utilisation
)

// Charts are the cores of endorsers and auditor over the rate, and P99 over the
// utilisation of a node, computed as the tables are.
func (p *Plan) Charts() []chart.Chart {
	s := p.Settings
	cores := chart.Chart{Title: "Cores of endorsers and auditor", X: chart.Axis{Name: "requests a second"}, Y: chart.Axis{Name: "cores"},
		Note: "By utilisation, without cores added for P99. Vertical lines are the average rate and the peak.", Rules: []chart.Rule{{X: s.Rate, Colour: "text"}, {X: s.Peak, Colour: "bad"}}}
	waits := chart.Chart{Title: "P99 of validation over the utilisation of a node", X: chart.Axis{Name: "utilisation", Label: text.Percent},
		Y: chart.Axis{Name: "P99", Log: true, Label: chart.Seconds}, Note: "By simulation, with the nodes of the plan. The vertical line is the highest utilisation.", Rules: []chart.Rule{{X: s.Utilisation, Colour: "bad"}}}
	for i, c := range p.Choices {
		needed := func(rate float64) (total float64) {
			for k, r := range c.model.Roles {
				if c.Roles[k].Wait != nil {
					total += float64(c.Roles[k].Parties * c.model.size(r, s, rate*r.share(s)).total())
				}
			}
			return total
		}
		line := chart.Series{Name: c.Name, Ink: i, Style: chart.Steps}
		for k := range ratePoints {
			rate := 2 * s.Peak * float64(k+1) / ratePoints
			line.Points = append(line.Points, chart.Point{X: rate, Y: needed(rate)})
		}
		cores.Series = append(cores.Series, line)
		wait := chart.Series{Name: c.Name, Ink: i}
		for k, r := range c.model.Roles {
			if !r.Waits || c.Roles[k].Wait == nil {
				continue
			}
			z := c.Roles[k].Peak
			at := func(load float64) float64 {
				q := c.model.queue(r, s, s.Peak*r.share(s), z)
				q.rate *= load / z.Utilisation
				return q.settle(c.Roles[k].asked).P99
			}
			for tenth := 1; tenth <= loads; tenth++ {
				wait.Points = append(wait.Points, chart.Point{X: float64(tenth) / 10, Y: at(float64(tenth) / 10)})
			}
		}
		waits.Series = append(waits.Series, wait)
	}
	return []chart.Chart{cores, waits}
}
