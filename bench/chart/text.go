package chart

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/internal/text"
)

const (
	rows = 16  // of a picture
	mark = '✕' // the sign of marks
)

// Text writes the chart in width columns, or 80 if width is 0: a picture with a sign for
// each series, its legend, and its marks as a list. Marks are ✕ in the picture.
func (c *Chart) Text(w io.Writer, width int) error {
	x, y, ok := c.extents(false)
	if !ok {
		_, err := fmt.Fprintf(w, "%s: nothing to draw\n", c.Title)
		return err
	}
	width = cmp.Or(width, text.DefaultWidth)
	labels := c.rowLabels(y)
	margin := 0
	for _, l := range labels {
		margin = max(margin, text.Len(l))
	}
	columns := max(16, width-margin-3)
	var b strings.Builder
	fmt.Fprintln(&b, c.Title)
	for row, line := range c.picture(x, y, columns) {
		fmt.Fprintf(&b, "%*s │%s\n", margin, labels[row], strings.TrimRight(string(line), " "))
	}
	fmt.Fprintf(&b, "%*s └%s\n", margin, "", strings.Repeat("─", columns))
	fmt.Fprintf(&b, "%*s  %s\n", margin, "", c.columnLabels(x, columns))
	fmt.Fprintf(&b, "%*s  %s over %s\n", margin, "", c.Y.Name, c.X.Name)
	for _, s := range c.Series {
		fmt.Fprintln(&b, text.Indent("  "+Signs[s.Ink%len(Signs)]+" ", s.Name, width))
	}
	for _, m := range c.Marks {
		fmt.Fprintln(&b, text.Indent(fmt.Sprintf("  %c ", mark), m.Text, width))
	}
	if c.Note != "" {
		fmt.Fprintln(&b, text.Indent("  ", c.Note, width))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// picture draws the lines, the first series on top, and the marks over all.
func (c *Chart) picture(x, y extent, width int) [][]rune {
	lines := make([][]rune, rows)
	for i := range lines {
		lines[i] = []rune(strings.Repeat(" ", width))
	}
	put := func(column int, at float64, sign rune) {
		row := rows - 1 - int(math.Round(y.at(at)*(rows-1)))
		if row >= 0 && row < rows && column >= 0 && column < width {
			lines[row][column] = sign
		}
	}
	for _, s := range slices.Backward(c.Series) {
		for column := range width {
			at := x.low + (x.high-x.low)*float64(column)/float64(max(1, width-1))
			if v, ok := s.between(c, at); ok {
				put(column, v, []rune(Signs[s.Ink%len(Signs)])[0])
			}
		}
	}
	for _, m := range c.Marks {
		put(int(math.Round(x.at(c.X.scale(m.X))*float64(width-1))), c.Y.scale(m.Y), mark)
	}
	return lines
}

// rowLabels are the values of every fourth row and the last one.
func (c *Chart) rowLabels(y extent) (labels [rows]string) {
	for fromBottom := 0; fromBottom < rows; fromBottom += 4 {
		labels[rows-1-fromBottom] = c.Y.Text(c.Y.unscale(y.low + (y.high-y.low)*float64(fromBottom)/(rows-1)))
	}
	labels[0] = c.Y.Text(c.Y.unscale(y.high))
	return labels
}

// columnLabels are values of the x axis below their columns, both ends first;
// labels that would touch another one are left out.
func (c *Chart) columnLabels(x extent, width int) string {
	const count = 4
	line := []rune(strings.Repeat(" ", width+2))
	for _, i := range []int{0, count, 2, 1, 3} {
		label := []rune(c.X.Text(c.X.unscale(x.low + (x.high-x.low)*float64(i)/count)))
		at := max(0, min(i*(width-1)/count, width-len(label)))
		if end := min(at+len(label), width); strings.TrimSpace(string(line[max(0, at-1):end+1])) == "" {
			copy(line[at:end], label)
		}
	}
	return strings.TrimRight(string(line), " ")
}
