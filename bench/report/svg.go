package report

import (
	"bytes"
	"fmt"
	"html/template"
	"image/color"
	"regexp"
	"strings"
	"unicode"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// ink returns a colour that stands for a variable of the style sheet, so that
// one picture works in light and dark mode and on paper.
func ink(n uint8) color.Color { return color.NRGBA{R: 1, G: 0, B: n, A: 255} }

// Inks; of several, the first one.
const (
	inkText   = 0x01
	inkFaint  = 0x02
	inkGrid   = 0x03
	inkGood   = 0x04
	inkBad    = 0x05
	inkSeries = 0x10 // and following: lines, bars
	inkBand   = 0x20 // and following: the same, almost transparent
	inkHeat   = 0x30 // and following: from low to high values
)

const (
	seriesInks = 8
	heatInks   = 9
)

func seriesInk(i int) color.Color { return ink(inkSeries + uint8(i%seriesInks)) }
func bandInk(i int) color.Color   { return ink(inkBand + uint8(i%seriesInks)) }

// glyphs distinguish series without colour; marks are their text form.
var (
	glyphs = [seriesInks]draw.GlyphDrawer{
		draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.RingGlyph{},
		draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.CrossGlyph{}, draw.PlusGlyph{},
	}
	marks = [seriesInks]string{"●", "■", "▲", "○", "□", "△", "✕", "✚"}
)

// dots is the line style of values that were not measured.
var dots = []vg.Length{2, 3}

// newPlot returns an empty plot with axes in our inks.
func newPlot(title string) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil // the background of the page
	p.Title.Text = title
	p.Title.TextStyle.Font.Size = 11
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle.Font.Size, a.Tick.Label.Font.Size = 10, 9
		a.Label.TextStyle.Color, a.Tick.Label.Color = ink(inkText), ink(inkText)
		a.Tick.Marker = round{}
		a.LineStyle.Color, a.Tick.LineStyle.Color = ink(inkFaint), ink(inkFaint)
		for _, s := range []*draw.TextStyle{&a.Label.TextStyle, &a.Tick.Label} {
			s.Font.Variant = "Sans"
		}
	}
	p.Title.TextStyle.Font.Variant = "Sans"
	p.Title.TextStyle.Color = ink(inkText)
	g := plotter.NewGrid()
	g.Horizontal.Color, g.Vertical.Color = ink(inkGrid), ink(inkGrid)
	g.Horizontal.Width, g.Vertical.Width = 0.5, 0.5
	p.Add(g)
	return p
}

// canvas appends to each text the width that the plot assumes for it, so that
// the page keeps this width with any font.
type canvas struct{ *vgsvg.Canvas }

// widthMark separates a text from its width; it is a private-use character without
// a glyph.
const widthMark = "\uE000"

func (c canvas) FillString(f font.Face, at vg.Point, text string) {
	text = drawn(text)
	c.Canvas.FillString(f, at, fmt.Sprintf("%s%s%.4g", text, widthMark, f.Width(text).Points()))
}

// drawn returns text as allowed in a picture: without control characters,
// invalid UTF-8, and the separator of widths.
func drawn(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
}

var (
	widths = regexp.MustCompile(`<text ([^>]*)>([^<]*)` + widthMark + `([0-9.e+-]*)</text>`)
	inks   = regexp.MustCompile(`#0100([0-9A-F]{2})`)
	sizes  = regexp.MustCompile(`<svg width="[^"]*" height="[^"]*"`)
	family = regexp.MustCompile(`font-family:Liberation Sans`)
)

// svg draws p for a page, in width × height points. The label describes it for
// screen readers. Spots are places with values to show under the pointer.
func svg(p *plot.Plot, label string, width, height vg.Length, spots ...spot) (template.HTML, error) {
	if !drawable(p.X) || !drawable(p.Y) {
		return "<p>These numbers are too large for a picture.</p>", nil
	}
	c := canvas{vgsvg.New(width, height)}
	p.Draw(draw.New(c))
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return "", err
	}
	_, body, _ := bytes.Cut(b.Bytes(), []byte("-->\n")) // the part before the end of the comment is only for files
	class := ""
	if width > panelWidth {
		class = ` class="wide"` // scrolls instead of shrinking below a readable size
	}
	body = sizes.ReplaceAllLiteral(body, fmt.Appendf(nil, `<svg%s role="img" aria-label="%s" style="max-width:%dpx"`, class, template.HTMLEscapeString(drawn(label)), int(width*4/3)))
	body = inks.ReplaceAll(body, []byte("var(--ink-$1)"))
	body = widths.ReplaceAll(body, []byte(`<text textLength="$3" lengthAdjust="spacingAndGlyphs" $1>$2</text>`))
	body = withSpots(body, p, draw.New(c), spots)
	body = family.ReplaceAll(body, []byte("font-family:Liberation Sans,Arial,Helvetica,sans-serif"))
	return template.HTML(body), nil
}

// spot is a place of a picture, in the units of its axes, with its value as text.
type spot struct {
	x, y float64
	text string
}

// withSpots adds an invisible circle for each spot before the end of the picture.
func withSpots(body []byte, p *plot.Plot, on draw.Canvas, spots []spot) []byte {
	end := bytes.LastIndex(body, []byte("</g>"))
	if len(spots) == 0 || end < 0 {
		return body
	}
	area := p.DataCanvas(on)
	x, y := p.Transforms(&area)
	var b bytes.Buffer
	b.Write(body[:end])
	for _, s := range spots {
		at := vg.Point{X: x(s.x), Y: y(s.y)}
		if at.X-at.X != 0 || at.Y-at.Y != 0 {
			continue
		}
		fmt.Fprintf(&b, "<circle class=\"spot\" cx=\"%.1f\" cy=\"%.1f\" r=\"6\" data-hint=\"%s\"/>\n", at.X, at.Y, template.HTMLEscapeString(drawn(s.text)))
	}
	b.Write(body[end:])
	return b.Bytes()
}

// addLine adds the i-th series: a line with glyphs, and its band if there are
// intervals.
func addLine(p *plot.Plot, i int, at []linePoint) error {
	if len(at) == 0 {
		return nil
	}
	xys := plotter.XYs{}
	bounded := true
	for _, pt := range at {
		xys = append(xys, plotter.XY{X: pt.x, Y: pt.Mid})
		bounded = bounded && pt.Bounded
	}
	if bounded && len(at) > 1 {
		area, err := plotter.NewPolygon(band(at))
		if err != nil {
			return err
		}
		area.Color, area.LineStyle.Width = bandInk(i), 0
		p.Add(area)
	}
	line, points, err := plotter.NewLinePoints(xys)
	if err != nil {
		return err
	}
	line.Color, line.Width = seriesInk(i), 1.2
	points.Color, points.Radius, points.Shape = seriesInk(i), 2.6, glyphs[i%seriesInks]
	p.Add(line, points)
	return nil
}
