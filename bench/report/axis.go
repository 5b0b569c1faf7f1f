package report

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"github.com/zkatbench/zkatbench/runner/stats"
)

// maxLabel bounds labels in pictures, in characters.
const maxLabel = 48

// marksAt returns marks at exactly these values.
func marksAt(vs []float64) plot.ConstantTicks {
	ticks := make(plot.ConstantTicks, len(vs))
	for i, v := range vs {
		ticks[i] = plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'g', -1, 64)}
	}
	return ticks
}

// span is a value with its interval.
type span struct{ low, high float64 }

// The share of spans that may lie beyond an axis, and the factor by which they would
// lengthen it.
const (
	outlying    = 0.1
	lengthening = 10
)

// within returns the range of the spans that an axis shows, and whether some lie
// beyond it: of at least three, the farthest ones do if they would lengthen the axis
// so much that the others could not be told apart.
func within(all []span) (kept span, beyond bool) {
	all = slices.DeleteFunc(slices.Clone(all), func(s span) bool { return s.low-s.low != 0 || s.high-s.high != 0 })
	if len(all) == 0 {
		return span{math.Inf(1), math.Inf(-1)}, false
	}
	middles := make([]float64, len(all))
	for i, s := range all {
		middles[i] = (s.low + s.high) / 2
	}
	middle := stats.Median(middles)
	distance := func(s span) float64 { return max(s.high-middle, middle-s.low) }
	slices.SortStableFunc(all, func(a, b span) int { return cmp.Compare(distance(a), distance(b)) })
	if n := len(all) - max(1, int(outlying*float64(len(all)))); n >= 2 {
		near := distance(all[n-1])
		if beyond = near > 0 && distance(all[len(all)-1]) > lengthening*near; beyond {
			all = all[:n]
		}
	}
	kept = span{math.Inf(1), math.Inf(-1)}
	for _, s := range all {
		kept = span{min(kept.low, s.low), max(kept.high, s.high)}
	}
	return kept, beyond
}

// extent is the range of an axis of magnitudes. It is logarithmic if the magnitudes
// are positive and one would flatten the others; it begins at 0 otherwise.
type extent struct {
	low, high float64
	log       bool
}

// decades is the factor between magnitudes from which an axis is logarithmic.
const decades = 30

func extentOf(all []span) extent {
	e := extent{math.Inf(1), math.Inf(-1), false}
	for _, s := range all {
		if s.low-s.low == 0 && s.high-s.high == 0 {
			e.low, e.high = min(e.low, s.low), max(e.high, s.high)
		}
	}
	kept, beyond := within(all)
	switch {
	case e.low > e.high:
		return extent{0, 1, false}
	case e.low > 0 && (beyond || e.high > decades*e.low):
		e.log = true
		return e
	}
	return extent{min(0, kept.low), max(kept.high, min(0, kept.low)+1e-12), false}
}

// mark makes a an axis of the extent, in a unit.
func (e extent) mark(a *plot.Axis, unit string) {
	if e.log {
		a.Label.Text, a.Scale, a.Min, a.Max = unit, plot.LogScale{}, e.low/1.1, e.high*1.1
		a.Tick.Marker = roundLogs(func(v float64) string { return showRound(v, unit) })
		return
	}
	scale := scaleOf(unit, e.high)
	a.Label.Text, a.Tick.Marker = scale.label(), inUnits{scale}
	a.Min, a.Max = e.low, e.high+0.05*(e.high-e.low)
}

// round marks four or five round values on an axis.
type round struct{}

func (round) Ticks(low, high float64) (ticks []plot.Tick) {
	step := roundStep(high - low)
	for i, first := 0, math.Ceil(low/step); i < 12 && (first+float64(i))*step <= high; i++ {
		v := (first + float64(i)) * step
		ticks = append(ticks, plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'g', 6, 64)})
	}
	return ticks
}

// roundStep returns 1, 2 or 5 times a power of ten, such that span contains at
// most five steps.
func roundStep(span float64) float64 {
	step := math.Pow(10, math.Floor(math.Log10(span/5)))
	for _, m := range []float64{1, 2, 5} {
		if span/(m*step) <= 5 {
			return m * step
		}
	}
	return 10 * step
}

// inUnits marks round values of an axis and labels them on a scale.
type inUnits struct{ scaled }

func (u inUnits) Ticks(low, high float64) []plot.Tick {
	ticks := round{}.Ticks(low/u.scaler.Factor, high/u.scaler.Factor)
	for i := range ticks {
		ticks[i].Value *= u.scaler.Factor
	}
	return ticks
}

// drawable reports whether the ends of an axis are small enough to draw.
func drawable(a plot.Axis) bool {
	return math.Max(math.Abs(a.Min), math.Abs(a.Max)) < 1e100
}

// roundLogs marks 1, 2, 5, 10, … on a logarithmic axis, labelled by label; only
// powers of ten if there are many.
func roundLogs(label func(float64) string) plot.Ticker {
	return plot.TickerFunc(func(low, high float64) (ticks []plot.Tick) {
		sparse := high/low > 1e4
		for e := math.Floor(math.Log10(low)); e <= math.Log10(high); e++ {
			for _, m := range []float64{1, 2, 5} {
				t := plot.Tick{Value: m * math.Pow(10, e)}
				if t.Value < low*0.999 || t.Value > high*1.001 {
					continue
				}
				if m == 1 || !sparse {
					t.Label = label(t.Value)
				}
				ticks = append(ticks, t)
			}
		}
		return ticks
	})
}

// apart removes labels of an axis that would touch the one before.
type apart struct {
	of     plot.Ticker
	scale  plot.Normalizer
	length vg.Length              // of the axis
	size   func(string) vg.Length // of a label, along the axis
}

// labelGap is the least distance between two labels.
const labelGap vg.Length = 3

func (a apart) Ticks(low, high float64) []plot.Tick {
	ticks := slices.Clone(a.of.Ticks(low, high))
	slices.SortStableFunc(ticks, func(s, t plot.Tick) int { return cmp.Compare(s.Value, t.Value) })
	end := vg.Length(math.Inf(-1))
	for i, t := range ticks {
		if t.Label == "" || t.Value < low || t.Value > high {
			continue
		}
		middle, half := vg.Length(a.scale.Normalize(low, high, t.Value))*a.length, a.size(t.Label)/2
		if middle-half < end+labelGap {
			ticks[i].Label = ""
			continue
		}
		end = middle + half
	}
	return ticks
}

// seconds formats a duration given in nanoseconds: "2 ms".
func seconds(ns float64) string {
	for _, u := range []struct {
		size float64
		name string
	}{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}} {
		if ns >= u.size*0.9995 {
			return strconv.FormatFloat(ns/u.size, 'g', 3, 64) + " " + u.name
		}
	}
	return strconv.FormatFloat(ns, 'g', 3, 64) + " ns"
}
