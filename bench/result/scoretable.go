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

// Write prints the rows as a table, and the ratio of each row to the first one of the
// same benchmark from which it differs in one parameter. A parameter that a row does not
// have is an empty cell.
func (s Scores) Write(w io.Writer) error {
	rows, err := s.rows()
	if err != nil {
		return err
	}
	var last [][]string
	for _, r := range rows {
		score, halfWidth := r.texts()
		last = append(last, []string{s.Mode, strconv.Itoa(len(r.samples)), score, halfWidth, s.unit()})
	}
	if err := writeTable(w, rows, []string{"Mode", "Cnt", "Score", "Error", "Units"}, last); err != nil {
		return err
	}
	for i, r := range rows {
		at := -1
		base := slices.IndexFunc(rows[:i], func(earlier row) bool { at = difference(earlier, r); return at >= 0 })
		if base < 0 {
			continue
		}
		ratio, halfWidth := r.over(rows[base])
		name, value, first := r.params[at][0], r.params[at][1], rows[base].params[at][1]
		line := fmt.Sprintf("ratio %s=%s / %s=%s: %.2f %s", name, value, name, first, ratio, plusMinus(halfWidth, 2))
		if _, err := fmt.Fprintln(w, strings.TrimSpace(line)); err != nil {
			return err
		}
	}
	return nil
}

// difference returns the index of the only parameter in which two rows of one
// benchmark differ, or -1.
func difference(a, b row) int {
	if a.benchmark != b.benchmark || len(a.params) != len(b.params) {
		return -1
	}
	at := -1
	for i := range a.params {
		switch {
		case a.params[i] == b.params[i]:
		case a.params[i][0] != b.params[i][0] || at >= 0:
			return -1
		default:
			at = i
		}
	}
	return at
}

// WriteChanges prints two runs side by side: both scores, the change in per
// cent with its interval, and "same" if the intervals of the scores overlap. Rows
// without a partner of the same name follow.
func (s Scores) WriteChanges(w io.Writer, before *Data) error {
	after, err := s.rows()
	if err != nil {
		return err
	}
	s.Data = before
	older, err := s.rows()
	if err != nil {
		return err
	}
	var rows []row
	var last [][]string
	var only strings.Builder
	for _, r := range after {
		i := slices.IndexFunc(older, func(b row) bool { return b.name() == r.name() })
		if i < 0 {
			fmt.Fprintf(&only, "only after: %s %s\n", r.name(), r.text())
			continue
		}
		b := older[i]
		ratio, halfWidth := r.over(b)
		change, same := fmt.Sprintf("%+.1f %s", 100*(ratio-1), plusMinus(100*halfWidth, 1)), ""
		if math.Abs(r.score-b.score) <= r.halfWidth+b.halfWidth {
			same = "same"
		}
		rows, last = append(rows, r), append(last, []string{s.Mode, b.text(), r.text(), s.unit(), strings.TrimSpace(change) + " %", same})
		older = slices.Delete(older, i, i+1)
	}
	if len(rows) > 0 {
		if err := writeTable(w, rows, []string{"Mode", "Before", "After", "Units", "Change", ""}, last); err != nil {
			return err
		}
	}
	for _, r := range older {
		if _, err := fmt.Fprintf(w, "only before: %s %s\n", r.name(), r.text()); err != nil {
			return err
		}
	}
	_, err = io.WriteString(w, only.String())
	return err
}

// writeTable writes a line for each row: its name, its parameters, and the last cells,
// whose columns head names.
func writeTable(w io.Writer, rows []row, head []string, last [][]string) error {
	var params []string
	for _, r := range rows {
		for _, p := range r.params {
			if name := "(" + p[0] + ")"; !slices.Contains(params, name) {
				params = append(params, name)
			}
		}
	}
	t := text.Table{Head: slices.Concat([]string{"Benchmark"}, params, head)}
	t.Align = "l" + strings.Repeat("r", len(t.Head)-1)
	for i, r := range rows {
		line := append([]string{r.benchmark}, make([]string, len(params))...)
		for _, p := range r.params {
			line[1+slices.Index(params, "("+p[0]+")")] = p[1]
		}
		t.Rows = append(t.Rows, append(line, last[i]...))
	}
	return t.Write(w, text.Width(w))
}

// texts returns the score and the half-width of its interval, with three decimals, and
// more for a score below 0.1.
func (r row) texts() (score, halfWidth string) {
	decimals := 3
	if r.score > 0 && r.score < 0.1 {
		decimals = 2 - int(math.Floor(math.Log10(r.score)))
	}
	return strconv.FormatFloat(r.score, 'f', decimals, 64), plusMinus(r.halfWidth, decimals)
}

// text is the score with its interval.
func (r row) text() string {
	score, halfWidth := r.texts()
	return strings.TrimSpace(score + " " + halfWidth)
}

// plusMinus formats a half-width; it is empty if it is not known.
func plusMinus(halfWidth float64, decimals int) string {
	if math.IsInf(halfWidth, 0) || math.IsNaN(halfWidth) {
		return ""
	}
	return "± " + strconv.FormatFloat(halfWidth, 'f', decimals, 64)
}
