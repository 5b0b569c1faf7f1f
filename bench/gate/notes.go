package gate

import (
	"fmt"
	"github.com/zkatbench/zkatbench/text"
	"math"
	"slices"
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
func countNotes(cs []Comparison) (notes []string) {
	for _, c := range cs {
		if c.constant && c.Verdict == Same && c.Base.Median != c.Head.Median && c.Base.N > 1 && c.Base.Median == math.Trunc(c.Base.Median) {
			notes = append(notes, fmt.Sprintf("%s of %s: %v in every result of BASE, %v in every one of HEAD, a change below the tolerance of %s",
				c.Unit, c.Key.Name, c.Base.Median, c.Head.Median, text.Percent(max(c.Rule.Limit, c.Floor))))
		}
	}
	return notes
}

// exactRegression reports a regression that no further result can take back.
func (r Report) exactRegression() bool {
	return slices.ContainsFunc(r.Comparisons, func(c Comparison) bool { return c.Verdict == Regression && !c.tested() })
}
