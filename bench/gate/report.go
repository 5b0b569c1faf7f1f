package gate

import "github.com/zkatbench/zkatbench/bench/result"

// Report is what came of a comparison.
type Report struct {
	Base, Head  string // what they are called
	Comparisons []Comparison
	Missing     []Cell       // that base has and head has not
	New         []result.Key // that head alone has
	Unmeasured  []result.Key // that both have, when the budget or the user ended it
	Alpha       float64      // of the last look
	Looks       int
	Interrupted bool
	Notes       []string // what makes the figures doubtful
}

// Outcome is what a report says as a whole.
type Outcome string

// The outcomes.
const (
	Pass      Outcome = "pass"
	Regressed Outcome = "regression"
	Unclear   Outcome = "cannot tell" // or something is missing
)

// Outcome is Pass only if everything that base has was compared and nothing is
// unknown.
func (r Report) Outcome() Outcome {
	switch {
	case r.Count(Regression) > 0:
		return Regressed
	case r.Count(Unknown) > 0, len(r.Missing) > 0, len(r.Unmeasured) > 0, len(r.Comparisons) == 0, r.Interrupted:
		return Unclear
	}
	return Pass
}

// Count is how many comparisons have a verdict.
func (r Report) Count(v Verdict) (n int) {
	for _, c := range r.Comparisons {
		if c.Verdict == v {
			n++
		}
	}
	return n
}
