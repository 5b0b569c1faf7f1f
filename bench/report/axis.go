package report

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/zkatbench/zkatbench/bench/chart"
	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// span is a value with its interval.
type span struct{ low, high float64 }

// The share of spans that may lie beyond an axis, and the factor by which they would
// lengthen it.
const (
	outlying    = 0.1
	lengthening = 10
)

// within returns the range of the spans that are finite, and the part of it that an axis
// shows: of at least three, the farthest ones are left out if they would lengthen the
// axis so much that the others could not be distinguished.
func within(all []span) (shown, whole span) {
	all = slices.DeleteFunc(slices.Clone(all), func(s span) bool {
		return s.low-s.low != 0 || s.high-s.high != 0
	})
	whole = hull(all)
	if len(all) < 3 {
		return whole, whole
	}
	middles := make([]float64, len(all))
	for i, s := range all {
		middles[i] = (s.low + s.high) / 2
	}
	middle := stats.Median(middles)
	distance := func(s span) float64 { return max(s.high-middle, middle-s.low) }
	slices.SortStableFunc(all, func(a, b span) int { return cmp.Compare(distance(a), distance(b)) })
	near := all[:len(all)-max(1, int(outlying*float64(len(all))))]
	if least := distance(near[len(near)-1]); least > 0 && distance(all[len(all)-1]) > lengthening*least {
		return hull(near), whole
	}
	return whole, whole
}

// hull is the least span with all spans in it; it is empty, low above high, without any.
func hull(all []span) span {
	h := span{math.Inf(1), math.Inf(-1)}
	for _, s := range all {
		h = span{min(h.low, s.low), max(h.high, s.high)}
	}
	return h
}

// decades is the least factor between magnitudes for a logarithmic axis.
const decades = 30

// magnitudes returns the axis of values in a unit. It is logarithmic if the values are
// positive and one would flatten the others; it begins at 0 otherwise.
func magnitudes(all []span, unit string) chart.Axis {
	a := chart.Axis{Name: unit, Label: func(v float64) string { return show(v, unit) }}
	shown, whole := within(all)
	switch {
	case whole.low > whole.high:
		a.Low, a.High = 0, 1
	case whole.low > 0 && (shown != whole || whole.high > decades*whole.low):
		a.Log, a.Low, a.High = true, whole.low/1.1, whole.high*1.1
	default:
		a.Low = min(0, shown.low)
		a.High = max(shown.high, a.Low+1e-12)
		a.High += 0.05 * (a.High - a.Low)
	}
	return a
}

// durations is a logarithmic axis of nanoseconds.
func durations(name string, low, high float64) chart.Axis {
	return chart.Axis{Name: name, Log: true, Label: text.Duration, Low: low / 1.1, High: high * 1.1}
}

// show formats v with its unit: "2.24 ms", "30.4 KiB", "60".
func show(v float64, unit string) string {
	count, _, _ := strings.Cut(unit, "/")
	switch {
	case isTime(unit):
		return chart.Seconds(v)
	case count == "B" || strings.HasSuffix(count, "-B") || strings.HasSuffix(count, "bytes"):
		return text.Bytes(v)
	case v == math.Trunc(v) && math.Abs(v) < 1e15:
		return text.Count(int64(v))
	}
	return text.Number(v)
}

// plain formats v for machines.
func plain(v float64) string { return strconv.FormatFloat(v, 'g', 9, 64) }

// maxLabel bounds titles of pictures, in characters.
const maxLabel = 48

// short omits the middle of a name too long for a picture, since names
// usually differ at their end.
func short(name string) string {
	if r := []rune(name); len(r) > maxLabel {
		return string(r[:maxLabel/3]) + "…" + string(r[len(r)-(maxLabel-maxLabel/3-1):])
	}
	return name
}
