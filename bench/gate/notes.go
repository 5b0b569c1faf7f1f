package gate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/text"
)

// caseMark stands for the names of cases in the text of a note.
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
		case c.Unit == processTime:
			r.note("other programs hide wall time, so the processor time of the process ("+processTime+") is judged for "+caseMark+": it leaves out the time that a benchmark waits", c.Key)
		case c.constant && c.Verdict == Same && c.Base.Median != c.Head.Median && c.Base.N > 1 && c.Base.Median == math.Trunc(c.Base.Median):
			r.note(fmt.Sprintf("%s of %s: %v in every result of BASE, %v in every one of HEAD, a change below the tolerance of %s",
				c.Unit, caseMark, c.Base.Median, c.Head.Median, text.Percent(max(c.Rule.Limit, c.Floor))), c.Key)
		}
	}
	for _, b := range r.Beside {
		i := slices.IndexFunc(r.Comparisons, func(c Comparison) bool { return c.Key == b.Key && isTime(c.Unit) })
		if i < 0 {
			continue
		}
		if c := r.Comparisons[i]; c.Verdict != b.Verdict && c.Verdict != Unknown && b.Verdict != Unknown {
			r.note(fmt.Sprintf("the clocks disagree on %s: %s says %s (%s), %s says %s (%s); other programs competed, or one side waits more",
				caseMark, c.Unit, c.Verdict, text.Change(c.Shift.Value), b.Unit, b.Verdict, text.Change(b.Shift.Value)), c.Key)
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
		if c.Verdict != Unknown || c.Harmless || !c.tested() {
			continue
		}
		if n++; n == 1 || c.worst() > least.worst() {
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
	return []string{text.Plural(n, "comparison") + " without a verdict; " + excluded + Cell{least.Key, least.Unit}.String()}
}
