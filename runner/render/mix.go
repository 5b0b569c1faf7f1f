package render

import (
	"fmt"

	"github.com/zkatbench/zkatbench/runner"
)

// mix shows the operations of a mix apart.
func (p *page) mix(r *runner.Result) {
	if len(r.Parts) == 0 {
		return
	}
	p.section("Operations of the mix")
	all := 0.0
	for _, part := range r.Parts {
		all += part.Weight
	}
	for _, part := range r.Parts {
		one := part.Result
		remark := fmt.Sprintf("%s ops, weight %s", count(one.Done), percent(part.Weight/all))
		if one.Records > 0 {
			remark += "; mean " + short(one.Moments.Mean)
			for _, q := range percentiles {
				if e := one.Quantile(q.q); e.Shown() && q.q <= 0.99 {
					remark += ", " + q.name + " " + short(e.Value)
				}
			}
			remark += ", max " + short(one.Moments.Max)
		}
		if one.Failed > 0 {
			remark += "; failed " + count(one.Failed)
		}
		p.line(visible(part.Name), perSecond(one.Throughput()), remark)
	}
}
