package gate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/text"
)

// Report is the result of a comparison.
type Report struct {
	Base, Head  string    // names of the two sides
	Revisions   [2]string // of the two sides if they differ
	Comparisons []Comparison
	Beside      []Comparison // of the other clock in cases with wall and processor time; not judged
	Missing     []Cell       // benchmarks, and exact units, in base but not in head
	New         []Cell       // benchmarks, and units, only in head
	Renamed     []string     // which of New may be one of Missing
	Contended   []Contention // benchmarks of head that are slower with more processors
	Unmeasured  []result.Key // in both, but skipped because of the budget or an interrupt
	Alpha       float64      // of the last look
	Looks       int
	Interrupted bool
	Incomplete  []string // files that are not whole, with the reasons
	Notes       []string // reasons to doubt the figures
	Strict      bool     // a comparison without a verdict does not pass

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
	case slices.ContainsFunc(r.Comparisons, r.blind), len(r.Missing) > 0, len(r.Unmeasured) > 0,
		len(r.Comparisons) == 0, r.Interrupted, len(r.Incomplete) > 0:
		return Unclear
	}
	return Pass
}

// blindness is the regression, in limits, that a comparison without a verdict must
// exclude. Otherwise it does not say enough about the code.
const blindness = 10

// suggestRenames pairs missing and new units of a case that differ in their scale alone,
// such as p99-ms and p99-ns.
func (r *Report) suggestRenames() {
	for _, gone := range r.Missing {
		for _, fresh := range r.New {
			if gone.Key == fresh.Key && gone.Unit != "" && stem(gone.Unit) == stem(fresh.Unit) {
				r.Renamed = append(r.Renamed,
					fmt.Sprintf("%s may be %s in another scale: write the old unit, or compare with a base "+
						"that has the new one",
						gone, fresh.Unit))
			}
		}
	}
}

// scales end the names of units of one quantity.
var scales = []string{"ns", "us", "µs", "μs", "ms", "sec", "s", "kib", "mib", "gib", "kb", "mb", "gb", "b"}

// stem is a unit without its scale, and with its denominator.
func stem(unit string) string {
	above, below, _ := strings.Cut(strings.ToLower(unit), "/")
	for _, scale := range scales {
		if rest, found := strings.CutSuffix(above, scale); found &&
			(rest == "" || strings.HasSuffix(rest, "-")) {
			return rest + "/" + below
		}
	}
	return unit
}

// blind reports a comparison without a verdict that may hide a large regression, that
// seems to be a regression by its test, or that counts since the report is strict.
func (r Report) blind(c Comparison) bool {
	excluded := c.worst() <= blindness*c.Rule.Limit
	switch {
	case c.Verdict == Changed:
		return r.Strict
	case c.Verdict == Layout:
		return r.Strict || !excluded
	case c.Verdict != Unknown || c.Harmless:
		return false
	}
	seems := c.Adjusted < r.Alpha && c.worsening(c.Shift.Value) > c.Rule.Limit
	return r.Strict || seems || !c.tested() || !excluded
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
	return slices.ContainsFunc(r.Comparisons, func(c Comparison) bool {
		return c.Verdict == Regression && !c.tested()
	})
}

// caseMark is replaced by the names of cases in the text of a note.
const caseMark = "CASES"

// note is a reason to doubt figures, with the cases that it holds for.
type note struct {
	text  string
	names []string
}

// note adds a case to the note with a text.
func (r *Report) note(text string, k result.Key) {
	i := slices.IndexFunc(r.notes, func(n note) bool { return n.text == text })
	if i < 0 {
		i, r.notes = len(r.notes), append(r.notes, note{text: text})
	}
	if !slices.Contains(r.notes[i].names, k.Name) {
		r.notes[i].names = append(r.notes[i].names, k.Name)
	}
}

// String names one case, or counts several.
func (n note) String() string {
	names := n.names[0]
	if len(n.names) > 1 {
		names = fmt.Sprintf("%d cases, such as %s", len(n.names), names)
	}
	return strings.ReplaceAll(n.text, caseMark, names)
}

// noteVerdicts adds the notes that follow from verdicts: which clock was judged, where
// clocks disagree, counts that change by little, and regressions that are not excluded.
func (r *Report) noteVerdicts() {
	for _, c := range r.Comparisons {
		switch {
		case c.Verdict == Changed:
			r.note(fmt.Sprintf("%s changed, and nothing says if that is good: write \"unit %s higher\" (or "+
				"lower, or either) in a file of -rules, or print \"Unit %s better=higher\"",
				c.Unit, c.Unit, c.Unit), c.Key)
		case c.Unit == processTime:
			r.note("other programs hide wall time, so the processor time of the process ("+processTime+
				") is judged for "+caseMark+": it leaves out the time that a benchmark waits", c.Key)
		case c.constant && c.Verdict == Same && c.Base.Median != c.Head.Median &&
			c.Base.Median == math.Trunc(c.Base.Median):
			r.note(fmt.Sprintf("%s of %s: %v in every result of BASE, %v in every one of HEAD, a change "+
				"below the tolerance of %s",
				c.Unit, caseMark, c.Base.Median, c.Head.Median, text.Percent(max(c.Rule.Limit, c.Floor))),
				c.Key)
		}
	}
	for _, b := range r.Beside {
		i := slices.IndexFunc(r.Comparisons, func(c Comparison) bool {
			return c.Key == b.Key && isTime(c.Unit)
		})
		if i < 0 || !isTime(b.Unit) {
			continue
		}
		if c := r.Comparisons[i]; c.Verdict != b.Verdict && c.Verdict != Unknown && b.Verdict != Unknown {
			r.note(fmt.Sprintf("the clocks disagree on %s: %s says %s (%s), %s says %s (%s); other "+
				"programs competed, or one side waits more",
				caseMark, c.Unit, c.Verdict, text.Change(c.Shift.Value), b.Unit, b.Verdict,
				text.Change(b.Shift.Value)), c.Key)
		}
	}
	for _, n := range r.notes {
		r.Notes = append(r.Notes, n.String())
	}
	r.Notes = append(r.Notes, r.openNotes()...)
}

// openNotes says how large a regression the comparisons without a verdict leave possible.
func (r Report) openNotes() []string {
	n, least := 0, Comparison{}
	for _, c := range r.Comparisons {
		if c.Verdict != Unknown && c.Verdict != Layout || c.Harmless || !c.tested() && !c.few {
			continue
		}
		n++
		if n == 1 || c.worst() > least.worst() {
			least = c
		}
	}
	if n == 0 {
		return nil
	}
	excluded := "a regression above " + text.Percent(least.worst()) + " is excluded, the least certain is "
	if math.IsInf(least.worst(), 1) {
		excluded = "too few results to exclude any regression of "
	}
	return []string{text.Plural(n, "comparison") + " without a verdict; " + excluded +
		Cell{least.Key, least.Unit}.String()}
}
