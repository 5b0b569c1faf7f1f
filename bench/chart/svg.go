package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/internal/text"
)

// Sizes of pictures in pixels. A character is at most as wide as charWide in most
// fonts without serifs, so labels that do not touch by this width do not touch.
const (
	charWide = 7.2
	fontSize = 12
	lineHigh = 16.0
	gapWide  = 6.0
	shortest = 4 // characters of a shortened name in a cell
)

// Signs are the signs of series as text, in the order of inks.
var Signs = []string{"●", "■", "▲", "○", "□", "△", "◆", "◇"}

// outlines are Signs as paths around a point.
var outlines = map[string]string{"●": circle, "■": square, "▲": triangle, "○": circle, "□": square,
	"△": triangle, "◆": diamond, "◇": diamond}

const (
	circle   = "m-3.5,0a3.5,3.5 0 1 0 7,0a3.5,3.5 0 1 0 -7,0z"
	square   = "m-3,-3h6v6h-6z"
	triangle = "m0,-4.5l4,7h-8z"
	diamond  = "m0,-4.5l4.5,4.5l-4.5,4.5l-4.5,-4.5z"

	hollow = "○□△◇"
)

// plot is a chart in the making: the area of its data within a picture.
type plot struct {
	Picture
	chart                    *Chart
	alone                    bool // a file, which has no script for hints
	x, y                     extent
	left, right, top, bottom float64
}

// SVG draws the chart for a page that has Palette. The page has the
// legend. Places with a value are circles of the class spot, with the value as
// data-hint. It returns "" if there is nothing to draw, or numbers are too large.
func (c *Chart) SVG(width, height float64) string {
	p, ok := c.draw(width, height, height, "")
	if !ok {
		return ""
	}
	p.Close("svg")
	return p.String()
}

// File draws the chart as a file: with its palette, and below the picture the names of
// its series and of its labelled points. It returns "" like SVG.
func (c *Chart) File(width, height float64) string {
	type line struct {
		sign, ink int
		text      string
	}
	var lines []line
	for _, s := range c.Series {
		lines = append(lines, line{s.Ink, s.Ink, s.Name})
	}
	for _, s := range c.Series {
		for _, p := range s.Points {
			if p.Label != "" {
				lines = append(lines, line{-1, s.Ink, p.Label + " " + c.hint(s, p)})
			}
		}
	}
	p, ok := c.draw(width, height, height+gapWide+lineHigh*float64(len(lines)), Palette+".spot{fill:none}")
	if !ok {
		return ""
	}
	for i, l := range lines {
		y := height + lineHigh*(float64(i)+0.7)
		colour := "var(--text)"
		if l.sign >= 0 {
			p.sign(l.sign, []place{{15, y - 4}})
		} else {
			colour = Colour(l.ink)
		}
		p.Text("text", l.text, "x", 26, "y", y, "style", "fill:"+colour)
	}
	p.Close("svg")
	return p.String()
}

// place is a point of the picture.
type place struct{ x, y float64 }

// String is the place in a path.
func (p place) String() string { return Value(p.x) + "," + Value(p.y) }

// draw draws all but the end of the picture, which is as high as whole.
func (c *Chart) draw(width, height, whole float64, palette string) (*plot, bool) {
	p := &plot{chart: c, top: 2 * gapWide, right: width - 2*gapWide, bottom: height - lineHigh - gapWide}
	var ok bool
	p.x, p.y, ok = c.extents(true)
	if !ok ||
		max(math.Abs(p.x.low), math.Abs(p.x.high), math.Abs(p.y.low), math.Abs(p.y.high)) > 1e100 {
		return nil, false
	}
	p.x, p.y = widened(p.x), widened(p.y)
	as := []any{
		"role", "img", "aria-label", strings.TrimPrefix(c.Title+": ", ": ") + c.Y.Name + " over " + c.X.Name,
		"xmlns", "http://www.w3.org/2000/svg",
		"viewBox", fmt.Sprintf("0 0 %.0f %.0f", width, whole), "style",
		fmt.Sprintf("max-width:%.0fpx", width),
		"font-size", fontSize, "font-family", "system-ui,Liberation Sans,Arial,sans-serif",
	}
	if width > wide {
		as = append(as, "class", "wide")
	}
	p.Open("svg", as...)
	p.alone = palette != ""
	if p.alone {
		p.Text("style", strings.ReplaceAll(palette, "\n", ""))
		p.Empty("rect", "width", "100%", "height", "100%", "style", "fill:var(--paper)")
	}
	for _, head := range []string{c.Title, c.Y.Name} {
		if head != "" {
			p.top += lineHigh
			p.words(head, gapWide, p.top-gapWide-fontSize/2, "start")
		}
	}
	if c.X.Name != "" {
		p.bottom -= lineHigh
	}
	p.axes(height)
	p.cells()
	for _, s := range c.Series {
		if s.Style == Line {
			p.band(s)
		}
	}
	for _, s := range c.Series {
		p.line(s)
	}
	for _, r := range c.Rules {
		x := p.atX(r.X)
		p.stroke(fmt.Sprintf("M%s,%sV%s", Value(x), Value(p.top), Value(p.bottom)), "var(--"+r.Colour+")",
			1.6, "2,3")
	}
	var dots []place
	for _, s := range c.Series {
		dots = append(dots, p.signs(s)...)
	}
	p.labels(dots)
	for _, m := range c.Marks {
		at := place{p.atX(m.X), p.atY(m.Y)}
		p.stroke(fmt.Sprintf("M%vm-5,-5l10,10m0,-10l-10,10", at), "var(--text)", 1.4, "")
		p.spot(at, m.Text)
	}
	for _, s := range c.Series {
		for _, point := range s.Points {
			if hint := c.hint(s, point); hint != "" {
				p.spot(place{p.atX(point.X), p.atY(point.Y)}, hint)
			}
		}
	}
	return p, true
}

