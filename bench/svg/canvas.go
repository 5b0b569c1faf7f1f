package svg

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// Canvas is a vg.Canvas of a Picture. The unit is the point, and y grows upwards,
// as for all canvases of gonum's plots. It draws no images.
type Canvas struct {
	*Picture
	width, height vg.Length
	// ink returns the style value of a colour.
	ink func(color.Color) string
	state
	saved []state
}

// state is saved by Push. The matrix maps (x, y) to (a·x + c·y + e, b·x + d·y + f)
// in the coordinates of the picture, where y grows downwards.
type state struct {
	a, b, c, d, e, f float64
	width            vg.Length
	dashes           []vg.Length
	offset           vg.Length
	colour           color.Color
}

// NewCanvas returns a canvas that draws on p, between its first and its last
// element.
func NewCanvas(p *Picture, width, height vg.Length, ink func(color.Color) string) *Canvas {
	return &Canvas{Picture: p, width: width, height: height, ink: ink,
		state: state{a: 1, d: -1, f: height.Points(), width: 1, colour: color.Black}}
}

// Size is the size of the canvas.
func (c *Canvas) Size() (width, height vg.Length) { return c.width, c.height }

// The methods of vg.Canvas.
func (c *Canvas) SetLineWidth(w vg.Length) { c.state.width = w }
func (c *Canvas) SetLineDash(pattern []vg.Length, offset vg.Length) {
	c.dashes, c.offset = pattern, offset
}
func (c *Canvas) SetColor(colour color.Color) {
	if c.colour = colour; colour == nil {
		c.colour = color.Black
	}
}

func (c *Canvas) Rotate(rad float64) {
	sin, cos := math.Sincos(rad)
	c.apply(cos, sin, -sin, cos, 0, 0)
}
func (c *Canvas) Translate(by vg.Point) { c.apply(1, 0, 0, 1, by.X.Points(), by.Y.Points()) }
func (c *Canvas) Scale(x, y float64)    { c.apply(x, 0, 0, y, 0, 0) }

// apply multiplies the matrix by another one from the right.
func (c *Canvas) apply(a, b, cc, d, e, f float64) {
	s := c.state
	c.a, c.b = s.a*a+s.c*b, s.b*a+s.d*b
	c.c, c.d = s.a*cc+s.c*d, s.b*cc+s.d*d
	c.e, c.f = s.a*e+s.c*f+s.e, s.b*e+s.d*f+s.f
}

func (c *Canvas) Push() { c.saved = append(c.saved, c.state) }
func (c *Canvas) Pop() {
	last := len(c.saved) - 1
	c.state, c.saved = c.saved[last], c.saved[:last]
}

// At returns the place of a point in the picture.
func (c *Canvas) At(p vg.Point) (x, y float64) {
	return c.a*p.X.Points() + c.c*p.Y.Points() + c.e, c.b*p.X.Points() + c.d*p.Y.Points() + c.f
}

// Stroke draws the line of a path.
func (c *Canvas) Stroke(path vg.Path) {
	if c.state.width <= 0 {
		return
	}
	style := fmt.Sprintf("fill:none;stroke:%s;stroke-width:%s", c.ink(c.colour), Value(c.state.width.Points()))
	if len(c.dashes) > 0 {
		var lengths []string
		for _, d := range c.dashes {
			lengths = append(lengths, Value(d.Points()))
		}
		style += ";stroke-dasharray:" + strings.Join(lengths, ",") + ";stroke-dashoffset:" + Value(c.offset.Points())
	}
	c.Empty("path", "d", c.outline(path), "style", style)
}

// Fill draws the area of a path.
func (c *Canvas) Fill(path vg.Path) {
	c.Empty("path", "d", c.outline(path), "style", "fill:"+c.ink(c.colour))
}

// outline is a path as SVG has it.
func (c *Canvas) outline(path vg.Path) string {
	var b strings.Builder
	to := func(command string, points ...vg.Point) {
		b.WriteString(command)
		for i, p := range points {
			if i > 0 {
				b.WriteString(" ")
			}
			x, y := c.At(p)
			b.WriteString(Value(x) + "," + Value(y))
		}
	}
	for i, part := range path {
		switch part.Type {
		case vg.MoveComp:
			to("M", part.Pos)
		case vg.LineComp:
			to("L", part.Pos)
		case vg.CurveComp:
			to(map[int]string{1: "Q", 2: "C"}[len(part.Control)], append(append([]vg.Point(nil), part.Control...), part.Pos)...)
		case vg.CloseComp:
			b.WriteString("Z")
		case vg.ArcComp:
			c.arc(&b, part, i == 0, to)
		}
	}
	return b.String()
}

// arc writes an arc as pieces of at most a third of a circle.
func (c *Canvas) arc(b *strings.Builder, part vg.PathComp, first bool, to func(string, ...vg.Point)) {
	at := func(angle float64) vg.Point {
		sin, cos := math.Sincos(angle)
		return vg.Point{X: part.Pos.X + part.Radius*vg.Length(cos), Y: part.Pos.Y + part.Radius*vg.Length(sin)}
	}
	if first {
		to("M", at(part.Start))
	} else {
		to("L", at(part.Start))
	}
	scale := math.Sqrt(math.Abs(c.a*c.d - c.b*c.c))
	turn := "0" // counter-clockwise
	if (part.Angle > 0) != (c.a*c.d-c.b*c.c < 0) {
		turn = "1"
	}
	pieces := math.Max(1, math.Ceil(math.Abs(part.Angle)/(2*math.Pi/3)))
	for k := 1.0; k <= pieces; k++ {
		r := Value(part.Radius.Points() * scale)
		fmt.Fprintf(b, "A%s,%s 0 0 %s ", r, r, turn)
		to("", at(part.Start+part.Angle*k/pieces))
	}
}

// FillString draws text, which keeps the width that the plot assumes for it with
// any font.
func (c *Canvas) FillString(f font.Face, at vg.Point, text string) {
	if text = printable(text); f.Font.Size <= 0 || text == "" {
		return
	}
	x, y := c.At(at)
	as := []any{"x", x, "y", y, "textLength", f.Width(text).Points(), "lengthAdjust", "spacingAndGlyphs"}
	if angle := math.Atan2(c.b, c.a) * 180 / math.Pi; math.Abs(angle) > 0.01 {
		as = append(as, "transform", fmt.Sprintf("rotate(%s %s,%s)", Value(angle), Value(x), Value(y)))
	}
	as = append(as, "style", fmt.Sprintf("fill:%s;font:%spx Liberation Sans,Arial,Helvetica,sans-serif", c.ink(c.colour), Value(f.Font.Size.Points())))
	c.Text("text", text, as...)
}

// DrawImage is empty: charts are without images.
func (c *Canvas) DrawImage(vg.Rectangle, image.Image) {}
