package require

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/runner"
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
	// Window is the length of the window: an event of which it shows none may occur
	// three times in as long (95 %).
	Window time.Duration
}

// Share is a share with a lower and an upper bound, each with 95 % confidence.
type Share struct {
	Value float64
	stats.Interval
	Allowed float64 // the share where the figure equals the limit
}

// Judge checks all requirements on r.
func Judge(r *runner.Result, rs []Requirement) (cs []Check) {
	for _, q := range rs {
		cs = append(cs, check(r, q))
	}
	return cs
}

func check(whole *runner.Result, q Requirement) Check {
	c := Check{Requirement: q, Verdict: Undecided, Window: whole.Elapsed}
	r := whole
	if q.Operation != "" {
		i := slices.IndexFunc(r.Parts, func(p runner.Part) bool { return p.Name == q.Operation })
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

// A judgement is the run that a requirement is about, and the run that it is a
// part of, whose queue its operations share.
type judgement struct {
	*runner.Result
	whole *runner.Result
}

func (c *Check) judge(r judgement) {
	if q, ok := c.quantile(); ok {
		c.percentile(r, q)
		return
	}
	switch c.Figure {
	case "mean":
		c.mean(r)
	case "max":
		c.Value = r.Moments.Max
		c.within(stats.Interval{Low: c.Value, High: c.Value})
	case "errors":
		failed, all := float64(r.Failed), float64(r.Done+r.Failed)
		c.Value = failed / all
		c.within(stats.ShareBounds(failed, all, 1-(1-confidence)/2))
	case "throughput":
		c.Value = r.Throughput()
		if i, ok := r.ThroughputInterval(); ok {
			c.within(i)
		} else {
			c.Why = "the window is too short"
		}
	}
}

// within judges a figure by its interval.
func (c *Check) within(i stats.Interval) {
	c.Interval = &i
	c.decide(i.High < c.Limit || !c.Below && i.High <= c.Limit, i.Low > c.Limit || c.Below && i.Low >= c.Limit)
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
	if factor = math.Ceil(factor); factor > 1 && factor <= maxNeeds {
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
	return fmt.Sprintf("%s of the operations (%s to %s), %s allowed", percent(s.Value), percent(s.Low), percent(s.High), percent(s.Allowed))
}
