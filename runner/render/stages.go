package render

import (
	"fmt"
	"slices"
	"time"

	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/hist"
	"github.com/zkatbench/zkatbench/runner/result"
)

// stages shows the figures of each stage of a plan with several rates. They come
// from the ticks of the timeline whose middle is in the stage, so percentiles are
// known to a row of the heatmap.
func (p *page) stages(r *result.Result) {
	if r.Config.Plan == nil {
		return
	}
	parts := r.Config.Plan.Parts(r.Elapsed)
	if len(parts) < 2 {
		return
	}
	p.section("Stages")
	for _, part := range parts {
		sum, ticks := result.Cell{Rows: make([]uint64, hist.Rows)}, 0
		for i, c := range r.Timeline.Cells {
			middle := r.Timeline.Tick*time.Duration(i) + r.Timeline.Tick/2
			if middle < part.Begin || middle >= part.End {
				continue
			}
			ticks++
			c.AddTo(&sum)
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
		remark := fmt.Sprintf("%s: %s latencies, mean %s", where, text.Count(sum.N),
			text.Duration(sum.Sum/float64(sum.N)))
		for _, q := range []float64{0.5, 0.99} {
			low, high := hist.RowBounds(rowOf(sum, q))
			remark += fmt.Sprintf(", P%.0f in %s – %s", 100*q, text.Duration(float64(low)),
				text.Duration(float64(high)))
		}
		length := min(float64(ticks)*r.Timeline.Tick.Seconds(), r.Elapsed.Seconds())
		p.line(name, perSecond(sum.Ops/length), remark)
	}
}

// rowOf returns the row with the quantile q.
func rowOf(c result.Cell, q float64) int {
	below := uint64(0)
	return slices.IndexFunc(c.Rows, func(n uint64) bool {
		below += n
		return float64(below) >= q*float64(c.N)
	})
}
