package runner

import (
	"maps"
	"math"
	"time"

	"github.com/zkatbench/zkatbench/runner/host"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// A Finding is one judgement of a Result: its kind, the value that it is based
// on, and the threshold that the value crossed.
type Finding struct {
	Kind  string
	Value float64
	Limit float64
	// Period and Length describe periodic stalls: from the start of one to the
	// start of the next, and of one.
	Period, Length time.Duration
}

// A rule makes a Finding of its kind if its value crosses the limit.
type rule struct {
	kind  string
	limit float64
	below bool // the value crosses the limit if it is below it
	of    func(*Result) (value float64, known bool)
}

// rules are all kinds of findings, most important first.
var rules = []rule{
	{"failures", 0, false, func(r *Result) (float64, bool) {
		return float64(r.Failed) / float64(max(1, r.Failed+r.Done)), true
	}},
	{"stalled", 0, false, func(r *Result) (float64, bool) { return r.Config.Stall.Seconds(), r.End == endStalled }},
	{"abandoned", 0, false, func(r *Result) (float64, bool) { return float64(r.Abandoned), true }},
	{"overloaded", 0.01, false, overloaded},
	{"backlog grows", 1, false, backlogGrows},
	{"few operations", 1000, true, func(r *Result) (float64, bool) { return float64(r.Records), true }},
	{"short window", 5, true, func(r *Result) (float64, bool) { return r.Elapsed.Seconds(), true }},
	{"never steady", 0, false, func(r *Result) (float64, bool) {
		return r.WarmUp.Took.Seconds(), r.WarmUp.Wanted && !r.WarmUp.Steady
	}},
	{"precision missed", 0, false, precisionMissed},
	{"noisy machine", 0.05, false, func(r *Result) (float64, bool) { return r.Control.Noise(), r.Control.N >= 10 }},
	{"wide distribution", 0.20, false, func(r *Result) (float64, bool) { return r.CV(), r.Records > 1 }},
	{"long tail", 3, false, func(r *Result) (float64, bool) {
		p99 := r.Quantile(0.99)
		return p99.Value / r.quantile(0.5), p99.Shown() && r.quantile(0.5) > 0
	}},
	{"outlier", 10, false, func(r *Result) (float64, bool) {
		p99 := r.Quantile(0.99)
		return r.Moments.Max / p99.Value, p99.Shown() && p99.Value > 0
	}},
	{"severe outliers", 0.01, false, func(r *Result) (float64, bool) {
		low, _, _, high := r.Outliers()
		return float64(low+high) / float64(max(1, r.Records)), r.IQR() > 0
	}},
	{"drift", 0.05, false, drift},
	{"several modes", 1, false, func(r *Result) (float64, bool) { return float64(len(r.modes())), r.Records >= 200 }},
	{periodicKind, 0.01, false, periodicStalls},
	{"hidden stalls", 0.01, false, hiddenStalls},
	{"start-up", 0.02, false, startUp},
	{"remembers", 3, false, func(r *Result) (float64, bool) { return r.Inflation(), r.Records >= 200 }},
	{"overhead", 0.10, false, func(r *Result) (float64, bool) {
		return r.Overhead(), r.Open == nil && r.SetUp != eachPolicy && !r.Interrupted
	}},
	{"coarse clock", 0.001, false, func(r *Result) (float64, bool) {
		mean := r.ServiceMean()
		return float64(r.Clock.Step) / mean, mean > 0 && r.Config.Batch == 1
	}},
	{"pacer lag", 0.10, false, func(r *Result) (float64, bool) {
		if r.Open == nil || r.Moments.Mean == 0 {
			return 0, false
		}
		return float64(r.Open.LagMean) / r.Moments.Mean, true
	}},
	{"more workers than processors", 1, false, func(r *Result) (float64, bool) {
		return float64(r.Config.Workers) / float64(max(1, r.Before.GOMAXPROCS)), r.Open == nil
	}},
	{"garbage collection", 0.05, false, func(r *Result) (float64, bool) { return r.Usage.GCShare, true }},
	{"collection assists", 0.01, false, func(r *Result) (float64, bool) { return r.Usage.AssistShare, true }},
	{"allocations", 1000, false, func(r *Result) (float64, bool) { return r.Usage.AllocsPerOp, true }},
	{"lock waiting", 0.05, false, func(r *Result) (float64, bool) {
		return float64(r.Usage.MutexWait) / float64(max(1, int64(r.Elapsed)*int64(r.Config.Workers))), true
	}},
	{"scheduler latency", 0.50, false, func(r *Result) (float64, bool) {
		// Operations that never wait schedule few goroutines except the
		// goroutines of the runner.
		scheduled := r.Usage.Scheduled > r.Done/2
		return float64(r.Usage.SchedP99) / r.Moments.Mean, r.Moments.Mean > 0 && scheduled && r.Open == nil
	}},
	{"goroutines", 1, false, func(r *Result) (float64, bool) {
		return float64(r.Usage.Goroutines) / float64(max(1, r.Done)), true
	}},
	{"stolen time", 0.01, false, func(r *Result) (float64, bool) {
		return change(r, func(s host.State) *float64 { return s.Steal }, float64(max(1, r.Before.CPUs)))
	}},
	{"processor pressure", 0.05, false, func(r *Result) (float64, bool) {
		return change(r, func(s host.State) *float64 { return s.Pressure }, 1)
	}},
	{"throttled", 0, false, func(r *Result) (float64, bool) {
		return change(r, func(s host.State) *float64 { return s.Throttled }, 1)
	}},
	{"governor", 0, false, func(r *Result) (float64, bool) {
		g := r.Before.Governor
		return 1, g != host.Unknown && g != "" && g != "performance"
	}},
}

// Thresholds returns the limit of every kind of finding, which callers can
// change and pass to Findings.
func Thresholds() map[string]float64 {
	t := map[string]float64{}
	for _, r := range rules {
		t[r.kind] = r.limit
	}
	return t
}

// Findings judges r and returns the findings, most important first. It is a
// pure function of r. Limits override Thresholds; later maps override earlier
// ones.
func (r *Result) Findings(limits ...map[string]float64) (fs []Finding) {
	if r.Done == 0 {
		return []Finding{{Kind: "nothing done", Value: float64(r.Failed)}}
	}
	limit := Thresholds()
	for _, l := range limits {
		maps.Copy(limit, l)
	}
	for _, rule := range rules {
		v, known := rule.of(r)
		if above := v > limit[rule.kind]; known && !math.IsNaN(v) && above != rule.below && v != limit[rule.kind] {
			f := Finding{Kind: rule.kind, Value: v, Limit: limit[rule.kind]}
			if rule.kind == periodicKind {
				s, _ := r.stalls()
				f.Period, f.Length = s.period, s.length
			}
			fs = append(fs, f)
		}
	}
	return fs
}

// overloaded is the share of planned starts that had not ended at the end of the
// window, if their number grows.
func overloaded(r *Result) (float64, bool) {
	if q, open := r.Queue(); !open || !q.Growing {
		return 0, false
	}
	unfinished := r.Open.Backlog
	if n := len(r.Open.Present); n > 0 {
		unfinished = r.Open.Present[n-1]
	}
	return float64(unfinished) / float64(max(1, r.Open.Offered)), true
}

// backlogGrows is the planned rate over the rate that workers and service can keep
// up with, if the unfinished starts grow and are not yet a large share.
func backlogGrows(r *Result) (float64, bool) {
	share, grows := overloaded(r)
	if !grows || share > 0.01 {
		return 0, false
	}
	q, _ := r.Queue()
	return max(q.Load, float64(r.Open.Offered)/float64(max(1, r.Open.Started))), true
}

// precisionMissed is the relative half width at the end.
func precisionMissed(r *Result) (float64, bool) {
	e := r.metric(r.Config.PrecisionOf)
	if r.Config.Precision == 0 || r.End == endPrecision || e.Value == 0 {
		return 0, false
	}
	if half, ok := e.halfWidth(); ok {
		return half, true
	}
	return 1, true
}

// drift is the relative change of the latency from the first third of the window
// to the last, if there is a trend: of the means or of the medians of the ticks,
// whichever is less. A stall changes means only.
func drift(r *Result) (float64, bool) {
	ms := r.Timeline.means()
	third := len(ms) / 3
	if third < 3 || math.Abs(stats.CorrelatedTrend(ms)) < 3 {
		return 0, false
	}
	first, last := ms[:third], ms[len(ms)-third:]
	least := math.Inf(1)
	for _, center := range []func([]float64) float64{stats.Average, stats.Median[float64]} {
		least = min(least, math.Abs(center(last)/center(first)-1))
	}
	return least, first[0] > 0
}

// startUp is the relative change of the mean latency if the start of the window
// is left out, because the latency was not yet steady.
func startUp(r *Result) (float64, bool) {
	values, _ := r.Timeline.clusters()
	cut := stats.StartUp(values)
	if cut == 0 {
		return 0, false
	}
	var n, sum float64
	for _, c := range values[cut:] {
		n, sum = n+c.N, sum+c.Sum
	}
	return math.Abs(r.Moments.Mean/(sum/n) - 1), true
}

// change is the increase of a counter of seconds for each second of the run.
func change(r *Result, of func(host.State) *float64, processors float64) (float64, bool) {
	before, after := of(r.Before), of(r.After)
	if before == nil || after == nil || r.Apart <= 0 {
		return 0, false
	}
	return (*after - *before) / r.Apart.Seconds() / processors, true
}
