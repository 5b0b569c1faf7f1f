package chart

import (
	"fmt"
	"math"

	"github.com/zkatbench/zkatbench/bench/svg"
	"github.com/zkatbench/zkatbench/text"
)

// box is the place of a label.
type box struct{ left, right, top, bottom float64 }

func (b box) touches(o box) bool {
	return b.left < o.right && o.left < b.right && b.top < o.bottom && o.top < b.bottom
}

// dotRadius is the half of a sign with a margin.
const dotRadius = 5.5

// labels writes the labels of points where no dot and no other label is: around the
// point, or farther away with a line to it.
func (p *plot) labels(dots []place) {
	var taken []box
	for _, d := range dots {
		taken = append(taken, box{d.x - dotRadius, d.x + dotRadius, d.y - dotRadius, d.y + dotRadius})
	}
	for _, s := range p.chart.Series {
		for _, point := range s.Points {
			if point.Label == "" {
				continue
			}
			at := place{p.atX(point.X), p.atY(point.Y)}
			middle, distance, label := p.free(at, point.Label, taken)
			taken = append(taken, label)
			if distance > 0 {
				p.stroke(fmt.Sprintf("M%s,%sL%s,%s", svg.Value(at.x), svg.Value(at.y), svg.Value(middle.x), svg.Value(middle.y)), "var(--faint)", 0.7, "")
			}
			p.Text("text", point.Label, "x", middle.x, "y", middle.y+4, "text-anchor", "middle", "style", "fill:"+svg.Colour(s.Ink))
		}
	}
}

// free returns the first free place for the middle of a label, how many rings it is
// away, and its box. If all are taken, the label stands beside its dot.
func (p *plot) free(at place, label string, taken []box) (middle place, ring int, label2 box) {
	const rings, directions = 6, 16
	wide, high := charWide*float64(text.Len(label)), float64(fontSize)
	boxOf := func(m place) box { return box{m.x - wide/2, m.x + wide/2, m.y - high/2, m.y + high/2} }
	for ring := range rings {
		for k := range directions {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / directions)
			m := place{at.x + cos*(dotRadius+wide/2+1+9*float64(ring)), at.y - sin*(dotRadius+high/2+1+9*float64(ring))}
			b := boxOf(m)
			clear := b.left > p.left && b.right < p.right && b.top > p.top && b.bottom < p.bottom
			for _, t := range taken {
				clear = clear && !b.touches(t)
			}
			if clear {
				return m, ring, b
			}
		}
	}
	m := place{at.x + dotRadius + wide/2, at.y}
	return m, 0, boxOf(m)
}
