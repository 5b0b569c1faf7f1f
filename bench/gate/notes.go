package gate

import (
	"fmt"
	"math"
	"slices"

	"github.com/zkatbench/zkatbench/text"
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

// openNotes says how large a regression the comparisons without a verdict leave possible.
func (r Report) openNotes() []string {
	n, worst := 0, Comparison{}
	for _, c := range r.Comparisons {
		if c.Verdict != Unknown || c.Harmless || !c.tested() {
			continue
		}
		if n++; n == 1 || c.worst() > worst.worst() {
			worst = c
		}
	}
	switch {
	case n == 0:
		return nil
	case math.IsInf(worst.worst(), 1):
		return []string{fmt.Sprintf("%s without a verdict; too few results to exclude any regression of %s", text.Plural(n, "comparison"), Cell{worst.Key, worst.Unit})}
	}
	return []string{fmt.Sprintf("%s without a verdict; a regression above %s is excluded, the least certain is %s",
		text.Plural(n, "comparison"), text.Percent(worst.worst()), Cell{worst.Key, worst.Unit})}
}

// exactRegression reports a regression that no further result can take back.
func (r Report) exactRegression() bool {
	return slices.ContainsFunc(r.Comparisons, func(c Comparison) bool { return c.Verdict == Regression && !c.tested() })
}
