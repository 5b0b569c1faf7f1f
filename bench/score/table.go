package score

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// WriteText prints the rows as a table, and the ratios of rows that differ in one
// parameter. A parameter that a row does not have is an empty cell.
func WriteText(w io.Writer, rows []Row) error {
	params := names(rows)
	head := []string{"Benchmark"}
	for _, p := range params {
		head = append(head, "("+p+")")
	}
	table := [][]string{append(head, "Mode", "Cnt", "Score", "Error", "Units")}
	for _, r := range rows {
		line := []string{r.Benchmark}
		for _, p := range params {
			line = append(line, r.value(p))
		}
		score, err := r.Score()
		table = append(table, append(line, r.Mode, strconv.Itoa(r.Count()), number(score, score), "± "+number(err, score), r.unit()))
	}
	if err := writeTable(w, table); err != nil {
		return err
	}
	for _, r := range Ratios(rows) {
		if _, err := fmt.Fprintf(w, "ratio %s=%s / %s=%s: %.2f ± %.2f\n",
			r.Of.Name, r.Of.Value, r.To.Name, r.To.Value, r.Value, r.HalfWidth); err != nil {
			return err
		}
	}
	return nil
}

// writeTable aligns all columns right but the first. The error stands close to
// the score, which is three columns before the end.
func writeTable(w io.Writer, table [][]string) error {
	widths := make([]int, len(table[0]))
	for _, line := range table {
		for i, cell := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, line := range table {
		var b strings.Builder
		for i, cell := range line {
			fill := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			switch i {
			case 0:
				b.WriteString(cell + fill)
			case 1:
				b.WriteString("   " + fill + cell)
			case len(line) - 2:
				b.WriteString(" " + fill + cell)
			default:
				b.WriteString("  " + fill + cell)
			}
		}
		if _, err := fmt.Fprintln(w, b.String()); err != nil {
			return err
		}
	}
	return nil
}

// names lists the parameters of all rows in the order of their appearance.
func names(rows []Row) (all []string) {
	for _, r := range rows {
		for _, p := range r.Params {
			if !slices.Contains(all, p.Name) {
				all = append(all, p.Name)
			}
		}
	}
	return all
}

func (r Row) value(param string) string {
	for _, p := range r.Params {
		if p.Name == param {
			return p.Value
		}
	}
	return ""
}

// number prints v with three decimals, and with more if the score of its row is
// below 0.1.
func number(v, score float64) string {
	if math.IsNaN(v) {
		return "?"
	}
	decimals := 3
	if score > 0 && score < 0.1 {
		decimals += int(-math.Floor(math.Log10(score))) - 1
	}
	return strconv.FormatFloat(v, 'f', decimals, 64)
}
