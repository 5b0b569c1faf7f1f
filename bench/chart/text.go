package chart

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/text"
)

// Options describe a terminal. The zero value is 80 columns without colour.
type Options struct {
	Width  int // columns; 0 is 80
	Height int // rows of the picture; 0 is 16
	Colour bool
	ASCII  bool
}

// colours of series, as numbers of ANSI sequences.
var colours = []int{34, 33, 32, 35, 36, 31, 94, 93}

// mark is the sign of marks.
const mark = '✕'

var (
	// sameSigns are the signs of one series beside each other.
	sameSigns = regexp.MustCompile(strings.Join(Signs, "+|") + "+")
	// inASCII replaces what a chart draws.
	inASCII = strings.NewReplacer("●", "A", "■", "B", "▲", "C", "○", "D", "□", "E", "△", "F", "◆", "G", "◇", "H", "✕", "X", "│", "|", "└", "+", "─", "-")
)

// Text writes the chart: a picture with a sign for each series, its legend, and its
// marks as a list. Marks are ✕ in the picture, X in ASCII.
func (c *Chart) Text(w io.Writer, o Options) error {
	x, y, ok := c.extents(false)
	if !ok {
		_, err := fmt.Fprintf(w, "%s: nothing to draw\n", c.Title)
		return err
	}
	o.Height, o.Width = cmp.Or(o.Height, 16), cmp.Or(o.Width, text.DefaultWidth)
	labels := c.rowLabels(y, o.Height)
	margin := 0
	for _, l := range labels {
		margin = max(margin, text.Len(l))
	}
	width := max(16, o.Width-margin-3)
	var b strings.Builder
	fmt.Fprintln(&b, c.Title)
	for row, line := range c.picture(x, y, width, o.Height) {
		fmt.Fprintf(&b, "%*s │%s\n", margin, labels[row], o.paint(strings.TrimRight(string(line), " ")))
	}
	fmt.Fprintf(&b, "%*s └%s\n", margin, "", strings.Repeat("─", width))
	fmt.Fprintf(&b, "%*s  %s\n", margin, "", c.columnLabels(x, width))
	fmt.Fprintf(&b, "%*s  %s over %s\n", margin, "", c.Y.Name, c.X.Name)
	for _, s := range c.Series {
		fmt.Fprintln(&b, o.paint(text.Indent("  "+Signs[s.Ink%len(Signs)]+" ", s.Name, o.Width)))
	}
	for _, m := range c.Marks {
		fmt.Fprintln(&b, text.Indent(fmt.Sprintf("  %c ", mark), m.Text, o.Width))
	}
	if c.Note != "" {
		fmt.Fprintln(&b, text.Indent("  ", c.Note, o.Width))
	}
	shown := b.String()
	if o.ASCII {
		shown = text.ASCII(inASCII.Replace(shown))
	}
	_, err := io.WriteString(w, shown)
	return err
}

// paint gives signs the colours of their series, if the options allow.
func (o Options) paint(line string) string {
	if !o.Colour {
		return line
	}
	return sameSigns.ReplaceAllStringFunc(line, func(signs string) string {
		ink := slices.Index(Signs, string([]rune(signs)[:1]))
		return fmt.Sprintf("\x1b[%dm%s\x1b[0m", colours[ink], signs)
	})
}

// picture draws the lines, the first series on top, and the marks over all.
func (c *Chart) picture(x, y extent, width, height int) [][]rune {
	rows := make([][]rune, height)
	for i := range rows {
		rows[i] = []rune(strings.Repeat(" ", width))
	}
	put := func(column int, at float64, sign rune) {
		row := height - 1 - int(math.Round(y.at(at)*float64(height-1)))
		if row >= 0 && row < height && column >= 0 && column < width {
			rows[row][column] = sign
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
	return rows
}

// rowLabels are the values of every fourth row and the last one.
func (c *Chart) rowLabels(y extent, height int) []string {
	labels := make([]string, height)
	for row := range labels {
		if fromBottom := height - 1 - row; fromBottom%4 == 0 || row == 0 && fromBottom%4 > 1 {
			labels[row] = c.Y.Text(c.Y.unscale(y.low + (y.high-y.low)*float64(fromBottom)/float64(max(1, height-1))))
		}
	}
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
