package gate

import (
	"fmt"
	"math"
	"slices"

	"github.com/zkatbench/zkatbench/bench/result"
)

// Verdict is what is said of a case and unit.
type Verdict string

// The verdicts.
const (
	Regression  Verdict = "regression"
	Improvement Verdict = "improvement"
	Same        Verdict = "same" // no regression over the limit, by a test
	Unknown     Verdict = "~"    // cannot tell
)

// Comparison is one case and unit on both sides.
type Comparison struct {
	Key        result.Key
	Unit       string
	Rule       Rule
	Base, Head Side
	Shift      Shift
	Floor      float64 // by how much base differs from itself, as a share
	P          float64 // of benchstat's test; noisy units only
	Adjusted   float64 // P, corrected for the number of comparisons and looks
	Verdict    Verdict
	Runs       int    // that each side would need, about; 0 if that is not known
	Why        string // of a verdict that the figures alone do not explain
}

// Side is one sample.
type Side struct {
	N      int
	Median float64
}

// compare measures what a verdict is made of. The interval has the confidence
// 1-2α, which makes each of its ends a one-sided test at α.
func compare(c Comparison, base, head []float64, alpha float64) Comparison {
	c.Base.N, c.Head.N = len(base), len(head)
	c.Verdict = Unknown
	if !finite(base) || !finite(head) {
		c.Rule.Kind, c.Why = Exact, "not all values are numbers" // so no test is asked
		return c
	}
	c.Base.Median, c.Head.Median = result.Median(base), result.Median(head)
	switch c.Rule.Kind {
	case Noisy:
		c.Shift = ShiftOf(base, head, 1-2*alpha)
		c.P = differ(base, head)
	case Median:
		d := share(c.Head.Median-c.Base.Median, math.Abs(c.Base.Median))
		c.Shift = Shift{d, d, d}
		c.Floor = max(c.Floor, spread(base))
		c.jitters()
	case Exact:
		d := share(c.Head.Median-c.Base.Median, math.Abs(c.Base.Median))
		c.Shift = Shift{d, d, d}
		c.exact(base, head)
	}
	return c
}

func finite(xs []float64) bool {
	return !slices.ContainsFunc(xs, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
}

// exact compares by equality. What is not the same within one side is not exact.
func (c *Comparison) exact(base, head []float64) {
	for _, side := range []struct {
		name string
		xs   []float64
	}{{"base", base}, {"head", head}} {
		if lo, hi := slices.Min(side.xs), slices.Max(side.xs); lo != hi {
			c.Why = fmt.Sprintf("exact, and yet from %v to %v in %s", lo, hi, side.name)
			return
		}
	}
	c.Verdict = c.beyond(0)
}

// jitters compares a unit that hardly varies. What is worse by more than the
// limit and yet by no more than base differs from itself is not known.
func (c *Comparison) jitters() {
	c.Verdict = c.beyond(max(c.Rule.Limit, c.Floor))
	if c.Verdict == Same && c.worse(c.Shift.Value) > c.Rule.Limit {
		c.Verdict, c.Why = Unknown, c.floorWhy()
	}
}

func (c *Comparison) floorWhy() string {
	return fmt.Sprintf("base differs from itself by %s", percent(c.Floor))
}

// beyond is the verdict by the shift alone.
func (c *Comparison) beyond(limit float64) Verdict {
	switch worse := c.worse(c.Shift.Value); {
	case worse > limit:
		return Regression
	case -worse > limit:
		return Improvement
	}
	return Same
}

// worse is by how much a shift is bad; a good one is negative.
func (c *Comparison) worse(shift float64) float64 {
	if c.Rule.Better == 0 {
		return math.Abs(shift)
	}
	return -shift * float64(c.Rule.Better)
}

// decide gives the verdict on a noisy unit. A change is one that is significant
// and larger than the limit and than what base shows against itself. That there
// is no regression over the limit must be shown as well, by the end of the
// interval that is worse (the half of an equivalence test that counts: TOST,
// Schuirmann 1987). What is neither is not known.
func (c *Comparison) decide(adjusted, alpha float64, family int) {
	c.Adjusted = adjusted
	c.Verdict, c.Runs, c.Why = Unknown, 0, ""
	limit := max(c.Rule.Limit, c.Floor)
	v := c.beyond(limit)
	switch {
	case v != Same && adjusted < alpha:
		c.Verdict = v
	case max(c.worse(c.Shift.Lo), c.worse(c.Shift.Hi)) < c.Rule.Limit:
		c.Verdict = Same
	default:
		c.Runs = runsNeeded(min(c.Base.N, c.Head.N), c.Shift, c.Rule.Limit, alpha/float64(family))
		if adjusted < alpha && c.Floor > c.Rule.Limit {
			c.Why = c.floorWhy()
		}
	}
}
