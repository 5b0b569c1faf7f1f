package score

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/zkatbench/zkatbench/text"
)

// WriteText prints the rows as a table, and the ratios of rows that differ in one
// parameter. A parameter that a row does not have is an empty cell.
func WriteText(w io.Writer, rows []Row) error {
	var last [][]string
	for _, r := range rows {
		score, err := r.Score()
		last = append(last, []string{r.Mode, strconv.Itoa(r.Count()), number(score, score), "± " + number(err, score), r.unit()})
	}
	if err := writeTable(w, rows, []string{"Mode", "Cnt", "Score", "Error", "Units"}, last); err != nil {
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
