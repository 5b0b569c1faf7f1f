package render

import (
	"fmt"
	"math"

	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/result"
)

// percentiles lists the percentiles of a report.
var percentiles = []struct {
	name string
	q    float64
}{{"P50", 0.5}, {"P95", 0.95}, {"P99", 0.99}, {"P99.9", 0.999}, {"P99.99", 0.9999}}

// latency writes the section of latencies, a line for each figure in the order of the page.
func (p *page) latency(r *result.Result) {
	title := "Latency"
	if r.Open != nil {
		title = "Response time, from the planned start"
	}
	if k := r.Config.Batch; k > 1 {
		title += fmt.Sprintf(" (mean of %d)", k)
	}
	p.section(title + ", 95 % confidence")
	if r.Records == 0 {
		p.line("Min", "~", "no operation succeeded")
		return
	}
	p.step = digitStep(r)
	p.line("Min", precise(r.Moments.Min, p.step), "")
	p.percentile(r, percentiles[0].name, percentiles[0].q)
	p.estimate("Average", r.Moments.Mean, judge.Mean(r))
	for _, q := range percentiles[1:] {
		p.percentile(r, q.name, q.q)
	}
	p.line("Max", precise(r.Moments.Max, p.step), tailRemark(r))
	for i, s := range r.Slowest[:min(len(r.Slowest), shownSlow)] {
		name := ""
		if i == 0 {
			name = "Slowest"
		}
		p.line(name, text.Duration(float64(s.Latency)), slowRemark(s))
	}
}

// digitStep is the least difference of neighbouring figures that three digits do not show, so
// that they are printed with as many digits as they need to differ; infinite without any.
func digitStep(r *result.Result) float64 {
	step := math.Inf(1)
	last := r.Moments.Min
	for _, q := range percentiles {
		v := r.At(q.q)
		if v > last && text.Duration(v) == text.Duration(last) {
			step = min(step, v-last)
		}
		last = v
	}
	return step
}

// shownSlow is the number of slowest operations shown.
const shownSlow = 3

func slowRemark(s result.Slow) string {
	remark := fmt.Sprintf("worker %d, %s into the window", s.Worker, text.Duration(float64(s.From)))
	if s.GCPause > 0 {
		remark += fmt.Sprintf(", including a garbage collection pause of %s",
			text.Duration(float64(s.GCPause)))
	}
	return remark
}

func (p *page) percentile(r *result.Result, name string, q float64) {
	e := judge.Quantile(r, q)
	if !e.Shown() {
		p.line(name, "~", fmt.Sprintf("needs at least %s latencies", text.Count(minSample(q))))
		return
	}
	p.estimate(name, e.Value, e)
}

// estimate writes a figure with its interval, or the reason for its absence. A reason is
// written once.
func (p *page) estimate(name string, value float64, e judge.Estimate) {
	said := remark(e, p.step)
	if e.Interval == nil && said != "" && said == p.reason {
		said = "likewise"
	} else {
		p.reason = said
	}
	p.line(name, precise(value, p.step), said)
}

// minSample is the least number of latencies for an interval of the quantile q:
// enough that they are unlikely to be all below the quantile.
func minSample(q float64) uint64 {
	return uint64(math.Ceil(math.Log(0.025) / math.Log(max(q, 1-q))))
}

// reasons are the remarks on figures without an interval.
var reasons = map[string]string{
	"few latencies": "no interval: too few latencies",
	"short window":  "no interval: latencies are correlated",
	"growing queue": "no interval: the backlog grows, so there is no steady value",
	"heavy tail":    "mean not reliable: heavy tail, so it depends on a few operations; compare percentiles",
}

// remark is the interval, or the reason for its absence.
func remark(e judge.Estimate, step float64) string {
	if i := e.Interval; i != nil {
		return precise(i.Low, step) + " – " + precise(i.High, step)
	}
	if e.Needs > 0 {
		return reasons[e.Reason] + ", so it needs " + text.Duration(float64(e.Needs))
	}
	return reasons[e.Reason]
}

func tailRemark(r *result.Result) string {
	p99 := judge.Quantile(r, 0.99)
	if !p99.Shown() || p99.Value == 0 {
		return ""
	}
	ratio := r.Moments.Max / p99.Value
	words := "a long tail"
	switch {
	case ratio < 1.5:
		words = "a tight tail"
	case ratio < 5:
		words = "an ordinary tail"
	}
	return fmt.Sprintf("%s × P99: %s", text.Number(ratio), words)
}

// spread writes the section of the spread, a line for each figure with what it means.
func (p *page) spread(r *result.Result) {
	p.section("Spread")
	if r.Records == 0 {
		return
	}
	p.line("Std Dev", text.Duration(r.Moments.StdDev), "")
	p.line("IQR", text.Duration(r.IQR()), "interquartile range")
	p.line("MAD", text.Duration(r.MAD()), "median absolute deviation from the median")
	p.line("Jitter", text.Duration(r.Moments.Jitter),
		"mean change between successive operations of one worker")
	if r.Records < judge.LeastCounted {
		p.line("CV", "~", fmt.Sprintf("needs at least %d latencies", judge.LeastCounted))
	} else {
		p.line("CV", text.Percent(r.CV()), rating(r.CV()))
	}
	lowSevere, lowMild, highMild, highSevere := r.Outliers()
	p.line("Outliers", text.Count(lowSevere+lowMild+highMild+highSevere),
		fmt.Sprintf("low %s severe, %s mild; high %s mild, %s severe; all are included in the figures",
			text.Count(lowSevere), text.Count(lowMild), text.Count(highMild), text.Count(highSevere)))
	if f := judge.Inflation(r); f > 1 {
		p.line("Effective samples", text.Count(uint64(float64(r.Records)/f)),
			"independent latencies; latencies are autocorrelated, and the intervals account for it")
	}
	if c := r.Control; c.N > 0 {
		p.line("Control", text.Percent(c.Spread),
			fmt.Sprintf("variation of a known operation of %s, run %s times in between, %s disturbed: %s",
				text.Duration(c.Median), text.Count(c.N), text.Percent(c.Disturbed), p.noise(c)))
	}
}

// noise is the verdict on the machine, independent of the operation.
func (p *page) noise(c result.Control) string {
	switch {
	case c.N < 10:
		return "too few runs for a verdict"
	case p.hasFinding("noisy machine"):
		return "the machine is noisy"
	case c.Noise() > 0.01:
		return "the machine is a little noisy"
	}
	return "the machine is quiet"
}

func rating(cv float64) string {
	switch {
	case cv < 0.05:
		return "excellent (< 5 %)"
	case cv < 0.10:
		return "acceptable (5–10 %)"
	case cv < 0.20:
		return "moderate (10–20 %)"
	}
	return "unstable (> 20 %)"
}
