package gate

import (
	"math"
	"slices"

	"github.com/zkatbench/zkatbench/runner/stats"
)

const (
	// samePairs is the share of pairs of a layout of each side that show a change.
	samePairs = 0.9
	// layoutLevel is the level of the test for different layouts of a side.
	layoutLevel = 0.01
)

// layouts is what the layouts of two sides say. Each median of a layout is one value,
// since all results of a layout share its effect.
type layouts struct {
	several  bool // each side has two or more
	shift    Shift
	p        float64 // two-sided: of Student's t test between the medians
	pairs    float64 // share of pairs that differ in the direction of the shift
	relinked float64
	unequal  float64 // p-value: the layouts of each side are equal
}

// layoutsOf compares the medians of layouts on a logarithmic scale.
func layoutsOf(base, head sample, alpha float64) (l layouts) {
	var groups [2][][]float64
	for i, s := range []sample{base, head} {
		if len(s.layouts) != len(s.values) || slices.Min(s.values) <= 0 {
			return l
		}
		if groups[i] = stats.Grouped(s.values, s.layouts); len(groups[i]) < 2 {
			return l
		}
	}
	l.several = true
	a, b := stats.Medians(groups[0]), stats.Medians(groups[1])
	d := stats.DifferenceOf(a, b, 1-2*alpha)
	l.shift, l.p = Shift{math.Expm1(d.Value), math.Expm1(d.Low), math.Expm1(d.High)}, d.P
	for _, x := range a {
		for _, y := range b {
			if (y-x)*d.Value > 0 {
				l.pairs += 1 / float64(len(a)*len(b))
			}
		}
	}
	for _, medians := range [][]float64{a, b} {
		l.relinked = max(l.relinked, math.Expm1(slices.Max(medians)-slices.Min(medians)))
	}
	l.unequal = stats.Unequal(groups[:]...)
	return l
}
