package chart

import (
	"math"
	"strconv"

	"github.com/zkatbench/zkatbench/internal/text"
)

// Axis is one axis of a chart. Values of a logarithmic axis are positive.
type Axis struct {
	Name string
	Log  bool
	// Label writes a value with its unit; nil is text.Number.
	Label func(float64) string
	// Low and High are the ends, if Low < High. Otherwise the axis spans the data,
	// and a linear y axis also 0. Lines of values beyond them run along the border.
	Low, High float64
	// Ticks are the labelled values; nil is round values.
	Ticks []Tick
}

// Tick is a labelled value of an axis.
type Tick struct {
	Value float64
	Label string
}

// Text writes a value of the axis with its unit.
func (a Axis) Text(v float64) string {
	if a.Label == nil {
		return text.Number(v)
	}
	return a.Label(v)
}

// Values are ticks at these values, with all their digits.
func Values(values []float64) (ticks []Tick) {
	for _, v := range values {
		ticks = append(ticks, Tick{v, strconv.FormatFloat(v, 'g', -1, 64)})
	}
	return ticks
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
		exact, _ := strconv.ParseFloat(strconv.FormatFloat(math.Pow(10, v), 'g', 12, 64), 64)
		return exact // 30 and not 29.999999999999996
	}
	return v
}

// ticks returns the labelled values from low to high.
func (a Axis) ticks(low, high float64) (ticks []Tick) {
	if a.Ticks != nil {
		return a.Ticks
	}
	values := Round(low, high)
	if a.Log {
		values = roundLogs(low, high)
	}
	for _, v := range values {
		ticks = append(ticks, Tick{v, a.Text(v)})
	}
	return ticks
}

// Round returns three to six round values from low to high.
func Round(low, high float64) (values []float64) {
	step := roundStep(high - low)
	for n := math.Ceil(low / step); n*step <= high && len(values) < 12; n++ {
		values = append(values, n*step)
	}
	return values
}

// roundStep returns 1, 2 or 5 times a power of ten, so that span has at most five steps.
func roundStep(span float64) float64 {
	step := math.Pow(10, math.Floor(math.Log10(span/5)))
	for _, m := range []float64{1, 2, 5} {
		if span/(m*step) <= 5 {
			return m * step
		}
	}
	return 10 * step
}

// roundLogs returns 1, 2, 5, 10, … from low to high, or powers of ten if the range is
// wide.
func roundLogs(low, high float64) (values []float64) {
	for e := math.Floor(math.Log10(low)); e <= math.Log10(high); e++ {
		for _, m := range []float64{1, 2, 5} {
			v := m * math.Pow(10, e)
			if v >= low*0.999 && v <= high*1.001 && (m == 1 || high/low <= 1e4) {
				values = append(values, v)
			}
		}
	}
	return values
}

// extent is a range of scaled values.
type extent struct{ low, high float64 }

func (e *extent) add(values ...float64) {
	for _, v := range values {
		if v-v == 0 {
			e.low, e.high = min(e.low, v), max(e.high, v)
		}
	}
}

// at is the position of a scaled value in the range, 0 … 1, or beyond.
func (e extent) at(v float64) float64 {
	if e.high == e.low {
		return 0.5
	}
	return (v - e.low) / (e.high - e.low)
}

// extents returns the ranges of both axes, scaled, with or without the intervals of
// points. ok is false for a chart without points.
func (c *Chart) extents(intervals bool) (x, y extent, ok bool) {
	x = extent{math.Inf(1), math.Inf(-1)}
	y = x
	for _, s := range c.Series {
		for _, p := range s.Points {
			x.add(c.X.scale(p.X))
			y.add(c.Y.scale(p.Y))
			if p.Bounded && intervals {
				y.add(c.Y.scale(p.Low), c.Y.scale(p.High))
			}
		}
	}
	for _, cell := range c.Cells {
		x.add(c.X.scale(cell.Left), c.X.scale(cell.Right))
		y.add(c.Y.scale(cell.Low), c.Y.scale(cell.High))
	}
	if !c.Y.Log {
		y.add(0)
	}
	if c.X.Low < c.X.High {
		x = extent{c.X.scale(c.X.Low), c.X.scale(c.X.High)}
	}
	if c.Y.Low < c.Y.High {
		y = extent{c.Y.scale(c.Y.Low), c.Y.scale(c.Y.High)}
	}
	return x, y, x.low <= x.high && y.low <= y.high
}
