package report

import (
	"fmt"
	"html/template"
	"math"

	"github.com/zkatbench/zkatbench/bench/chart"
	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// stripAxis maps values to percent of the width of a picture.
type stripAxis struct{ low, high float64 }

// stripAxisOf spans the values with a margin, except outliers, and 0.
func stripAxisOf(all []span) stripAxis {
	kept, _ := within(all)
	if kept.low > kept.high {
		return stripAxis{-1, 1}
	}
	a := stripAxis{min(0, kept.low), max(0, kept.high)}
	margin := max((a.high-a.low)*0.06, 1e-6)
	return stripAxis{a.low - margin, a.high + margin}
}

func (a stripAxis) at(v float64) float64 {
	return math.Round(1e3*((min(max(v, a.low), a.high)-a.low)/(a.high-a.low))) / 10
}

// percent is at as the value of an attribute.
func (a stripAxis) percent(v float64) string { return chart.Value(a.at(v)) + "%" }

// The least width of a strip and the greatest width of a character of its labels,
// in pixels of the style sheet.
const (
	stripWidth = 224
	labelWidth = 7.5
)

// marks draws round values of the axis as the head of the column, without labels
// that would touch each other or the end in the narrowest strip.
func (a stripAxis) marks(label func(float64) string) template.HTML {
	var p chart.Picture
	p.Open("svg", "class", "strip axis", "aria-hidden", "true")
	end := math.Inf(-1)
	for _, v := range chart.Round(a.low, a.high) {
		words := label(v)
		middle, half := a.at(v)/100*stripWidth, float64(text.Len(words))*labelWidth/2
		if middle-half < end || middle-half < 0 || middle+half > stripWidth {
			continue
		}
		end = middle + half
		p.Text("text", words, "x", a.percent(v), "y", 12, "text-anchor", "middle")
	}
	p.Close("svg")
	return template.HTML(p.String())
}

// strip is the picture of one row: points and lines, and the curves below them,
// which stretch with the width of the page.
type strip struct {
	axis          stripAxis
	curves, marks chart.Picture
}

func newStrip(a stripAxis, mark float64) *strip {
	s := &strip{axis: a}
	s.marks.Open("svg", "class", "strip", "aria-hidden", "true")
	if mark >= a.low && mark <= a.high {
		s.marks.Empty("line", "class", "zero", "x1", a.percent(mark), "x2", a.percent(mark), "y1", 0, "y2",
			"100%")
	}
	return s
}

// interval draws a line between two values that are finite.
func (s *strip) interval(low, high float64, class string) {
	if low-low != 0 || high-high != 0 {
		return
	}
	s.marks.Empty("line", "class", class, "x1", s.axis.percent(low), "x2", s.axis.percent(high), "y1", "50%",
		"y2", "50%")
}

// dot draws a point in the upper, middle or lower part of the row.
func (s *strip) dot(v float64, y int, class string) {
	if stats.Finite(v) && !s.beyond(v, y, class) {
		s.marks.Empty("circle", "class", class, "cx", s.axis.percent(v), "cy", fmt.Sprintf("%d%%", y), "r",
			2.6)
	}
}

// beyond draws an arrow at the end of the axis if v is beyond it.
func (s *strip) beyond(v float64, y int, class string) bool {
	switch {
	case v < s.axis.low:
		s.marks.Text("text", "◀", "class", "beyond "+class, "x", 0, "y", fmt.Sprintf("%d%%", y))
	case v > s.axis.high:
		s.marks.Text("text", "▶", "class", "beyond "+class, "x", "100%", "y", fmt.Sprintf("%d%%", y),
			"text-anchor", "end")
	default:
		return false
	}
	return true
}

// bar draws a part of a bar, with a value under the pointer.
func (s *strip) bar(from, to float64, colour, hint string) {
	s.marks.Empty("rect", "class", "cell", "x", s.axis.percent(from), "width",
		chart.Value(s.axis.at(to)-s.axis.at(from))+"%", "y", "12%", "height", "76%",
		"style", "fill:"+colour, "data-hint", hint)
}

// area draws the curve of a density above the bottom of the row, scaled to its
// height.
func (s *strip) area(density func(float64) float64, class string) {
	const steps = 60
	values, most := make([]float64, steps+1), 0.0
	for i := range values {
		values[i] = density(s.axis.low + (s.axis.high-s.axis.low)*float64(i)/steps)
		most = max(most, values[i])
	}
	if !(most > 0) || math.IsInf(most, 0) {
		return
	}
	line := "M0 100"
	for i, v := range values {
		line += fmt.Sprintf("L%d %.0f", i, 100-92*v/most)
	}
	s.curves.Open("svg", "class", "strip curve", "aria-hidden", "true", "viewBox",
		fmt.Sprintf("0 0 %d 100", steps), "preserveAspectRatio", "none")
	s.curves.Empty("path", "class", class, "d", line+fmt.Sprintf("L%d 100Z", steps))
	s.curves.Close("svg")
}

func (s *strip) picture() template.HTML {
	s.marks.Close("svg")
	return template.HTML(s.curves.String() + s.marks.String())
}

// relative labels the axis of changes.
func relative(v float64) string {
	if math.Abs(v) < 1e-9 {
		return "0"
	}
	return signed(v)
}
