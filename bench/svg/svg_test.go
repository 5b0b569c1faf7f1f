package svg_test

import (
	"encoding/xml"
	"image/color"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/zkatbench/zkatbench/bench/svg"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

func TestTextIsEscapedAndPrintable(t *testing.T) {
	var p svg.Picture
	p.Open("svg", "aria-label", "a\"<b>\x00&\xff")
	p.Text("text", "<x>\n&", "x", 1.005, "y", -0.0001, "n", 3)
	p.Close("svg")
	require.Equal(t, `<svg aria-label="a&#34;&lt;b&gt;&amp;?"><text x="1" y="0" n="3">&lt;x&gt;&amp;</text>`+"\n</svg>\n", p.String())
}

func ink(c color.Color) string { return "ink" }

// TestTransforms checks places in the picture, where y grows downwards.
func TestTransforms(t *testing.T) {
	var p svg.Picture
	c := svg.NewCanvas(&p, 100, 50, ink)
	at := func(x, y vg.Length) []float64 { a, b := c.At(vg.Point{X: x, Y: y}); return []float64{a, b} }
	require.InDeltaSlice(t, []float64{10, 45}, at(10, 5), 1e-9)
	c.Push()
	c.Translate(vg.Point{X: 20, Y: 10})
	c.Rotate(math.Pi / 2)
	require.InDeltaSlice(t, []float64{15, 30}, at(10, 5), 1e-9, "a quarter turn counter-clockwise around (20, 10)")
	c.Scale(2, 3)
	require.InDeltaSlice(t, []float64{5, 20}, at(10, 5), 1e-9)
	c.Pop()
	require.InDeltaSlice(t, []float64{10, 45}, at(10, 5), 1e-9)
	w, h := c.Size()
	require.Equal(t, []vg.Length{100, 50}, []vg.Length{w, h})
}

func TestPaths(t *testing.T) {
	var p svg.Picture
	c := svg.NewCanvas(&p, 100, 100, ink)
	var path vg.Path
	path.Move(vg.Point{X: 10, Y: 10})
	path.Line(vg.Point{X: 20, Y: 10})
	path.QuadTo(vg.Point{X: 30, Y: 10}, vg.Point{X: 30, Y: 20})
	path.CubeTo(vg.Point{X: 30, Y: 30}, vg.Point{X: 20, Y: 40}, vg.Point{X: 10, Y: 40})
	path.Close()
	c.SetLineWidth(2)
	c.SetLineDash([]vg.Length{2, 3}, 1)
	c.Stroke(path)
	c.SetLineWidth(0)
	c.Stroke(path) // invisible
	var ring vg.Path
	ring.Arc(vg.Point{X: 50, Y: 50}, 10, 0, math.Pi)
	c.Fill(ring)
	require.Equal(t, `<path d="M10,90L20,90Q30,90 30,80C30,70 20,60 10,60Z" style="fill:none;stroke:ink;stroke-width:2;stroke-dasharray:2,3;stroke-dashoffset:1"/>
<path d="M60,50A10,10 0 0 0 50,40A10,10 0 0 0 40,50" style="fill:ink"/>
`, p.String())
}

// TestAPlotIsWellFormed draws axes, labels, lines and glyphs of gonum.
func TestAPlotIsWellFormed(t *testing.T) {
	plt := plot.New()
	plt.Y.Label.Text = "rotated <label>"
	line, points, err := plotter.NewLinePoints(plotter.XYs{{X: 1, Y: 2}, {X: 3, Y: 4}})
	require.NoError(t, err)
	points.Shape = draw.CircleGlyph{}
	plt.Add(line, points)
	var p svg.Picture
	p.Open("svg")
	plt.Draw(draw.New(svg.NewCanvas(&p, 200, 100, ink)))
	p.Close("svg")
	text := p.String()
	require.Contains(t, text, `transform="rotate(-90 `)
	require.Contains(t, text, "rotated &lt;label&gt;")
	require.Equal(t, 2*3, strings.Count(text, "A2.5,2.5 "), "three pieces of each circle")
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		_, err := d.Token()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
	}
}
