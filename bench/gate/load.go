package gate

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/aclements/go-moremath/stats"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner/judge"
	load "github.com/zkatbench/zkatbench/runner/result"
	run "github.com/zkatbench/zkatbench/runner/stats"
)

// Load is a run of the load runner with its name.
type Load struct {
	Name   string
	Result *load.Result
}

// A loadFigure is a figure of a run with its 95 % interval.
type loadFigure struct {
	unit   string
	better Direction
	judge.Estimate
}

// loadQuantiles are the compared quantiles.
var loadQuantiles = []float64{0.5, 0.9, 0.95, 0.99, 0.999}

// figuresOf returns the figures of a run that are compared.
func figuresOf(r *load.Result) (fs []loadFigure) {
	seconds := func(unit string, e judge.Estimate) {
		e.Value /= 1e9
		if e.Interval != nil {
			e.Interval = &run.Interval{Low: e.Interval.Low / 1e9, High: e.Interval.High / 1e9}
		}
		fs = append(fs, loadFigure{unit, Lower, e})
	}
	seconds("mean-sec/op", judge.Mean(r))
	for _, q := range loadQuantiles {
		if e := judge.Quantile(r, q); e.Shown() {
			seconds(fmt.Sprintf("p%g-sec/op", 100*q), e)
		}
	}
	e := judge.Estimate{Value: r.Throughput(), Reason: "short window"}
	if i, ok := judge.ThroughputInterval(r); ok {
		e.Interval, e.Reason = &i, ""
	}
	return append(fs, loadFigure{"ops/s", Higher, e})
}

// CompareLoads compares single runs of the load runner by the intervals of their
// figures: the ratio of two independent figures has an interval on a
// logarithmic scale with the root of the sum of squares of both half widths.
// Runs with the same name are compared, and the operations of a mix apart. A
// share of failed operations that rises is a regression if the intervals of
// both shares are disjoint.
func CompareLoads(rules Rules, base, head []Load) Report {
	r := Report{Alpha: significance, Looks: 1, Strict: rules.Strict}
	named := func(all []Load, name string) int {
		return slices.IndexFunc(all, func(l Load) bool { return l.Name == name })
	}
	bases, heads := apart(base), apart(head)
	for _, b := range bases {
		k := result.Key{Package: "load", Name: b.Name}
		switch i := named(heads, b.Name); {
		case rules.ignoresCase(k):
		case i < 0:
			r.Missing = append(r.Missing, Cell{Key: k})
		default:
			r.Comparisons = append(r.Comparisons, compareLoad(rules, k, b.Result, heads[i].Result)...)
			r.Notes = append(r.Notes, differences(b.Name, b.Result, heads[i].Result)...)
		}
	}
	for _, l := range heads {
		k := result.Key{Package: "load", Name: l.Name}
		if named(bases, l.Name) < 0 && !rules.ignoresCase(k) {
			r.New = append(r.New, Cell{Key: k})
		}
	}
	j := Judge{Rules: rules, Once: true}
	j.decide(r.Comparisons, significance)
	for i := range r.Comparisons {
		if c := &r.Comparisons[i]; c.Verdict == Unknown && c.noInterval != "" {
			c.Why = "no interval: " + c.noInterval
		}
	}
	r.Notes = append(r.Notes, r.openNotes()...)
	return r
}

// apart returns the runs and the operations of their mixes.
func apart(ls []Load) (all []Load) {
	for _, l := range ls {
		all = append(all, l)
		for _, p := range l.Result.Parts {
			all = append(all, Load{l.Name + "/op=" + p.Name, p.Result})
		}
	}
	return all
}

