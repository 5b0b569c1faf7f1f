package render

import (
	"fmt"

	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/result"
)

// mix shows the operations of a mix apart.
func (p *page) mix(r *result.Result) {
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
		remark := fmt.Sprintf("%s ops, weight %s", text.Count(one.Done), text.Percent(part.Weight/all))
		if one.Records > 0 {
			remark += "; " + latencies(one)
		}
		if one.Failed > 0 {
			remark += "; failed " + text.Count(one.Failed)
		}
		p.line(text.VisibleLines(part.Name), perSecond(one.Throughput()), remark)
	}
}
