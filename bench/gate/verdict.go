package gate

import (
	"fmt"
	"math"
	"slices"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/text"
)

// Verdict is the judgement of a case and unit.
type Verdict string

// The verdicts.
const (
	Regression  Verdict = "regression"
	Improvement Verdict = "improvement"
	// Changed is a change of a unit without a known direction: neither higher nor lower is
	// known as better.
	Changed Verdict = "changed"
	Same    Verdict = "same" // no regression over the limit, by a test
	Unknown Verdict = "~"    // no verdict
	// Layout is a difference that only some orders of the functions in the binaries
	// show: linking the same code again changes as much.
	Layout Verdict = "layout"
)

// Comparison is one case and unit on both sides.
type Comparison struct {
	Key        result.Key
	Unit       string
	Rule       Rule
	Base, Head Side
	Shift      Shift
	Floor      float64 // relative shift of base against itself
	Relinked   float64 // largest shift by linking again; 0 if there is one layout
	P          float64 // of benchstat's test and, with layouts, of the test of their medians
	Adjusted   float64 // P, corrected for the number of comparisons and looks
	Verdict    Verdict
	Harmless   bool   // by the worse end of the interval: no regression over the limit
	Why        string // reason for the verdict, if the figures alone do not explain it

	Grown []Growth // functions with more time, of a regression of time

	layouts layouts
	least   float64 // shift of the least values, of a bounded unit
	// least ratio of a result of HEAD to one of BASE, or of BASE to HEAD: negative; 0 if they overlap
	fold       float64
	constant   bool   // the same whole number in all results of a side
	few        bool   // too few results for a verdict
	load       bool   // of single runs of the load runner
	noInterval string // the reason why one of them lacks an interval
}

// Side is one sample.
type Side struct {
	N      int     `json:"n"`
	Median float64 `json:"median"`
}

// emptyLoop is the time of a loop without work, in seconds.
const emptyLoop = 5e-9

// empty reports a benchmark that no longer does its work.
func (c Comparison) empty() bool {
	return isTime(c.Unit) && c.Head.Median < emptyLoop && c.Base.Median > 20*max(c.Head.Median, emptyLoop/10)
}

// tested reports whether a test, not equality, gave the verdict.
func (c Comparison) tested() bool {
	return c.Rule.Kind == noisy || c.Rule.Kind == bounded && !c.constant
}

// decideExact compares by equality. A sample that varies on one side is not
// exact.
func (c *Comparison) decideExact(base, head []float64) {
	sides := [...]string{"base", "head"}
	for i, xs := range [][]float64{base, head} {
		if lo, hi := slices.Min(xs), slices.Max(xs); lo != hi {
			c.Why = fmt.Sprintf("exact, and yet from %v to %v in %s", lo, hi, sides[i])
			return
		}
	}
	c.Verdict = c.verdictAbove(0)
}

// verdictAbove returns the verdict by the shift alone: a change if it is above
// limit.
func (c *Comparison) verdictAbove(limit float64) Verdict {
	switch worsening := c.worsening(c.Shift.Value); {
	case worsening > limit && c.Rule.Better == Undirected:
		return Changed
	case worsening > limit:
		return Regression
	case -worsening > limit:
		return Improvement
	}
	return Same
}

// worsening returns the shift in the bad direction; an improvement is negative.
func (c *Comparison) worsening(shift float64) float64 {
	switch c.Rule.Better {
	case Lower:
		return shift
	case Higher:
		return -shift
	}
	return math.Abs(shift)
}

// worst is the largest regression in the interval.
func (c *Comparison) worst() float64 { return max(c.worsening(c.Shift.Lo), c.worsening(c.Shift.Hi)) }

// decide gives the verdict on a unit that varies. A change must be significant and
// exceed both the limit and the shift of base against itself. The verdict same
// must be proved as well, by the worse end of the interval: no regression over
// the limit (the relevant half of an equivalence test: TOST, Schuirmann 1987). It
// is not given where the medians differ by more than the limit. All other cases are
// unknown. If more layouts of the binaries can be linked, a change of few layouts is not
// confirmed yet, and a difference is not called one of layouts.
func (c *Comparison) decide(adjusted, alpha float64, more bool) {
	c.Adjusted = adjusted
	c.Verdict, c.Why = Unknown, ""
	limit := max(c.Rule.Limit, c.Floor)
	v := c.verdictAbove(limit)
	c.Harmless = c.worst() < c.Rule.Limit ||
		// Code that needs more never reaches the least value of base.
		c.Rule.Kind == bounded && adjusted >= alpha && c.worsening(c.least) <= c.Rule.Limit
	change := share(c.Head.Median-c.Base.Median, math.Abs(c.Base.Median))
	switch {
	case c.empty():
		c.Verdict, c.Why = Regression, "HEAD measures nothing: it takes the time of an empty loop"
	case v != Same && adjusted < alpha:
		if more && c.Rule.Kind == noisy && c.layouts.fewest < confirming {
			c.Why = "to be confirmed with other layouts"
			return
		}
		c.Verdict = v
	case c.Harmless && math.Abs(change) <= c.Rule.Limit:
		c.Verdict = Same
	case c.Harmless:
		c.Why = fmt.Sprintf("no regression over %s; the medians differ by %s, %s",
			text.Percent(c.Rule.Limit), text.Change(change), c.scatter())
	case c.layouts.several && !more && c.layouts.unequal < layoutLevel && c.Relinked > c.Rule.Limit:
		c.Verdict = Layout
		c.Why = fmt.Sprintf("linking the same code again changes it by up to %s; a regression above %s is "+
			"excluded",
			text.Percent(c.Relinked), text.Percent(c.worst()))
	case adjusted < alpha && c.Floor > c.Rule.Limit:
		c.Why = fmt.Sprintf("base differs from itself by %s", text.Percent(c.Floor))
	}
}

// scatter says why a difference of the medians is undecided.
func (c *Comparison) scatter() string {
	if c.fold == 0 {
		return "within their scatter"
	}
	return fmt.Sprintf("more than their scatter, but %d+%d results are too few beside the other "+
		"comparisons: raise -count",
		c.Base.N, c.Head.N)
}

// share returns d/whole, or 0 if d is 0.
func share(d, whole float64) float64 {
	if d == 0 {
		return 0
	}
	return d / whole
}
