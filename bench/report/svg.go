package report

import (
	"fmt"
	"html/template"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	writer "github.com/zkatbench/zkatbench/bench/svg"
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

// dots is the line style of values that were not measured, dashes that of service
// times.
var (
	dots   = []vg.Length{2, 3}
	dashes = []vg.Length{6, 3}
)

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

// style is the style value of an ink: a variable of the style sheet.
func style(c color.Color) string {
	of := color.NRGBAModel.Convert(c).(color.NRGBA)
	return fmt.Sprintf("var(--ink-%02X)", of.B)
}

// svg draws p for a page, in width × height points. The label describes it for
// screen readers. Spots are places with values to show under the pointer.
func svg(p *plot.Plot, label string, width, height vg.Length, spots ...spot) (template.HTML, error) {
	if !drawable(p.X) || !drawable(p.Y) {
		return "<p>These numbers are too large for a picture.</p>", nil
	}
	var to writer.Picture
	as := []any{
		"role", "img", "aria-label", label, "style", fmt.Sprintf("max-width:%dpx", int(width*4/3)),
		"viewBox", "0 0 " + writer.Value(width.Points()) + " " + writer.Value(height.Points()), "xmlns", "http://www.w3.org/2000/svg",
	}
	if width > panelWidth {
		as = append([]any{"class", "wide"}, as...) // scrolls instead of shrinking below a readable size
	}
	to.Open("svg", as...)
	c := writer.NewCanvas(&to, width, height, style)
	area := p.DataCanvas(draw.New(c))
	p.X.Tick.Marker = apart{p.X.Tick.Marker, p.X.Scale, area.Max.X - area.Min.X, p.X.Tick.Label.Width}
	p.Y.Tick.Marker = apart{p.Y.Tick.Marker, p.Y.Scale, area.Max.Y - area.Min.Y, p.Y.Tick.Label.Height}
	p.Draw(draw.New(c))
	addSpots(&to, p, c, spots)
	to.Close("svg")
	return template.HTML(to.String()), nil
}

// spot is a place of a picture, in the units of its axes, with its value as text.
type spot struct {
	x, y float64
	text string
}

// addSpots adds an invisible circle for each spot.
func addSpots(to *writer.Picture, p *plot.Plot, c *writer.Canvas, spots []spot) {
	area := p.DataCanvas(draw.New(c))
	x, y := p.Transforms(&area)
	for _, s := range spots {
		at := vg.Point{X: min(max(x(s.x), area.Min.X), area.Max.X), Y: min(max(y(s.y), area.Min.Y), area.Max.Y)}
		if at.X-at.X != 0 || at.Y-at.Y != 0 {
			continue
		}
		cx, cy := c.At(at)
		to.Empty("circle", "class", "spot", "cx", cx, "cy", cy, "r", 6, "data-hint", s.text)
	}
}

// addMark adds a dotted vertical line.
func addMark(p *plot.Plot, x float64, colour color.Color) error {
	mark, err := plotter.NewLine(plotter.XYs{{X: x, Y: p.Y.Min}, {X: x, Y: p.Y.Max}})
	if err != nil {
		return err
	}
	mark.Color, mark.Width, mark.Dashes = colour, 1.5, dots
	p.Add(mark)
	return nil
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