// wide is the width in pixels above which a picture scrolls in a narrow window instead
// of shrinking below a readable size.
const wide = 480

// widened makes an axis of a single value a range.
func widened(e extent) extent {
	if e.low < e.high && e.low+(e.high-e.low)/1e6 > e.low {
		return e
	}
	by := max(1e-12, 1e-3*math.Abs(e.low))
	return extent{e.low - by, e.high + by}
}

// atX and atY return a place in the picture; values beyond the axis are at its end.
func (p *plot) atX(v float64) float64 {
	return p.left + (p.right-p.left)*min(max(p.x.at(p.chart.X.scale(v)), 0), 1)
}

func (p *plot) atY(v float64) float64 {
	return p.bottom - (p.bottom-p.top)*min(max(p.y.at(p.chart.Y.scale(v)), 0), 1)
}

func (p *plot) words(words string, x, y float64, anchor string) {
	if words != "" {
		p.Text("text", words, "x", x, "y", y, "text-anchor", anchor, "style", "fill:var(--text)")
	}
}

func (p *plot) stroke(d, colour string, width float64, dashes string) {
	style := fmt.Sprintf("fill:none;stroke:%s;stroke-width:%s", colour, Value(width))
	if dashes != "" {
		style += ";stroke-dasharray:" + dashes
	}
	p.Empty("path", "d", d, "style", style)
}

// axes draws the grid, and labels that do not touch each other.
func (p *plot) axes(height float64) {
	c := p.chart
	within := func(ticks []Tick, a Axis, e extent) (kept []Tick) {
		for _, t := range ticks {
			if at := e.at(a.scale(t.Value)); at > -1e-9 && at < 1+1e-9 {
				kept = append(kept, t)
			}
		}
		return kept
	}
	ys := within(c.Y.ticks(c.Y.unscale(p.y.low), c.Y.unscale(p.y.high)), c.Y, p.y)
	for _, t := range ys {
		p.left = max(p.left, charWide*float64(text.Len(t.Label)))
	}
	p.left += 2 * gapWide
	xs := within(c.X.ticks(c.X.unscale(p.x.low), c.X.unscale(p.x.high)), c.X, p.x)
	var grid strings.Builder
	end := math.Inf(1)
	for _, t := range ys {
		y := p.atY(t.Value)
		fmt.Fprintf(&grid, "M%s,%sH%s", Value(p.left), Value(y), Value(p.right))
		if y < end {
			p.words(t.Label, p.left-gapWide, y+4, "end")
			end = y - lineHigh
		}
	}
	end = math.Inf(-1)
	for _, t := range xs {
		x, half := p.atX(t.Value), charWide*float64(text.Len(t.Label))/2
		fmt.Fprintf(&grid, "M%s,%sV%s", Value(x), Value(p.bottom), Value(p.top))
		x = min(x, p.right+2*gapWide-half)
		if x-half >= max(end, 0) {
			p.words(t.Label, x, p.bottom+lineHigh, "middle")
			end = x + half + gapWide
		}
	}
	p.words(c.X.Name, (p.left+p.right)/2, height-gapWide, "middle")
	p.stroke(grid.String(), "var(--line)", 0.7, "")
	p.stroke(fmt.Sprintf("M%s,%sV%sH%s", Value(p.left), Value(p.top), Value(p.bottom), Value(p.right)),
		"var(--faint)", 1, "")
}

