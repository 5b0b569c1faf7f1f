package result

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/zkatbench/zkatbench/text"
)

// WriteRows prints the rows as a table, and the ratio of each row to the first one of
// the same benchmark from which it differs in one parameter. A parameter that a row
// does not have is an empty cell.
func WriteRows(w io.Writer, rows []Row) error {
	var last [][]string
	for _, r := range rows {
		score, err := r.Score()
		last = append(last, []string{r.Mode, strconv.Itoa(len(slices.Concat(r.Samples...))), strconv.FormatFloat(score, 'f', decimals(score), 64), plusMinus(err, decimals(score)), r.unit()})
	}
	if err := writeTable(w, rows, []string{"Mode", "Cnt", "Score", "Error", "Units"}, last); err != nil {
		return err
	}
	for i, r := range rows {
		at := -1
		base := slices.IndexFunc(rows[:i], func(earlier Row) bool { at = difference(earlier, r); return at >= 0 })
		if base < 0 {
			continue
		}
		ratio, err := r.Over(rows[base])
		of, to := r.Params[at], rows[base].Params[at]
		if _, err := fmt.Fprintf(w, "%s\n", strings.TrimSpace(fmt.Sprintf("ratio %s=%s / %s=%s: %.2f %s", of.Name, of.Value, to.Name, to.Value, ratio, plusMinus(err, 2)))); err != nil {
			return err
		}
	}
	return nil
}

// difference returns the index of the only parameter in which two rows of one
// benchmark differ, or -1.
func difference(a, b Row) int {
	if a.Benchmark != b.Benchmark || a.Mode != b.Mode || len(a.Params) != len(b.Params) {
		return -1
	}
	at := -1
	for i := range a.Params {
		switch {
		case a.Params[i] == b.Params[i]:
		case a.Params[i].Name != b.Params[i].Name || at >= 0:
			return -1
		default:
			at = i
		}
	}
	return at
}

// WriteChanges prints two runs side by side: both scores, the change in per
// cent with its interval, and "same" if the intervals of the scores overlap. Rows
// without a partner of the same name and mode follow.
func WriteChanges(w io.Writer, before, after []Row) error {
	var b strings.Builder
	var rows, only []Row
	var last [][]string
	before = slices.Clone(before)
	for _, r := range after {
		i := slices.IndexFunc(before, func(b Row) bool { return b.Mode == r.Mode && b.Name() == r.Name() })
		if i < 0 {
			only = append(only, r)
			continue
		}
		rows, last = append(rows, r), append(last, changeCells(before[i], r))
		before = slices.Delete(before, i, i+1)
	}
	if len(rows) > 0 {
		if err := writeTable(&b, rows, []string{"Mode", "Before", "After", "Units", "Change", ""}, last); err != nil {
			return err
		}
	}
	for _, r := range before {
		fmt.Fprintf(&b, "only before: %s %s\n", r.Name(), r.scoreText())
	}
	for _, r := range only {
		fmt.Fprintf(&b, "only after: %s %s\n", r.Name(), r.scoreText())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func changeCells(before, after Row) []string {
	ratio, halfWidth := after.Over(before)
	was, wasErr := before.Score()
	is, isErr := after.Score()
	change := fmt.Sprintf("%+.1f %%", 100*(ratio-1))
	if !math.IsInf(halfWidth, 0) {
		change = fmt.Sprintf("%+.1f ± %.1f %%", 100*(ratio-1), 100*halfWidth)
	}
	same := ""
	if math.Abs(is-was) <= isErr+wasErr {
		same = "same"
	}
	return []string{after.Mode, before.scoreText(), after.scoreText(), after.unit(), change, same}
}

// writeTable writes a line for each row: its name, its parameters, and the last cells,
// whose columns head names.
func writeTable(w io.Writer, rows []Row, head []string, last [][]string) error {
	var params []string
	for _, r := range rows {
		for _, p := range r.Params {
			if name := "(" + p.Name + ")"; !slices.Contains(params, name) {
				params = append(params, name)
			}
		}
	}
	t := text.Table{Head: slices.Concat([]string{"Benchmark"}, params, head)}
	t.Align = "l" + strings.Repeat("r", len(t.Head)-1)
	for i, r := range rows {
		line := append([]string{r.Benchmark}, make([]string, len(params))...)
		for _, p := range r.Params {
			line[1+slices.Index(params, "("+p.Name+")")] = p.Value
		}
		t.Rows = append(t.Rows, append(line, last[i]...))
	}
	return t.Write(w, text.Width(w))
}

// scoreText is the score with its interval.
func (r Row) scoreText() string {
	score, err := r.Score()
	return strings.TrimSpace(strconv.FormatFloat(score, 'f', decimals(score), 64) + " " + plusMinus(err, decimals(score)))
}

// plusMinus formats a half-width; it is empty if it is not known.
func plusMinus(halfWidth float64, decimals int) string {
	if math.IsInf(halfWidth, 0) || math.IsNaN(halfWidth) {
		return ""
	}
	return "± " + strconv.FormatFloat(halfWidth, 'f', decimals, 64)
}

// decimals is three, and more for a score below 0.1.
func decimals(score float64) int {
	if score > 0 && score < 0.1 {
		return 2 - int(math.Floor(math.Log10(score)))
	}
	return 3
}
