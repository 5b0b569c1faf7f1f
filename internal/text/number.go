package text

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Number formats v with three significant digits and no exponent, and a whole number
// without decimals: "0.0123", "1.50", "12.3", "2", "1234".
func Number(v float64) string {
	switch a := math.Abs(v); {
	case math.IsInf(a, 1):
		return strings.Replace(fmt.Sprint(v)[:1], "+", "", 1) + "∞"
	case v == math.Trunc(v) || a >= 99.95:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case a >= 9.995:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case a >= 0.9995:
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64)
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

// Count formats a whole number in groups of three digits: "12 345".
func Count[T ~int | ~int64 | ~uint64](n T) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}

// Plural formats a number with its noun, which is regular: "1 case", "54 cases", "2 passes".
func Plural[T ~int | ~int64 | ~uint64](n T, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "s") {
		noun += "e"
	}
	return Count(n) + " " + noun + "s"
}

// Percent formats a share with three digits and at most two decimals: "12.3 %".
func Percent(share float64) string {
	if p := 100 * share; p != math.Trunc(p) && math.Abs(p) < 9.995 {
		return strconv.FormatFloat(p, 'f', 2, 64) + " %"
	}
	return Number(100*share) + " %"
}

// Change formats a relative change in percent with its sign: "+12.3 %".
func Change(share float64) string {
	if share > 0 {
		return "+" + Percent(share)
	}
	return Percent(share)
}

// step is a unit of a scale and its size.
type step struct {
	size float64
	name string
}

var (
	times    = []step{{1, " ns"}, {1e3, " µs"}, {1e6, " ms"}, {1e9, " s"}, {60e9, " min"}, {3600e9, " h"}}
	prefixes = []step{{1e-9, " n"}, {1e-6, " µ"}, {1e-3, " m"}, {1, " "}, {1e3, " k"}, {1e6, " M"},
		{1e9, " G"}, {1e12, " T"}}
	binary = []step{{1, " B"}, {1 << 10, " KiB"}, {1 << 20, " MiB"}, {1 << 30, " GiB"}, {1 << 40, " TiB"}}
)

// Duration formats nanoseconds with three digits: "1.50 ms".
func Duration(ns float64) string { return onScale(ns, times) }

// Metric formats v with three digits and the prefix of its unit: "10.0 Mbit/s".
func Metric(v float64, unit string) string {
	if v == 0 {
		return "0 " + unit
	}
	return onScale(v, prefixes) + unit
}

// Bytes formats a number of bytes with three digits: "30.4 KiB".
func Bytes(n float64) string { return onScale(n, binary) }

// onScale formats v in the first unit that makes it less than a thousand, or in the last
// unit.
func onScale(v float64, scale []step) string {
	last := len(scale) - 1
	for i, s := range scale {
		if i == last || math.Abs(v/s.size) < 999.5 {
			return Number(v/s.size) + s.name
		}
	}
	return ""
}
