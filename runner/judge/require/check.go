package require

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// Verdict is the judgement of a requirement.
type Verdict string

// The verdicts.
const (
	Met       Verdict = "met"
	Broken    Verdict = "broken"
	Undecided Verdict = "undecided"
)

// A Check is a requirement and its verdict on one run.
type Check struct {
	Requirement
	Value    float64         // in the unit of Limit
	Interval *stats.Interval // of Value; nil if the requirement is judged without one
	// Share is the share of operations above the limit, of a latency; its bounds
	// decide.
	Share   *Share
	Verdict Verdict
	Why     string // reason for Undecided, or for a verdict without an interval
	// Needs is the length of a window that probably decides, in windows; 0 if that
	// is unknown.
	Needs float64
	// Window is the length of the window: an event that it does not show may occur three
	// times in the same time (95 %).
	Window time.Duration
	// Failed is the number of failed operations that a latency counts as at least the time
	// they took; Cut of them were cut off, and count as beyond any limit.
	Failed, Cut uint64
}

// Share is a share with a lower and an upper bound, each with 95 % confidence.
type Share struct {
	Value float64
	stats.Interval
	Allowed float64 // the share where the figure equals the limit
}

// Judge checks all requirements on r.
func Judge(r *result.Result, rs []Requirement) (cs []Check) {
	for _, q := range rs {
		cs = append(cs, check(r, q))
	}
	return cs
}

func check(whole *result.Result, q Requirement) Check {
	c := Check{Requirement: q, Verdict: Undecided, Window: whole.Elapsed}
	r := whole
	if q.Operation != "" {
		i := slices.IndexFunc(r.Parts, func(p result.Part) bool { return p.Name == q.Operation })
		if i < 0 {
			c.Why = "the run has no operation of this name"
			return c
		}
		r = r.Parts[i].Result
	}
	k, _ := c.kind()
	switch {
	case r.Done+r.Failed == 0:
		c.Why = "no operation ended"
	case k == latency && r.Records == 0:
		c.Why = "no operation succeeded"
	default:
		c.judge(judgement{whole: whole, Result: r})
	}
	return c
}

// A judgement is the run that a requirement is about. whole is the run that contains it:
// the operations of both share a queue.
type judgement struct {
	*result.Result
	whole *result.Result
}

// judge sets the value and the verdict of c. Each figure has its own interval, and latencies
// that were cut or timed as one have none for some figures.
func (c *Check) judge(r judgement) {
	q, isQuantile := c.quantile()
	if k, _ := c.kind(); k == latency && r.Failures != nil {
		c.Failed, c.Cut = r.Failures.Took.Total(), r.Failures.Cut
	}
	switch {
	case r.Config.Batch > 1 && (isQuantile || c.Figure == "max"):
		c.Why = fmt.Sprintf("latencies are means of %d operations; -timed-as-one=1 times each",
			r.Config.Batch)
		return
	case isQuantile:
		c.percentile(r, q)
		return
	}
	switch c.Figure {
	case "mean":
		c.mean(r)
	case "max":
		c.Value = r.Moments.Max
		if r.Failures != nil {
			c.Value = max(c.Value, r.Failures.Most)
		}
		if c.Cut > 0 {
			c.decide(false, true)
			return
		}
		c.within(stats.Interval{Low: c.Value, High: c.Value})
	case "errors":
		share, effective := judge.FailedShare(r.Result)
		c.Value = share
		c.within(stats.ShareBounds(share*effective, effective, 1-(1-confidence)/2))
	case "throughput":
		c.Value = r.Throughput()
		if i, ok := judge.ThroughputInterval(r.Result); ok {
			c.within(i)
		} else {
			c.Why = fmt.Sprintf("the window is too short, or has fewer than %d operations",
				judge.LeastCounted)
		}
	}
}

// within judges a figure by its interval.
func (c *Check) within(i stats.Interval) {
	c.Interval = &i
	c.decide(i.High < c.Limit || !c.Below && i.High <= c.Limit, i.Low > c.Limit || c.Below &&
		i.Low >= c.Limit)
	if half, distance := (i.High-i.Low)/2, math.Abs(c.Value-c.Limit); c.Verdict == Undecided {
		c.needs(half / distance * half / distance)
	}
}

// decide sets the verdict if the figure is certainly below or above the limit.
func (c *Check) decide(below, above bool) {
	switch {
	case below && c.Below, above && !c.Below:
		c.Verdict = Met
	case above && c.Below, below && !c.Below:
		c.Verdict = Broken
	}
}

// maxNeeds is the greatest factor worth an advice.
const maxNeeds = 1000

// needs records the factor that the window must grow by.
func (c *Check) needs(factor float64) {
	factor = math.Ceil(factor)
	if factor > 1 && factor <= maxNeeds {
		c.Needs = factor
	}
}

// String returns one line: verdict, requirement, value, and the reason.
func (c Check) String() string {
	return fmt.Sprintf("%s %v: %s", strings.ToUpper(string(c.Verdict)), c.Requirement, c.Detail())
}

// Detail returns the value of the figure and the reason for the verdict.
func (c Check) Detail() string {
	text := "unknown"
	if c.Value != 0 || c.Interval != nil {
		text = c.shown(c.Value)
	}
	switch {
	case c.Share != nil:
		text += "; over the limit: " + c.Share.String()
	case c.Interval != nil && c.Interval.Low != c.Interval.High:
		text += fmt.Sprintf(" (%s to %s)", c.shown(c.Interval.Low), c.shown(c.Interval.High))
	}
	if c.Why != "" {
		text += ", " + c.Why
	}
	if c.Failed > 0 {
		text += fmt.Sprintf("; %d failed operations count as at least the time they took", c.Failed)
	}
	if c.Cut > 0 {
		text += fmt.Sprintf(", %d of them, cut off, as beyond the limit", c.Cut)
	}
	switch {
	case c.Verdict == Met && c.Below:
		text += "; events rarer than 3 in " + duration(float64(c.Window)) + " are not excluded"
	case c.Verdict != Undecided:
	case c.Needs > 0:
		text += fmt.Sprintf("; needs about %.0f times the length", c.Needs)
	case c.Share != nil || c.Interval != nil:
		text += "; a longer run may decide"
	}
	return text
}

// String returns the share, its bounds, and the share that the requirement
// allows.
func (s Share) String() string {
	percent := func(v float64) string { return fmt.Sprintf("%.3g%%", 100*v) }
	return fmt.Sprintf("%s of the operations (%s to %s), %s allowed", percent(s.Value), percent(s.Low),
		percent(s.High), percent(s.Allowed))
}
