package score

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// Change is a benchmark in two runs.
type Change struct{ Before, After Row }

// Value returns the relative change of the score and the half-width of its
// interval: the relative errors of both scores are added in quadrature.
func (c Change) Value() (change, halfWidth float64) {
	before, beforeErr := c.Before.Score()
	after, afterErr := c.After.Score()
	ratio := after / before
	return ratio - 1, ratio * math.Hypot(afterErr/after, beforeErr/before)
}

// Same reports whether the intervals of both scores overlap, or one of them is
// unknown.
func (c Change) Same() bool {
	before, beforeErr := c.Before.Score()
	after, afterErr := c.After.Score()
	return !(math.Abs(after-before) > afterErr+beforeErr)
}

// Renamed returns r with the name that old gives for its own, in Go benchmark
// format.
func (r Row) Renamed(old func(name string) string) Row {
	renamed := rowOf(benchfmt.Name(old(r.Name())), r.Mode)
	r.Benchmark, r.Params = renamed.Benchmark, renamed.Params
	return r
}

// Changes pairs rows of the same name and mode, in the order of after. Rows
// without a partner are returned apart.
func Changes(before, after []Row) (changes []Change, onlyBefore, onlyAfter []Row) {
	onlyBefore = slices.Clone(before)
	for _, r := range after {
		i := slices.IndexFunc(onlyBefore, func(b Row) bool { return b.Mode == r.Mode && b.Name() == r.Name() })
		if i < 0 {
			onlyAfter = append(onlyAfter, r)
			continue
		}
		changes = append(changes, Change{onlyBefore[i], r})
		onlyBefore = slices.Delete(onlyBefore, i, i+1)
	}
	return changes, onlyBefore, onlyAfter
}

// WriteChanges prints two runs side by side: both scores, the change in per
// cent with its interval, and "same" if the intervals of the scores overlap. Rows
// without a partner follow.
func WriteChanges(w io.Writer, before, after []Row) error {
	changes, onlyBefore, onlyAfter := Changes(before, after)
	var b strings.Builder
	var rows []Row
	var last [][]string
	for _, c := range changes {
		change, err := c.Value()
		cell := fmt.Sprintf("%+.1f ± %.1f %%", 100*change, 100*err)
		if math.IsNaN(err) {
			cell = fmt.Sprintf("%+.1f %%", 100*change)
		}
		same := map[bool]string{true: "same"}[c.Same()]
		rows, last = append(rows, c.After), append(last, []string{c.After.Mode, c.Before.text(), c.After.text(), c.After.unit(), cell, same})
	}
	if len(rows) > 0 {
		if err := writeTable(&b, rows, []string{"Mode", "Before", "After", "Units", "Change", ""}, last); err != nil {
			return err
		}
	}
	for _, r := range onlyBefore {
		fmt.Fprintf(&b, "only before: %s %s\n", r.Name(), r.text())
	}
	for _, r := range onlyAfter {
		fmt.Fprintf(&b, "only after: %s %s\n", r.Name(), r.text())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// text is the score with its interval.
func (r Row) text() string {
	score, err := r.Score()
	return number(score, score) + " ± " + number(err, score)
}
