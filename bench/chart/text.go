package chart

import (
	"fmt"
	"io"
	"math"
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

// asciiSigns are Signs in ASCII.
const asciiSigns = "ABCDEFGH"

// colours of series, as numbers of ANSI sequences.
var colours = []int{34, 33, 32, 35, 36, 31, 94, 93}

// cell is a character of the picture. Its series is an ink, -1 for a mark and -2 for an
// empty cell.
type cell struct {
	sign   rune
	series int
}

// Text writes the chart: a picture with a sign for each series, its legend, and its
// marks as a list. Marks are ✕ in the picture, X in ASCII.
func (c *Chart) Text(w io.Writer, o Options) error {
	x, y, ok := c.extents(false)
	if !ok {
		_, err := fmt.Fprintf(w, "%s: nothing to draw\n", c.Title)
		return err
	}
	if o.Height <= 0 {
		o.Height = 16
	}
	if o.Width <= 0 {
		o.Width = text.DefaultWidth
	}
	labels := c.rowLabels(y, o.Height)
	margin := 0
	for _, l := range labels {
		margin = max(margin, text.Len(l))
	}
	width := max(16, o.Width-margin-3)
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", c.Title)
	for row, cells := range c.picture(x, y, width, o) {
		line := o.paint(trimmed(cells))
		fmt.Fprintf(&b, "%s%s %s%s\n", strings.Repeat(" ", margin-text.Len(labels[row])), labels[row], o.choose("│", "|"), line)
	}
	fmt.Fprintf(&b, "%s %s%s\n", strings.Repeat(" ", margin), o.choose("└", "+"), strings.Repeat(o.choose("─", "-"), width))
	fmt.Fprintf(&b, "%s  %s\n", strings.Repeat(" ", margin), c.columnLabels(x, width))
	fmt.Fprintf(&b, "%s  %s over %s\n", strings.Repeat(" ", margin), c.Y.Name, c.X.Name)
	for _, s := range c.Series {
		fmt.Fprintf(&b, "  %s %s\n", o.paint([]cell{{o.sign(s.Ink), s.Ink}}), strings.TrimLeft(text.Indent("    ", s.Name, o.Width), " "))
	}
	for _, m := range c.Marks {
		fmt.Fprintln(&b, text.Indent("  "+o.choose("✕", "X")+" ", m.Text, o.Width))
	}
	if c.Note != "" {
		fmt.Fprintln(&b, text.Indent("  ", c.Note, o.Width))
	}
	shown := b.String()
	if o.ASCII {
		shown = text.ASCII(shown)
	}
	_, err := io.WriteString(w, shown)
	return err
}

// trimmed drops the empty cells at the end of a row.
func trimmed(cells []cell) []cell {
	for len(cells) > 0 && cells[len(cells)-1].sign == ' ' {
		cells = cells[:len(cells)-1]
	}
	return cells
}

// picture draws the lines, the first series on top, and the marks over all.
func (c *Chart) picture(x, y extent, width int, o Options) [][]cell {
	rows := make([][]cell, o.Height)
	for i := range rows {
		rows[i] = make([]cell, width)
		for k := range rows[i] {
			rows[i][k] = cell{' ', -2}
		}
	}
	put := func(column int, at float64, s cell) {
		row := o.Height - 1 - int(math.Round(y.at(at)*float64(o.Height-1)))
		if row >= 0 && row < o.Height && column >= 0 && column < width {
			rows[row][column] = s
		}
	}
	for i := len(c.Series) - 1; i >= 0; i-- {
		for column := range width {
			at := x.low + (x.high-x.low)*float64(column)/float64(max(1, width-1))
			if v, ok := c.Series[i].between(c, at); ok {
				put(column, v, cell{o.sign(c.Series[i].Ink), c.Series[i].Ink})
			}
		}
	}
	for _, m := range c.Marks {
		column := int(math.Round(x.at(c.X.scale(m.X)) * float64(width-1)))
		put(column, c.Y.scale(m.Y), cell{[]rune(o.choose("✕", "X"))[0], -1})
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

// choose returns the text for terminals with or without Unicode.
func (o Options) choose(unicode, ascii string) string {
	if o.ASCII {
		return ascii
	}
	return unicode
}

func (o Options) sign(ink int) rune {
	if o.ASCII {
		return rune(asciiSigns[ink%len(asciiSigns)])
	}
	return []rune(Signs[ink%len(Signs)])[0]
}

// paint writes cells, with the colours of their series if the options allow.
func (o Options) paint(cells []cell) string {
	var b strings.Builder
	current := ""
	colour := func(code string) {
		if o.Colour && code != current {
			b.WriteString(code)
			current = code
		}
	}
	for _, c := range cells {
		switch {
		case c.series >= 0:
			colour(fmt.Sprintf("\x1b[%dm", colours[c.series%len(colours)]))
		case current != "":
			colour("\x1b[0m")
		}
		b.WriteRune(c.sign)
	}
	if current != "" {
		colour("\x1b[0m")
	}
	return b.String()
}