// cells draws rectangles, from light to deep, with their names.
func (p *plot) cells() {
	for _, c := range p.chart.Cells {
		left, top := p.atX(c.Left), p.atY(c.High)
		wide, bottom := p.atX(c.Right)-left, p.atY(c.Low)
		as := []any{"class", "cell", "x", left, "y", top, "width", wide, "height", bottom - top,
			"style", fmt.Sprintf("fill:%s;fill-opacity:%s", Colour(c.Ink), Value(0.1+0.9*c.Heat))}
		switch {
		case c.Hint == "":
			p.Empty("rect", as...)
		case p.alone:
			p.Open("rect", as...)
			p.Text("title", c.Hint)
			p.Close("rect")
		default:
			p.Empty("rect", append(as, "data-hint", c.Hint)...)
		}
		if room := int((wide - gapWide) / charWide); room >= min(shortest, text.Len(c.Name)) {
			p.words(text.Cut(c.Name, room), left+gapWide/2, bottom-gapWide, "start")
		}
	}
}

// band draws the intervals of a series, if all points have one.
func (p *plot) band(s Series) {
	var upper, lower []place
	for _, at := range s.Points {
		switch {
		case math.IsNaN(at.Y):
			continue
		case !at.Bounded || len(s.Points) < 2:
			return
		}
		upper, lower = append(upper, place{p.atX(at.X), p.atY(at.High)}),
			append(lower, place{p.atX(at.X), p.atY(at.Low)})
	}
	if len(upper) > 0 {
		slices.Reverse(lower)
		p.Empty("path", "d", through(append(upper, lower...))+"Z", "style",
			"fill:"+Colour(s.Ink)+";fill-opacity:.22")
	}
}

// through is the path through places.
func through(all []place) string {
	var b strings.Builder
	for i, at := range all {
		fmt.Fprintf(&b, "%c%v", "ML"[min(i, 1)], at)
	}
	return b.String()
}

// line draws the lines of a series, one between each two gaps.
func (p *plot) line(s Series) {
	if s.Style == Scatter {
		return
	}
	var part []place
	path := ""
	for _, at := range s.Points {
		if !math.IsNaN(at.Y) {
			if n := len(part); n > 0 && s.Style == Steps {
				part = append(part, place{part[n-1].x, p.atY(at.Y)})
			}
			part = append(part, place{p.atX(at.X), p.atY(at.Y)})
			continue
		}
		path, part = path+through(part), nil
	}
	path += through(part)
	switch {
	case path == "":
	case s.Style == Dotted:
		p.stroke(path, "var(--faint)", 1.3, "2,3")
	case s.Style == Dashed:
		p.stroke(path, Colour(s.Ink), 1.6, "6,3")
	default:
		p.stroke(path, Colour(s.Ink), 1.8, "")
	}
}

// signs draws the signs of a series, and triangles at the border for values beyond it.
func (p *plot) signs(s Series) (dots []place) {
	if s.Style != Line && s.Style != Scatter {
		return nil
	}
	beyond := ""
	for _, at := range s.Points {
		dot := place{p.atX(at.X), p.atY(at.Y)}
		switch where := p.y.at(p.chart.Y.scale(at.Y)); {
		case where > 1+1e-9:
			beyond += fmt.Sprintf("M%vm0,-5l5,8h-10z", dot)
		case where < -1e-9:
			beyond += fmt.Sprintf("M%vm0,5l5,-8h-10z", dot)
		case where-where == 0:
			dots = append(dots, dot)
		}
	}
	p.sign(s.Ink, dots)
	if beyond != "" {
		p.stroke(beyond, Colour(s.Ink), 1.4, "")
	}
	return dots
}

// sign draws the sign of an ink at places.
func (p *plot) sign(ink int, at []place) {
	d, sign := "", Signs[ink%len(Signs)]
	for _, dot := range at {
		d += fmt.Sprintf("M%v%s", dot, outlines[sign])
	}
	switch {
	case d == "":
	case strings.Contains(hollow, sign):
		p.stroke(d, Colour(ink), 1.4, "")
	default:
		p.Empty("path", "d", d, "style", "fill:"+Colour(ink))
	}
}

// spot is an invisible circle with a value.
func (p *plot) spot(at place, hint string) {
	if at.x-at.x == 0 && at.y-at.y == 0 {
		p.Empty("circle", "class", "spot", "cx", at.x, "cy", at.y, "r", 8, "data-hint", hint)
	}
}
