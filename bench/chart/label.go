package chart

import (
	"math"
	"strconv"
)

// Number writes three digits: "1.5", "1e+06".
func Number(v float64) string { return strconv.FormatFloat(v, 'g', 3, 64) }

// Seconds writes a number of seconds: "2 ms".
func Seconds(v float64) string { return prefixed(v, "s") }

// BitRate writes a number of bits a second: "10 Mbit/s".
func BitRate(v float64) string { return prefixed(v, "bit/s") }

// prefixed writes three digits with the prefix of the unit.
func prefixed(v float64, unit string) string {
	if v == 0 {
		return "0 " + unit
	}
	for _, p := range []struct {
		size float64
		name string
	}{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}} {
		if math.Abs(v) >= p.size*0.9995 && (p.size <= 1 || unit != "s") || p.size == 1e-9 {
			return strconv.FormatFloat(v/p.size, 'g', 3, 64) + " " + p.name + unit
		}
	}
	return ""
}
