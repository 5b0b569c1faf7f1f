package require

import (
	"fmt"
	"math"
	"slices"

	"github.com/aclements/go-moremath/mathx"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// Verdict is the judgement of a requirement.
type Verdict string

// The verdicts.
const (
	Met       Verdict = "met"
	Broken    Verdict = "broken"
	Undecided Verdict = "undecided" // the interval straddles the limit, or there is none
)

// A Check is a requirement and its verdict on one run.
type Check struct {
	Requirement
	Value    float64 // in the unit of Limit
	Interval *stats.Interval
	Verdict  Verdict
	Why      string // reason for a missing interval
}

// confidence is the level of the intervals.
const confidence = 0.95

// Of checks all requirements on r.
func Of(r *runner.Result, rs []Requirement) (cs []Check) {
	for _, q := range rs {
		cs = append(cs, check(r, q))
	}
	return cs
}

func check(r *runner.Result, q Requirement) Check {
	c := Check{Requirement: q, Verdict: Undecided}
	if q.Of != "" {
		i := slices.IndexFunc(r.Parts, func(p runner.Part) bool { return p.Name == q.Of })
		if i < 0 {
			c.Why = "the run has no operation of this name"
			return c
		}
		r = r.Parts[i].Result
	}
	if r.Done+r.Failed == 0 {
		c.Why = "no operation ended"
		return c
	}
	c.measure(r)
	if c.Interval == nil {
		return c
	}
	low, high := c.Interval.Low, c.Interval.High
	switch {
	case q.Below && high < q.Limit, !q.Below && low > q.Limit:
		c.Verdict = Met
	case q.Below && low >= q.Limit, !q.Below && high <= q.Limit:
		c.Verdict = Broken
	}
	return c
}

// measure fills in the value and its interval.
func (c *Check) measure(r *runner.Result) {
	if q, ok := c.quantile(); ok {
		c.take(r.Quantile(q))
		return
	}
	if k, _ := c.kind(); k == latency && r.Records == 0 {
		c.Why = "no operation succeeded"
		return
	}
	switch c.Figure {
	case "mean":
		c.take(r.Mean())
	case "min":
		c.exactly(r.Moments.Min)
	case "max":
		c.exactly(r.Moments.Max)
	case "errors":
		c.of(r.Failed, r.Done+r.Failed)
	case "late":
		if r.Open == nil {
			c.Why = "starts are late only in an open loop"
			return
		}
		c.of(r.Open.Late+uint64(r.Open.Backlog), uint64(r.Open.Offered))
	case "throughput":
		c.Value = r.Throughput()
		if i, ok := r.ThroughputInterval(); ok {
			c.Interval = &i
		} else {
			c.Why = "the window is too short"
		}
	}
}

func (c *Check) take(e runner.Estimate) {
	c.Value, c.Interval = e.Value, e.Interval
	if e.Interval == nil {
		c.Why = e.Reason
		if e.Needs > 0 {
			c.Why += fmt.Sprintf(", needs %v", e.Needs)
		}
	}
}

// exactly sets a figure of the sample itself.
func (c *Check) exactly(v float64) {
	c.Value, c.Interval = v, &stats.Interval{Low: v, High: v}
}

// of sets the share k/n with its interval (Clopper and Pearson, Biometrika 26,
// 1934), which assumes independent operations.
func (c *Check) of(k, n uint64) {
	if n == 0 {
		c.Why = "there was none"
		return
	}
	c.Value = float64(k) / float64(n)
	tail := (1 - confidence) / 2
	i := stats.Interval{Low: 0, High: 1}
	if k > 0 {
		i.Low = solve(func(p float64) float64 { return mathx.BetaInc(p, float64(k), float64(n-k+1)) }, tail)
	}
	if k < n {
		i.High = solve(func(p float64) float64 { return mathx.BetaInc(p, float64(k+1), float64(n-k)) }, 1-tail)
	}
	c.Interval = &i
}

// solve returns the p in [0, 1] at which an increasing f reaches want.
func solve(f func(float64) float64, want float64) float64 {
	low, high := 0.0, 1.0
	for range 100 {
		if p := (low + high) / 2; f(p) < want {
			low = p
		} else {
			high = p
		}
	}
	return (low + high) / 2
}

// String returns one line: verdict, requirement, value and interval.
func (c Check) String() string {
	text := fmt.Sprintf("%-9s  %v: ", c.Verdict, c.Requirement)
	if c.Value != 0 || c.Interval != nil {
		text += c.shown(c.Value)
	} else {
		text += "unknown"
	}
	switch {
	case c.Interval == nil:
		return text + ", no interval: " + c.Why
	case c.Interval.Low == c.Interval.High:
		return text
	}
	return text + fmt.Sprintf(" (%s to %s)", c.shown(c.Interval.Low), c.shown(c.Interval.High)) + c.needs()
}

// needs estimates how much longer an undecided run must be: an interval halves
// with four times the length.
func (c Check) needs() string {
	if c.Verdict != Undecided || c.Interval == nil {
		return ""
	}
	half, distance := (c.Interval.High-c.Interval.Low)/2, math.Abs(c.Value-c.Limit)
	if factor := math.Ceil(half / distance * half / distance); factor > 1 && factor <= 1000 {
		return fmt.Sprintf("; needs about %.0f times the length", factor)
	}
	return "; a longer run may decide"
}
