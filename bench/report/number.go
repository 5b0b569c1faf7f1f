package report

import (
	"math"
	"strconv"
	"strings"

	"golang.org/x/perf/benchunit"
)

// scaled formats values of one unit on one scale, so that they can be compared.
type scaled struct {
	unit   string
	scaler benchunit.Scaler
}

// scaleOf returns a suitable scale for values.
func scaleOf(unit string, values ...float64) scaled {
	return scaled{unit, benchunit.CommonScale(values, benchunit.ClassOf(unit))}
}

// label returns the unit with the prefix of the scale: "ms/op", "KiB/op".
func (s scaled) label() string {
	what, per, isRate := strings.Cut(s.unit, "/")
	switch {
	case strings.HasSuffix(what, "sec"):
		what = strings.TrimSuffix(what, "sec") + s.scaler.Prefix + "s"
	case strings.HasSuffix(what, "bytes"):
		what = strings.TrimSuffix(what, "bytes") + s.scaler.Prefix + "B"
	case what == "B" || strings.HasSuffix(what, "-B"):
		what = strings.TrimSuffix(what, "B") + s.scaler.Prefix + "B"
	case s.scaler.Prefix != "":
		what = s.scaler.Prefix + " " + what
	}
	if isRate {
		return what + "/" + per
	}
	return what
}

// text formats v on the scale, without the unit.
func (s scaled) text(v float64) string {
	return strings.TrimSuffix(s.scaler.Format(v), s.scaler.Prefix)
}

// show formats v with its unit, on its best scale: "2.24 ms", "30.4 KiB", "60".
func show(v float64, unit string) string {
	s := scaleOf(unit, v)
	return s.with(v, s.text(v))
}

// showRound formats a round value, such as the mark of an axis: "2 ms".
func showRound(v float64, unit string) string {
	s := scaleOf(unit, v)
	return s.with(v, digits(v/s.scaler.Factor))
}

// with adds the unit to the text of v.
func (s scaled) with(v float64, text string) string {
	what, _, _ := strings.Cut(s.label(), "/")
	switch {
	case isTime(s.unit), what == s.scaler.Prefix+"B", strings.HasSuffix(what, "-"+s.scaler.Prefix+"B"):
		return whole(v, text, s.scaler.Prefix) + " " + what[strings.LastIndex(what, "-")+1:]
	}
	return whole(v, text, s.scaler.Prefix) + s.scaler.Prefix
}

// whole removes the decimals of an integer.
func whole(v float64, text, prefix string) string {
	if prefix == "" && v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return text
}

// plain formats v for machines.
func plain(v float64) string { return strconv.FormatFloat(v, 'g', 9, 64) }

// short omits the middle of a name too long for a picture, since names
// usually differ at their end.
func short(name string) string {
	if r := []rune(name); len(r) > maxLabel {
		return string(r[:maxLabel/3]) + "…" + string(r[len(r)-(maxLabel-maxLabel/3-1):])
	}
	return name
}
