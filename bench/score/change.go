package score

import (
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"

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
	key := func(r Row) string { return r.Mode + " " + r.Name() }
	olds, used := map[string]Row{}, map[string]bool{}
	for _, r := range before {
		olds[key(r)] = r
	}
	for _, r := range after {
		old, found := olds[key(r)]
		if !found {
			onlyAfter = append(onlyAfter, r)
			continue
		}
		used[key(r)] = true
		changes = append(changes, Change{old, r})
	}
	for _, r := range before {
		if !used[key(r)] {
			onlyBefore = append(onlyBefore, r)
		}
	}
	return changes, onlyBefore, onlyAfter
}

// WriteChanges prints two runs side by side: both scores, the change in per
// cent with its interval, and "same" if the intervals of the scores overlap. Rows
// without a partner follow.
func WriteChanges(w io.Writer, before, after []Row) error {
	changes, onlyBefore, onlyAfter := Changes(before, after)
	var rows []Row
	for _, c := range changes {
		rows = append(rows, c.After)
	}
	params := names(rows)
	head := []string{"Benchmark"}
	for _, p := range params {
		head = append(head, "("+p+")")
	}
	table := [][]string{append(head, "Mode", "Before", "After", "Units", "Change", "")}
	for _, c := range changes {
		line := []string{c.After.Benchmark}
		for _, p := range params {
			line = append(line, c.After.value(p))
		}
		table = append(table, append(line, c.After.Mode, c.Before.text(), c.After.text(), c.After.unit(), c.text(), c.verdict()))
	}
	var b strings.Builder
	if len(changes) > 0 {
		alignRight(&b, table)
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

func (c Change) text() string {
	change, err := c.Value()
	if math.IsNaN(err) {
		return fmt.Sprintf("%+.1f %%", 100*change)
	}
	return fmt.Sprintf("%+.1f ± %.1f %%", 100*change, 100*err)
}

func (c Change) verdict() string {
	if c.Same() {
		return "same"
	}
	return ""
}

// alignRight writes a table with all columns but the first aligned right.
func alignRight(b *strings.Builder, table [][]string) {
	widths := make([]int, len(table[0]))
	for _, line := range table {
		for i, cell := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, line := range table {
		text := ""
		for i, cell := range line {
			fill := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i == 0 {
				text = cell + fill
				continue
			}
			text += "  " + fill + cell
		}
		b.WriteString(strings.TrimRight(text, " ") + "\n")
	}
}
