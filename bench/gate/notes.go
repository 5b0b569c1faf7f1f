package gate

import (
	"fmt"
	"math"
	"slices"

	"github.com/zkatbench/zkatbench/bench/result"
)

// unitNotes names units that only base has: some appear only if there is enough
// to measure, as percentiles do.
func (r Report) unitNotes() (notes []string) {
	for i, c := range r.OneSided {
		if slices.ContainsFunc(r.OneSided[:i], func(o Cell) bool { return o.Unit == c.Unit }) {
			continue
		}
		var cases []string
		for _, o := range r.OneSided {
			if o.Unit == c.Unit {
				cases = append(cases, o.Key.Name)
			}
		}
		notes = append(notes, fmt.Sprintf("HEAD has no %s of %s", c.Unit, caseNames(cases)))
	}
	return notes
}

// countNotes names counts that are the same whole number in every result of a
// side, and another one in HEAD, although the change is within the tolerance.
func countNotes(base, head *result.Data, cs []Comparison) (notes []string) {
	for _, c := range cs {
		if c.Rule.Kind != Median || c.Verdict != Same || c.Base.Median == c.Head.Median {
			continue
		}
		if constant(base.Values[c.Key][c.Unit]) && constant(head.Values[c.Key][c.Unit]) {
			notes = append(notes, fmt.Sprintf("%s of %s: %v in every result of BASE, %v in every one of HEAD, a change below the tolerance of %s",
				c.Unit, c.Key.Name, c.Base.Median, c.Head.Median, percent(max(c.Rule.Limit, c.Floor))))
		}
	}
	return notes
}

// constant reports whether all values are the same whole number.
func constant(xs []float64) bool {
	return len(xs) > 1 && slices.Min(xs) == slices.Max(xs) && xs[0] == math.Trunc(xs[0])
}

// exactRegression reports a regression that no further result can take back.
func (r Report) exactRegression() bool {
	return slices.ContainsFunc(r.Comparisons, func(c Comparison) bool { return c.Verdict == Regression && c.Rule.Kind == Exact })
}
