package chart

import (
	"fmt"
	"math"
	"slices"

	"github.com/zkatbench/zkatbench/internal/text"
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
		taken = append(taken, box{left: d.x - dotRadius, right: d.x + dotRadius,
			top: d.y - dotRadius, bottom: d.y + dotRadius})
	}
	for _, s := range p.chart.Series {
		for _, point := range s.Points {
			if point.Label == "" {
				continue
			}
			at := place{p.atX(point.X), p.atY(point.Y)}
			middle, ring := p.free(at, point.Label, taken)
			taken = append(taken, around(middle, point.Label))
			if ring > 0 {
				p.stroke(fmt.Sprintf("M%vL%v", at, middle), "var(--faint)", 0.7, "")
			}
			p.Text("text", point.Label, "x", middle.x, "y", middle.y+4, "text-anchor", "middle", "style",
				"fill:"+Colour(s.Ink))
		}
	}
}

// around is the box of a label with its middle at a place.
func around(at place, label string) box {
	wide := charWide * float64(text.Len(label))
	return box{left: at.x - wide/2, right: at.x + wide/2, top: at.y - fontSize/2, bottom: at.y + fontSize/2}
}

// free returns the first free place for the middle of a label, on rings around its dot,
// and the number of the ring. If all are taken, the label is next to the dot.
func (p *plot) free(dot place, label string, taken []box) (middle place, ring int) {
	const rings, directions, distance = 6, 16, 9
	reach := place{dotRadius + 1 + charWide*float64(text.Len(label))/2, dotRadius + 1 + fontSize/2}
	for ring := range rings {
		for k := range directions {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / directions)
			at := place{dot.x + cos*(reach.x+distance*float64(ring)),
				dot.y - sin*(reach.y+distance*float64(ring))}
			b := around(at, label)
			inside := b.left > p.left && b.right < p.right && b.top > p.top && b.bottom < p.bottom
			if inside && !slices.ContainsFunc(taken, b.touches) {
				return at, ring
			}
		}
	}
	return place{dot.x + reach.x, dot.y}, 0
}
