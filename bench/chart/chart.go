// Package chart is charts as data, with two ways to draw them: as characters for
// terminals, and as SVG for the pages of bench/report and for documents.
//
// A Chart has axes, series with intervals, marks and cells, and does not know
// how it is drawn. A Picture is elements of SVG with their colours, also for
// rows of tables.
package chart

import (
	"fmt"

	"github.com/zkatbench/zkatbench/internal/text"
)

// Chart is series over a common x axis. Text draws only lines and marks.
type Chart struct {
	Title, Note string
	X, Y        Axis
	Series      []Series
	Marks       []Mark
	Rules       []Rule
	Cells       []Cell
}

// Table is rows of cells under the names of columns.
type Table = text.Table

// Group is a table, unless it is empty, and charts under one heading, with notes.
type Group struct {
	Title  string
	Notes  []string
	Table  Table
	Charts []Chart
}

// Style says how a series is drawn.
type Style int

// Styles of series.
const (
	Line    Style = iota // with a sign at each point, and a band if all points are bounded
	Curve                // a line without signs
	Steps                // likewise; Y holds from the point before up to X
	Dashed               // a curve that belongs to another curve of the same ink
	Dotted               // a faint curve: not measured
	Scatter              // signs only
)

// Series is points with increasing X. If Y of a point is not a number, the line ends
// there, and the next point begins another.
type Series struct {
	Name   string
	Ink    int // number of the colour and of the sign
	Style  Style
	Points []Point
}

// Point is a point of a series. If it is bounded, Low and High are the ends of an
// interval of Y.
type Point struct {
	X, Y      float64
	Low, High float64
	Bounded   bool
	// Hint is the text under the pointer. Without it, a sign has its series and its
	// values, and a place on a curve has no hint.
	Hint string
	// Label is written next to the point.
	Label string
}

// Mark is a named place in a chart, such as the crossing of two lines.
type Mark struct {
	X, Y float64
	Text string
}

// Rule is a vertical line at X, in a colour of Palette: "text",
// "good" or "bad".
type Rule struct {
	X      float64
	Colour string
}

// Cell is a rectangle: a bar, or a part of a heat map or of a flame graph.
type Cell struct {
	Left, Right, Low, High float64
	Heat                   float64 // the depth of the colour, from 0 to 1
	Ink                    int     // number of the colour
	// Name is written in the cell as far as it fits; Hint is the text under the pointer.
	Name, Hint string
}

// Seconds writes a number of seconds: "2 ms", "0 s".
func Seconds(v float64) string {
	if v == 0 {
		return "0 s"
	}
	return text.Duration(1e9 * v)
}

// BitRate writes a number of bits a second: "10 Mbit/s".
func BitRate(v float64) string { return text.Metric(v, "bit/s") }

// hint returns the text under the pointer at p, or "".
func (c *Chart) hint(s Series, p Point) string {
	if p.Hint != "" || s.Style != Line && s.Style != Scatter {
		return p.Hint
	}
	return fmt.Sprintf("%s: %s at %s", s.Name, c.Y.Text(p.Y), c.X.Text(p.X))
}

// between interpolates the line at a scaled x. ok is false outside of the line.
func (s Series) between(c *Chart, x float64) (y float64, ok bool) {
	for i, p := range s.Points {
		at := c.X.scale(p.X)
		if at == x {
			return c.Y.scale(p.Y), true
		}
		if i == 0 || at < x {
			continue
		}
		q := s.Points[i-1]
		from := c.X.scale(q.X)
		if from > x {
			return 0, false
		}
		share := (x - from) / (at - from)
		return c.Y.scale(q.Y)*(1-share) + c.Y.scale(p.Y)*share, true
	}
	return 0, false
}
