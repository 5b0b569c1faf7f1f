package render

import (
	"fmt"
	"time"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/hist"
	"github.com/zkatbench/zkatbench/text"
)

// stages shows the figures of each stage of a plan with several rates. They come
// from the ticks of the timeline whose middle is in the stage, so percentiles are
// known to a row of the heatmap.
func (p *page) stages(r *runner.Result) {
	if r.Config.Plan == nil {
		return
	}
	parts := r.Config.Plan.Parts(r.Elapsed)
	if len(parts) < 2 {
		return
	}
	p.section("Stages")
	for _, part := range parts {
		var sum runner.Cell
		rows, ticks := make([]uint64, hist.Rows), 0
		for i, c := range r.Timeline.Cells {
			middle := r.Timeline.Tick*time.Duration(i) + r.Timeline.Tick/2
			if middle < part.Begin || middle >= part.End {
				continue
			}
			ticks++
			sum.Ops, sum.N, sum.Sum = sum.Ops+c.Ops, sum.N+c.N, sum.Sum+c.Sum
			for k, n := range c.Rows {
				rows[k] += n
			}
		}
		name := text.Number(part.From) + "/s"
		if part.From != part.To {
			name = text.Number(part.From) + " – " + text.Number(part.To) + "/s"
		}
		where := text.Duration(float64(part.Begin)) + " – " + text.Duration(float64(part.End))
		if sum.N == 0 {
			p.line(name, "~", where+": no operation ended")
			continue
		}
		remark := fmt.Sprintf("%s: %s latencies, mean %s", where, text.Count(sum.N), text.Duration(sum.Sum/float64(sum.N)))
		for _, q := range []float64{0.5, 0.99} {
			low, high := hist.RowBounds(rowOf(rows, q))
			remark += fmt.Sprintf(", P%.0f in %s – %s", 100*q, text.Duration(float64(low)), text.Duration(float64(high)))
		}
		length := min(float64(ticks)*r.Timeline.Tick.Seconds(), r.Elapsed.Seconds())
		p.line(name, perSecond(sum.Ops/length), remark)
	}
}

// rowOf returns the row with the quantile q.
func rowOf(rows []uint64, q float64) int {
	all := uint64(0)
	for _, n := range rows {
		all += n
	}
	below := uint64(0)
	for k, n := range rows {
		if below += n; float64(below) >= q*float64(all) {
			return k
		}
	}
	return len(rows) - 1
}
