package text

import (
	"io"
	"math"
	"slices"
	"strings"
)

// Table is a table of foreign text and numbers.
type Table struct {
	// Align has one letter for each column: l for text at the left, which may be
	// broken into lines, r for a number at the right, which never is. Columns without
	// a letter are text.
	Align  string
	Head   []string // names of the columns; may be empty
	Rows   [][]string
	Indent string // stands before each line
}

const (
	gap   = 2  // distance of two columns
	least = 20 // width below which text is not broken
)

// Write writes t in width columns; 0 is unlimited. If the columns do not fit side by
// side, their text is broken into lines. If they still do not fit, the first column is
// written above the others, once for equal rows; as a last resort each cell is on a line
// after the name of its column.
func (t Table) Write(w io.Writer, width int) error {
	var rows [][]string
	for i, row := range append([][]string{t.Head}, t.Rows...) {
		if i == 0 && len(t.Head) == 0 {
			continue
		}
		clean := make([]string, len(row))
		for i, cell := range row {
			clean[i] = Visible(cell)
		}
		rows = append(rows, clean)
	}
	var b strings.Builder
	g := grid{rows, t.Align, len(t.Head) > 0}
	if width <= 0 {
		width = math.MaxInt
	}
	if widths, fits := g.fit(width - Len(t.Indent)); fits {
		for _, row := range rows {
			g.line(&b, t.Indent, row, widths)
		}
	} else {
		g.stack(&b, t.Indent, width)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// grid holds the rows of a table or of a part of its columns.
type grid struct {
	rows   [][]string
	align  string
	headed bool // the first row has the names of the columns
}

func (g grid) right(column int) bool { return column < len(g.align) && g.align[column] == 'r' }

// stack writes the first column above the others.
func (g grid) stack(b *strings.Builder, indent string, width int) {
	below := grid{align: g.align[min(1, len(g.align)):]}
	for _, row := range g.rows {
		below.rows = append(below.rows, row[min(1, len(row)):])
	}
	name, deeper := "", indent+"  "
	widths, fits := below.fit(width - Len(deeper))
	for i, row := range below.rows {
		if first := g.rows[i][0]; first != name || !fits {
			name = first
			b.WriteString(Indent(indent, name, width) + "\n")
		}
		if fits {
			below.line(b, deeper, row, widths)
			continue
		}
		for k, cell := range row {
			switch {
			case !g.headed:
				b.WriteString(Indent(deeper, cell, width) + "\n")
			case i > 0:
				b.WriteString(Indent(deeper, below.rows[0][k]+" "+cell, width) + "\n")
			}
		}
	}
}

// fit returns the widths of the columns, with broken text if they are wider than
// width, and whether they fit then.
func (g grid) fit(width int) (widths []int, fits bool) {
	var wide, narrow []int
	for _, row := range g.rows {
		for i, cell := range row {
			if i == len(wide) {
				wide, narrow = append(wide, 0), append(narrow, 0)
			}
			wide[i], narrow[i] = max(wide[i], Len(cell)), max(narrow[i], min(Len(cell), least))
			words := strings.Fields(strings.ReplaceAll(cell, ",", ", "))
			if g.right(i) {
				words = []string{cell}
			}
			for _, word := range words {
				narrow[i] = max(narrow[i], Len(word))
			}
		}
	}
	for limit := slices.Max(append(wide, 0)); limit >= 0; limit-- {
		widths = slices.Clone(narrow)
		total := -gap
		for i := range widths {
			widths[i] = max(narrow[i], min(wide[i], limit))
			total += widths[i] + gap
		}
		if total <= width {
			return widths, true
		}
	}
	return widths, false
}

// line writes a row, on several lines if text is broken.
func (g grid) line(b *strings.Builder, indent string, row []string, widths []int) {
	cells, height := make([][]string, len(row)), 1
	for i, cell := range row {
		cells[i] = []string{cell}
		if Len(cell) > widths[i] {
			cells[i] = Wrap(cell, widths[i])
		}
		height = max(height, len(cells[i]))
	}
	for y := range height {
		line := indent
		for i, lines := range cells {
			cell := append(lines, make([]string, height)...)[y]
			fill := strings.Repeat(" ", max(0, widths[i]-Len(cell)))
			if g.right(i) {
				cell, fill = fill, cell
			}
			line += cell + fill + strings.Repeat(" ", gap)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}
