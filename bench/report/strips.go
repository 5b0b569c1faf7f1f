package report

import (
	"fmt"
	"html/template"
	"math"
	"strings"
	"unicode/utf8"
)

// strips is a table with a picture in each row; all pictures share one axis, so
// rows can be compared, and hidden one by one.
type strips struct {
	Head []string
	Axis template.HTML
	Rows []stripRow
}

// stripRow is one case. The page filters by Name, its full name.
type stripRow struct {
	Name, Label string
	Cells       []string
	Class       string // of the last cell
	Hint        string
	Picture     template.HTML
}

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
	return math.Round(1e3*(min(max(v, a.low), a.high)-a.low)/(a.high-a.low)) / 10
}

// The least width of a strip and the greatest width of a character of its labels,
// in pixels of the style sheet.
const (
	stripWidth = 224
	labelWidth = 7.5
)

// marks draws round values of the axis as the head of the column, without labels
// that would touch in the narrowest strip.
func (a stripAxis) marks(label func(float64) string) template.HTML {
	var b strings.Builder
	b.WriteString(`<svg class="strip axis" aria-hidden="true">`)
	end := math.Inf(-1)
	for _, t := range (round{}).Ticks(a.low, a.high) {
		text := label(t.Value)
		middle, half := a.at(t.Value)/100*stripWidth, float64(utf8.RuneCountInString(text))*labelWidth/2
		if middle-half < end {
			continue
		}
		end = middle + half
		fmt.Fprintf(&b, `<text x="%.1f%%" y="12" text-anchor="middle">%s</text>`, a.at(t.Value), template.HTMLEscapeString(text))
	}
	b.WriteString("</svg>")
	return template.HTML(b.String())
}

// strip is the picture of one row: points and lines, and the curves below them,
// which stretch with the width of the page.
type strip struct {
	axis   stripAxis
	curves strings.Builder
	b      strings.Builder
}

func newStrip(a stripAxis, mark float64) *strip {
	s := &strip{axis: a}
	s.b.WriteString(`<svg class="strip" aria-hidden="true">`)
	if mark >= a.low && mark <= a.high {
		fmt.Fprintf(&s.b, `<line class="zero" x1="%[1]g%%" x2="%[1]g%%" y1="0" y2="100%%"/>`, a.at(mark))
	}
	return s
}

// interval draws a line between two values.
func (s *strip) interval(low, high float64, class string) {
	fmt.Fprintf(&s.b, `<line class="%s" x1="%g%%" x2="%g%%" y1="50%%" y2="50%%"/>`, class, s.axis.at(low), s.axis.at(high))
}

// dot draws a point in the upper, middle or lower part of the row. A value beyond
// the axis is an arrow at its end.
func (s *strip) dot(v float64, y int, class string) {
	switch {
	case v-v != 0:
	case v < s.axis.low:
		fmt.Fprintf(&s.b, `<text class="beyond %s" x="0" y="%d%%">◀</text>`, class, y)
	case v > s.axis.high:
		fmt.Fprintf(&s.b, `<text class="beyond %s" x="100%%" y="%d%%" text-anchor="end">▶</text>`, class, y)
	default:
		fmt.Fprintf(&s.b, `<circle class="%s" cx="%g%%" cy="%d%%" r="2.6"/>`, class, s.axis.at(v), y)
	}
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
	fmt.Fprintf(&s.curves, `<svg class="strip curve" aria-hidden="true" viewBox="0 0 %d 100" preserveAspectRatio="none"><path class="%s" d="M0 100`, steps, class)
	for i, v := range values {
		fmt.Fprintf(&s.curves, "L%d %.0f", i, 100-92*v/most)
	}
	fmt.Fprintf(&s.curves, `L%d 100Z"/></svg>`, steps)
}

func (s *strip) picture() template.HTML {
	return template.HTML(s.curves.String() + s.b.String() + "</svg>")
}

// relative labels the axis of changes.
func relative(v float64) string {
	if math.Abs(v) < 1e-9 {
		return "0"
	}
	return signed(v)
}
