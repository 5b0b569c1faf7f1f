package report

import (
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchmath"

	"github.com/zkatbench/zkatbench/bench/result"
)

// summary is the middle of samples, and an interval that holds the true one
// with 95 % confidence whatever the distribution. Without one (fewer than six
// samples) Low and High are the middle.
type summary struct {
	Mid, Low, High float64
	N              int
	Bounded        bool
}

// summarise ignores what is no number; ok is false if nothing is left.
func summarise(values []float64) (s summary, ok bool) {
	values = slices.DeleteFunc(slices.Clone(values), func(v float64) bool { return v-v != 0 })
	if len(values) == 0 {
		return s, false
	}
	m := benchmath.AssumeNothing.Summary(benchmath.NewSample(values, &benchmath.DefaultThresholds), 0.95)
	s = summary{Mid: m.Center, Low: m.Lo, High: m.Hi, N: len(values), Bounded: true}
	if math.IsInf(m.Lo, 0) || math.IsInf(m.Hi, 0) {
		s.Low, s.High, s.Bounded = s.Mid, s.Mid, false
	}
	return s, true
}

// figuresOf are the summaries of all cases in one unit; those without samples
// are left out.
func figuresOf(d *result.Data, cases []benchCase, unit string) map[result.Key]summary {
	all := map[result.Key]summary{}
	for _, c := range cases {
		if s, ok := summarise(d.Values[c.Key][unit]); ok {
			all[c.Key] = s
		}
	}
	return all
}

// isTime are the units of durations, as benchfmt tidies them.
func isTime(unit string) bool {
	return unit == "sec" || strings.HasPrefix(unit, "sec/") || strings.HasSuffix(unit, "-sec/op")
}
