package hosts

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/result"
)

// A Part is the result of one host's part of a load.
type Part struct {
	*Host
	Name   string
	Result *result.Result
}

// Joint merges the results of hosts bucket for bucket. Their windows are moved by the offsets
// of the clocks.
func Joint(parts []Part) (*result.Result, error) {
	var all []*result.Result
	for _, p := range parts {
		r := *p.Result
		r.Begun = r.Begun.Add(-p.Clock)
		all = append(all, &r)
	}
	return result.Merge(all...)
}

// lag is the time that the starts of a part were late on average; of a closed loop, 0.
func (p Part) lag() time.Duration {
	if p.Result.Open == nil {
		return 0
	}
	return p.Result.Open.LagMean
}

// WriteShares writes the share of each host in a joint result, its clock, and the slowest
// generator: with the latest starts or, in a closed loop, with the greatest P99.
func WriteShares(w io.Writer, parts []Part, joint *result.Result, width int) error {
	t := text.Table{Head: []string{"host", "operations", "share", "failed", "P99", "starts late by", "clock"},
		Align: "lrrrrrr"}
	p99 := func(p Part) float64 { return p.Result.Latency.Quantile(0.99) }
	for _, p := range parts {
		r := p.Result
		t.Rows = append(t.Rows,
			[]string{text.Visible(p.Destination), text.Count(r.Done),
				text.Percent(float64(r.Done) / float64(max(1, joint.Done))), text.Count(r.Failed),
				text.Duration(p99(p)), text.Duration(float64(p.lag())),
				fmt.Sprintf("%+.1f ± %.1f ms", milliseconds(p.Clock), milliseconds(p.ClockError))})
	}
	if err := t.Write(w, width); err != nil {
		return err
	}
	slowest := slices.MaxFunc(parts, func(a, b Part) int {
		return cmp.Or(cmp.Compare(a.lag(), b.lag()), cmp.Compare(p99(a), p99(b)))
	})
	_, err := fmt.Fprintf(w, "slowest generator: %s\n", text.Visible(slowest.Destination))
	return err
}

func milliseconds(d time.Duration) float64 { return d.Seconds() * 1000 }