// differences lists the conditions in which two runs differ.
func differences(name string, base, head *load.Result) (notes []string) {
	plan := func(r *load.Result) string {
		if r.Config.Plan == nil {
			return "back to back"
		}
		return r.Config.Plan.String()
	}
	if a, b := base.Config.Workers, head.Config.Workers; a != b {
		notes = append(notes, fmt.Sprintf("%s: %d workers in BASE, %d in HEAD", name, a, b))
	}
	if a, b := plan(base), plan(head); a != b {
		notes = append(notes, fmt.Sprintf("%s: %s in BASE, %s in HEAD", name, a, b))
	}
	sides := [2]string{"BASE", "HEAD"}
	for i, r := range []*load.Result{base, head} {
		if r.Interrupted {
			notes = append(notes, fmt.Sprintf("%s: %s ended early (%s)", name, sides[i], r.End))
		}
	}
	return notes
}

func compareLoad(rules Rules, k result.Key, base, head *load.Result) (cs []Comparison) {
	heads := map[string]loadFigure{}
	for _, f := range figuresOf(head) {
		heads[f.unit] = f
	}
	for _, b := range figuresOf(base) {
		h, ok := heads[b.unit]
		if !ok || rules.ignores(k, b.unit) {
			continue // too few latencies in head: another figure shows it
		}
		rule := rules.of(b.unit, nil)
		rule.Better = b.better
		c := Comparison{Key: k, Unit: b.unit, Rule: rule, Base: Side{1, b.Value}, Head: Side{1, h.Value},
			load: true}
		c.Shift, c.P = ratio(b.Estimate, h.Estimate)
		c.noInterval = cmp.Or(b.Reason, h.Reason)
		cs = append(cs, c)
	}
	return append(cs, failures(rules, k, base, head)...)
}

// ratio returns the relative shift with its interval of 1-2·Alpha, and the
// p-value of no shift. Both are normal approximations on a logarithmic scale.
func ratio(base, head judge.Estimate) (s Shift, p float64) {
	s = Shift{Value: head.Value/base.Value - 1, Lo: math.Inf(-1), Hi: math.Inf(1)}
	if base.Interval == nil || head.Interval == nil || base.Value <= 0 || head.Value <= 0 ||
		base.Interval.Low <= 0 || head.Interval.Low <= 0 {
		if base.Value == 0 {
			s.Value = 0
		}
		return s, 1
	}
	normal := stats.InvCDF(stats.StdNormal)
	half := math.Hypot(math.Log(base.Interval.High/base.Interval.Low)/2,
		math.Log(head.Interval.High/head.Interval.Low)/2)
	deviation := half / normal(0.975)
	shift := math.Log(head.Value / base.Value)
	wide := deviation * normal(1-significance)
	s.Lo, s.Hi = math.Exp(shift-wide)-1, math.Exp(shift+wide)-1
	if deviation == 0 {
		if shift == 0 {
			return s, 1
		}
		return s, 0
	}
	return s, math.Erfc(math.Abs(shift) / deviation / math.Sqrt2)
}

// failures compares the shares of failed operations, if there are any.
func failures(rules Rules, k result.Key, base, head *load.Result) []Comparison {
	const unit = "failed-share"
	if base.Failed+head.Failed == 0 || base.Done+base.Failed == 0 || head.Done+head.Failed == 0 ||
		rules.ignores(k, unit) {
		return nil
	}
	share := func(r *load.Result) float64 { return float64(r.Failed) / float64(r.Done+r.Failed) }
	rule := rules.of(unit, nil)
	rule.Better = Lower
	c := Comparison{Key: k, Unit: unit, Rule: rule, Base: Side{1, share(base)}, Head: Side{1, share(head)},
		load: true}
	// The two-proportion test, pooled.
	nb, nh := float64(base.Done+base.Failed), float64(head.Done+head.Failed)
	pooled := float64(base.Failed+head.Failed) / (nb + nh)
	deviation := math.Sqrt(pooled * (1 - pooled) * (1/nb + 1/nh))
	d := c.Head.Median - c.Base.Median
	unitShare := max(c.Base.Median, 1/nb)
	wide := stats.InvCDF(stats.StdNormal)(1-significance) * deviation
	c.Shift = Shift{d / unitShare, (d - wide) / unitShare, (d + wide) / unitShare}
	c.P = 1
	if deviation > 0 {
		c.P = math.Erfc(math.Abs(d) / deviation / math.Sqrt2)
	}
	return []Comparison{c}
}
