package gate

import (
	"slices"

	"github.com/zkatbench/zkatbench/bench/result"
)

// Report is the result of a comparison.
type Report struct {
	Base, Head  string    // names of the two sides
	Revisions   [2]string // of the two sides if they differ
	Comparisons []Comparison
	Beside      []Comparison // of the other clock in cases with wall and processor time; not judged
	Missing     []Cell       // benchmarks, and exact units, in base but not in head
	New         []result.Key // only in head
	Unmeasured  []result.Key // in both, but skipped because of the budget or an interrupt
	Alpha       float64      // of the last look
	Looks       int
	Interrupted bool
	Incomplete  []string // files that are not whole, with the reasons
	Notes       []string // reasons to doubt the figures
	Strict      bool     // a comparison without a verdict is no pass

	Profiles []Profiles // of cases with a regression of time

	notes []note // before they become Notes
}

// add names the functions of regressions of time.
func (r *Report) add(all []Profiles) {
	r.Profiles = all
	for _, p := range all {
		for i, c := range r.Comparisons {
			if c.Key == p.Key && c.Verdict == Regression && isTime(c.Unit) {
				r.Comparisons[i].Grown = p.grown()
			}
		}
	}
}

// Outcome summarises a report.
type Outcome string

// The outcomes.
const (
	Pass      Outcome = "pass"
	Regressed Outcome = "regression"
	Unclear   Outcome = "cannot tell" // also if a unit or a benchmark is missing
)

// Outcome is Pass only if everything in base was compared, from whole files, and
// no comparison shows a regression or leaves a large one possible.
func (r Report) Outcome() Outcome {
	switch {
	case r.Count(Regression) > 0:
		return Regressed
	case slices.ContainsFunc(r.Comparisons, r.blind), len(r.Missing) > 0, len(r.Unmeasured) > 0, len(r.Comparisons) == 0, r.Interrupted, len(r.Incomplete) > 0:
		return Unclear
	}
	return Pass
}

// blindness is the regression, in limits, that a comparison without a verdict must
// exclude. Otherwise it says nothing about the code.
const blindness = 10

// blind reports a comparison without a verdict that may hide a large regression, that
// seems to be a regression by its test, or that counts since the report is strict.
func (r Report) blind(c Comparison) bool {
	if c.Verdict != Unknown || c.Harmless {
		return false
	}
	seems := c.Adjusted < r.Alpha && c.worsening(c.Shift.Value) > c.Rule.Limit
	return r.Strict || seems || !c.tested() || !(c.worst() <= blindness*c.Rule.Limit)
}

// Count returns the number of comparisons with verdict v.
func (r Report) Count(v Verdict) (n int) {
	for _, c := range r.Comparisons {
		if c.Verdict == v {
			n++
		}
	}
	return n
}

// exactRegression reports a regression that no further result can take back.
func (r Report) exactRegression() bool {
	return slices.ContainsFunc(r.Comparisons, func(c Comparison) bool { return c.Verdict == Regression && !c.tested() })
}
