package gate

import (
	"fmt"
	"math"
	"slices"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// Verdict is the judgement of a case and unit.
type Verdict string

// The verdicts.
const (
	Regression  Verdict = "regression"
	Improvement Verdict = "improvement"
	Same        Verdict = "same" // no regression over the limit, by a test
	Unknown     Verdict = "~"    // no verdict
)

// Comparison is one case and unit on both sides.
type Comparison struct {
	Key        result.Key
	Unit       string
	Rule       Rule
	Base, Head Side
	Shift      Shift
	Floor      float64 // relative shift of base against itself
	P          float64 // of benchstat's test; noisy units only
	Adjusted   float64 // P, corrected for the number of comparisons and looks
	Verdict    Verdict
	Runs       int    // estimated number for each side; 0 if unknown
	Why        string // reason for the verdict, if the figures alone do not explain it

	load       bool   // of single runs of the load runner
	noInterval string // the reason why one of them lacks an interval
}

// Side is one sample.
type Side struct {
	N      int
	Median float64
}

// compare computes the basis of a verdict. The interval has confidence 1-2α, so
// each end is a one-sided test at α.
func compare(c Comparison, base, head []float64, alpha float64) Comparison {
	c.Base.N, c.Head.N = len(base), len(head)
	c.Verdict = Unknown
	if !finite(base) || !finite(head) {
		c.Rule.Kind, c.Why = Exact, "not all values are numbers" // skips the test
		return c
	}
	c.Base.Median, c.Head.Median = stats.Median(base), stats.Median(head)
	switch c.Rule.Kind {
	case Noisy:
		c.Shift = ShiftOf(base, head, 1-2*alpha)
		c.P = pValue(base, head)
	case Median:
		d := share(c.Head.Median-c.Base.Median, math.Abs(c.Base.Median))
		c.Shift = Shift{d, d, d}
		c.Floor = max(c.Floor, spread(base))
		c.decideMedian()
	case Exact:
		d := share(c.Head.Median-c.Base.Median, math.Abs(c.Base.Median))
		c.Shift = Shift{d, d, d}
		c.decideExact(base, head)
	}
	return c
}

func finite(xs []float64) bool {
	return !slices.ContainsFunc(xs, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
}

// decideExact compares by equality. A sample that varies on one side is not
// exact.
func (c *Comparison) decideExact(base, head []float64) {
	for _, side := range []struct {
		name string
		xs   []float64
	}{{"base", base}, {"head", head}} {
		if lo, hi := slices.Min(side.xs), slices.Max(side.xs); lo != hi {
			c.Why = fmt.Sprintf("exact, and yet from %v to %v in %s", lo, hi, side.name)
			return
		}
	}
	c.Verdict = c.verdictAbove(0)
}

// decideMedian compares a unit with little variation. A change for the worse
// above the limit but within the shift of base against itself is unknown.
func (c *Comparison) decideMedian() {
	c.Verdict = c.verdictAbove(max(c.Rule.Limit, c.Floor))
	if c.Verdict == Same && c.worsening(c.Shift.Value) > c.Rule.Limit {
		c.Verdict, c.Why = Unknown, c.floorWhy()
	}
}

func (c *Comparison) floorWhy() string {
	return fmt.Sprintf("base differs from itself by %s", percent(c.Floor))
}

// verdictAbove returns the verdict by the shift alone: a change if it is above
// limit.
func (c *Comparison) verdictAbove(limit float64) Verdict {
	switch worsening := c.worsening(c.Shift.Value); {
	case worsening > limit:
		return Regression
	case -worsening > limit:
		return Improvement
	}
	return Same
}

// worsening returns the shift in the bad direction; an improvement is negative.
func (c *Comparison) worsening(shift float64) float64 {
	if c.Rule.Better == 0 {
		return math.Abs(shift)
	}
	return -shift * float64(c.Rule.Better)
}

// decide gives the verdict on a noisy unit. A change must be significant and
// exceed both the limit and the shift of base against itself. The verdict same
// must be proved as well, by the worse end of the interval: no regression over
// the limit (the relevant half of an equivalence test: TOST, Schuirmann 1987).
// All other cases are unknown.
func (c *Comparison) decide(adjusted, alpha float64, family int) {
	c.Adjusted = adjusted
	c.Verdict, c.Runs, c.Why = Unknown, 0, ""
	limit := max(c.Rule.Limit, c.Floor)
	v := c.verdictAbove(limit)
	switch {
	case v != Same && adjusted < alpha:
		c.Verdict = v
	case max(c.worsening(c.Shift.Lo), c.worsening(c.Shift.Hi)) < c.Rule.Limit:
		c.Verdict = Same
	default:
		c.Runs = runsNeeded(min(c.Base.N, c.Head.N), c.Shift, c.Rule.Limit, alpha/float64(family))
		if adjusted < alpha && c.Floor > c.Rule.Limit {
			c.Why = c.floorWhy()
		}
	}
}
