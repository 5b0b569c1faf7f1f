package gate

import "github.com/zkatbench/zkatbench/bench/result"

// Report is the result of a comparison.
type Report struct {
	Base, Head  string    // names of the two sides
	Revisions   [2]string // of the two sides if they differ
	Comparisons []Comparison
	Beside      []Comparison // of the other clock in cases with wall and processor time; not judged
	Missing     []Cell       // benchmarks, and exact units, in base but not in head
	OneSided    []Cell       // noisy units that only base has in a case of both, such as percentiles
	New         []result.Key // only in head
	Unmeasured  []result.Key // in both, but skipped because of the budget or an interrupt
	Alpha       float64      // of the last look
	Looks       int
	Interrupted bool
	Incomplete  []string // files that are not whole, with the reasons
	Notes       []string // reasons to doubt the figures

	Profiles []Profiles // of cases with a regression of time

	wallBecause map[string][]string // reasons to judge wall time beside processor time, with the cases
}

// add names the functions of regressions of time.
func (r *Report) add(all []Profiles) {
	r.Profiles = all
	for _, p := range all {
		for i, c := range r.Comparisons {
			if c.Key == p.Key && c.Verdict == Regression && isTime(c.Unit) {
				r.Comparisons[i].Grown = p.Grown()
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
// no regression is possible by the verdicts.
func (r Report) Outcome() Outcome {
	switch {
	case r.Count(Regression) > 0:
		return Regressed
	case r.undecided() > 0, len(r.Missing) > 0, len(r.Unmeasured) > 0, len(r.Comparisons) == 0, r.Interrupted, len(r.Incomplete) > 0:
		return Unclear
	}
	return Pass
}

// OnlyUndecided reports whether everything in base was compared, from whole files,
// and all that stands against Pass are verdicts that are unknown.
func (r Report) OnlyUndecided() bool {
	whole := len(r.Missing)+len(r.Unmeasured)+len(r.Incomplete) == 0 && !r.Interrupted
	return whole && r.Outcome() == Unclear && r.undecided() > 0
}

// undecided returns the number of comparisons that may hide a regression.
func (r Report) undecided() (n int) {
	for _, c := range r.Comparisons {
		if c.Verdict == Unknown && !c.Harmless {
			n++
		}
	}
	return n
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
