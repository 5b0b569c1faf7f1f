// Package chart is charts of lines as data, and as text for terminals. Package
// bench/report draws the same data as HTML.
//
//	chart.go  Chart: axes, series with intervals, marks
//	text.go   Text: a chart in characters
//	label.go  labels of values: times, rates, numbers
package chart

import "math"

// Chart is lines over a common x axis.
type Chart struct {
	Title, Note string
	X, Y        Axis
	Series      []Series
	Marks       []Mark
}

// Axis is one axis of a chart. Values of a logarithmic axis are positive.
type Axis struct {
	Name string
	Log  bool
	// Label writes a value with its unit; nil is Number.
	Label func(float64) string
}

// Text writes a value of the axis with its unit.
func (a Axis) Text(v float64) string {
	if a.Label == nil {
		return Number(v)
	}
	return a.Label(v)
}

// Series is a line through points with increasing X.
type Series struct {
	Name   string
	Points []Point
}

// Point is a point of a line. If it is bounded, Low and High are the ends of an
// interval of Y.
type Point struct {
	X, Y      float64
	Low, High float64
	Bounded   bool
}

// Mark is a named place in a chart, such as the crossing of two lines.
type Mark struct {
	X, Y float64
	Text string
}

// scale maps values of an axis to numbers that are drawn at equal distances.
func (a Axis) scale(v float64) float64 {
	if a.Log {
		return math.Log10(v)
	}
	return v
}

// unscale is the inverse of scale.
func (a Axis) unscale(v float64) float64 {
	if a.Log {
		return math.Pow(10, v)
	}
	return v
}

// extent is a range of scaled values.
type extent struct{ low, high float64 }

func (e *extent) add(v float64) {
	if !math.IsNaN(v) && !math.IsInf(v, 0) {
		e.low, e.high = min(e.low, v), max(e.high, v)
	}
}

// at is the position of a scaled value in the range, 0 … 1.
func (e extent) at(v float64) float64 {
	if e.high == e.low {
		return 0.5
	}
	return (v - e.low) / (e.high - e.low)
}

// extents returns the ranges of both axes, scaled. A linear y axis begins at 0. ok
// is false for a chart without points.
func (c *Chart) extents() (x, y extent, ok bool) {
	x = extent{math.Inf(1), math.Inf(-1)}
	y = x
	for _, s := range c.Series {
		for _, p := range s.Points {
			x.add(c.X.scale(p.X))
			y.add(c.Y.scale(p.Y))
		}
	}
	if !c.Y.Log {
		y.add(0)
	}
	return x, y, x.low <= x.high && y.low <= y.high
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
