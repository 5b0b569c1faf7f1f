package report

import (
	"fmt"
	"strings"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// summary is the median of samples and, from six samples on, its 95 % interval. Without
// one, Low and High are the median.
type summary struct {
	Mid float64
	stats.Interval
	N       int
	Bounded bool
}

// summarise ignores values that are not finite; ok is false if no value is left.
func summarise(values []float64) (s summary, ok bool) {
	values = stats.OfFinite(values)
	if len(values) == 0 {
		return s, false
	}
	s = summary{Mid: stats.Median(values), N: len(values)}
	s.Interval, s.Bounded = stats.MedianInterval(values)
	if !s.Bounded {
		s.Interval = stats.Interval{Low: s.Mid, High: s.Mid}
	}
	return s, true
}

var medianHead = []string{"case", "unit", "median", "low", "high", "results"}

// addMedians adds a row for each case with results in a unit.
func (t *table) addMedians(b *benchmark, unit string, figures map[result.Key]summary) {
	for _, c := range b.Cases {
		if s, known := figures[c.Key]; known {
			low, high := "", ""
			if s.Bounded {
				low, high = plain(s.Low), plain(s.High)
			}
			t.add(c.Key.String(), unit, plain(s.Mid), low, high, fmt.Sprint(s.N))
		}
	}
}

// figuresOf returns the summaries of all cases in one unit, except cases
// without samples.
func figuresOf(d *result.Data, cases []benchCase, unit string) map[result.Key]summary {
	all := map[result.Key]summary{}
	for _, c := range cases {
		if s, ok := summarise(d.Values[c.Key][unit]); ok {
			all[c.Key] = s
		}
	}
	return all
}

// isTime reports units of durations, as benchfmt tidies them.
func isTime(unit string) bool {
	return unit == "sec" || strings.HasPrefix(unit, "sec/") || strings.HasSuffix(unit, "-sec/op")
}
