package runner

import (
	"fmt"
	"math"
	"strings"

	"github.com/zkatbench/zkatbench/runner/host"
	"github.com/zkatbench/zkatbench/runner/stats"
	"github.com/zkatbench/zkatbench/text"
)

// A Finding is one judgement of a Result: its kind, the value that it is based on, and
// the limit that the value crossed.
type Finding struct {
	Kind         string
	Value, Limit float64
	// Observed says what the value means, Advice what to do; both without a full stop.
	Observed, Advice string
	Machine          bool // the finding is about the machine
	// Cause is the kind of another finding, mostly about the machine, that can cause
	// this one; empty without one.
	Cause string
}

// A Rule makes a Finding of its kind if a figure is above the limit, or below.
type Rule struct {
	Kind             string
	Below            bool
	Limit            float64
	Write            func(float64) string
	Observed, Advice string // %s in Observed stands for the figure
}

const above, below = false, true

var percent, number = text.Percent, text.Number

// rules are all kinds of findings of a run with a success, most important first, with
// their figures.
var rules = []struct {
	Rule
	figure func(*Result) (value float64, known bool)
}{
	{Rule{"failures", above, 0, percent,
		"%s of all operations failed; the latencies are those of the successful operations",
		"read the messages above"},
		func(r *Result) (float64, bool) {
			return float64(r.Failed) / float64(max(1, r.Failed+r.Done)), true
		}},
	{Rule{"stalled", above, 0, number,
		"no operation finished for %s s; the run was stopped",
		"look up in the goroutines above where they wait"},
		func(r *Result) (float64, bool) { return r.Config.Stall.Seconds(), r.End == endStalled }},
	{Rule{"abandoned", above, 0, number,
		"%s operations were still in progress when the run ended; the figures exclude them",
		"let operations return when their context ends, or check whether they hang"},
		func(r *Result) (float64, bool) { return float64(r.Abandoned), true }},
	{Rule{boundKind, above, 0.7, percent,
		"the planned rate is %s of the rate that this program reaches against a target without work: bound by the generator; the figures may be its own",
		"generate the load with several machines and merge their results, or lower the rate"},
		func(r *Result) (float64, bool) {
			if r.Config.Ceiling == 0 || r.Config.Plan == nil {
				return 0, false
			}
			return 1e9 * r.greatestRate() / r.Config.Ceiling, true
		}},
	{Rule{"overloaded", above, 0, percent,
		"%s of the planned starts were not finished, and their number grows: OVERLOADED; the workers or the service cannot keep up with the rate, and response times depend on the length of the run",
		"lower the rate, or add workers while processors are idle"},
		overloaded},
	{Rule{"few operations", below, 1000, number,
		"only %s latencies were recorded; high percentiles and intervals are rough",
		"run longer, for at least 1000 operations"},
		func(r *Result) (float64, bool) { return float64(r.Records), true }},
	{Rule{"short window", below, 5, number,
		"the window was only %s s long; it may miss rare events",
		"run at least 5 s, and 30 s for figures to keep"},
		func(r *Result) (float64, bool) { return r.Elapsed.Seconds(), true }},
	{Rule{"never steady", above, 0, number,
		"latency was not steady after %s s of warm-up; the figures may include the warm-up",
		"warm up longer, or find the cause of the change"},
		func(r *Result) (float64, bool) {
			return r.WarmUp.Took.Seconds(), r.WarmUp.Wanted && !r.WarmUp.Steady
		}},
	{Rule{"precision missed", above, 0, percent,
		"the interval is still ±%s wide; the window ended before the requested precision",
		"allow more time, or request less precision"},
		precisionMissed},
	{Rule{"noisy machine", above, 0.05, percent,
		"the time of a known operation varied by %s; the machine is noisy",
		"stop other programs, or measure on an idle machine"},
		func(r *Result) (float64, bool) { return r.Control.Noise(), r.Control.N >= 10 }},
	{Rule{"wide distribution", above, 0.20, percent,
		"the standard deviation of latencies is %s of their mean; on a quiet machine, operations differ in cost",
		"check for a mix of cheap and expensive inputs"},
		func(r *Result) (float64, bool) { return r.CV(), r.Records > 1 }},
	{Rule{"long tail", above, 3, number,
		"P99 is %s times P50; some operations are delayed",
		"check garbage collection, locks and scheduling with -diagnose"},
		func(r *Result) (float64, bool) {
			p99 := r.Quantile(0.99)
			return p99.Value / r.quantile(0.5), p99.Shown() && r.quantile(0.5) > 0
		}},
	{Rule{"outlier", above, 10, number,
		"the slowest operation took %s times P99; a single outlier may be caused by the machine",
		"repeat the run"},
		func(r *Result) (float64, bool) {
			p99 := r.Quantile(0.99)
			return r.Moments.Max / p99.Value, p99.Shown() && p99.Value > 0
		}},
	{Rule{"drift", above, 0.05, percent,
		"latency changed by %s from the first third to the last; the operation was not in a steady state",
		"warm up longer, or check for growing data and thermal throttling"},
		drift},
	{Rule{"several modes", above, 1, number,
		"latencies cluster around %s values; the operation has several kinds of inputs or paths",
		"measure the kinds of inputs separately"},
		func(r *Result) (float64, bool) { return float64(len(r.modes())), r.Records >= 200 }},
	{Rule{periodicKind, above, 0.01, percent,
		"stalls at regular intervals took %s of the window; the operations hang, not the machine",
		"look for a timer, a flush or a checkpoint with this period; -diagnose records the slowest operation"},
		periodicStalls},
	{Rule{"hidden stalls", above, 0.01, percent,
		"operations of over 10 times the median and twice P99 took %s of the time, but are below 1 % of the operations; percentiles of a closed loop hide stalls, in which other requests would wait",
		"measure an open loop with -rate, such as half of the throughput"},
		hiddenStalls},
	{Rule{"start-up", above, 0.02, percent,
		"without its start, which was not yet steady, the window has a mean that differs by %s; the figures include the start",
		"warm up longer, or run longer if a queue fills"},
		startUp},
	{Rule{"remembers", above, 3, number,
		"latencies are autocorrelated: the sample counts as 1/%s of its size; the intervals account for this and are wider",
		"run longer, or on an idle machine"},
		func(r *Result) (float64, bool) { return r.Inflation(), r.Records >= 200 }},
	{Rule{"overhead", above, 0.10, percent,
		"%s of the workers' time was spent outside the operation; throughput is lower than the operation allows",
		"use at most as many workers as processors, and move set-up out of the run"},
		func(r *Result) (float64, bool) {
			return r.Overhead(), r.Open == nil && r.SetUp != eachPolicy && !r.Interrupted
		}},
	{Rule{"coarse clock", above, 0.001, percent,
		"one step of the clock is %s of the mean time of an operation; latencies are rounded",
		"run back to back, with a warm-up and with inputs made before, so that several operations are timed as one"},
		func(r *Result) (float64, bool) {
			mean := r.ServiceMean()
			return float64(r.Clock.Step) / mean, mean > 0 && r.Config.Batch == 1
		}},
	{Rule{"pacer lag", above, 0.10, percent,
		"the mean lateness of the timer is %s of the mean response time; response times include it",
		"compare service times, or measure a slower operation"},
		func(r *Result) (float64, bool) {
			if r.Open == nil || r.Moments.Mean == 0 {
				return 0, false
			}
			return float64(r.Open.LagMean) / r.Moments.Mean, true
		}},
	{Rule{"more workers than processors", above, 1, number,
		"there are %s workers for each processor; unless operations wait, workers wait for processors",
		"use as many workers as processors"},
		func(r *Result) (float64, bool) {
			return float64(r.Config.Workers) / float64(max(1, r.Before.GOMAXPROCS)), r.Open == nil
		}},
	{Rule{"garbage collection", above, 0.05, percent,
		"garbage collection took %s of the processor time",
		"allocate less, or raise GOGC to see its cost"},
		func(r *Result) (float64, bool) { return r.Usage.GCShare, true }},
	{Rule{"allocations", above, 1000, number,
		"one operation allocates %s times",
		"reuse memory in the hot path"},
		func(r *Result) (float64, bool) { return r.Usage.AllocsPerOp, true }},
	{Rule{"lock waiting", above, 0.05, percent,
		"goroutines waited for locks for %s of the workers' time",
		"find the lock with -diagnose"},
		func(r *Result) (float64, bool) {
			return float64(r.Usage.MutexWait) / float64(max(1, int64(r.Elapsed)*int64(r.Config.Workers))), true
		}},
	{Rule{"scheduler latency", above, 0.50, percent,
		"P99 from runnable to running is %s of the mean latency; goroutines wait for processors",
		"use fewer goroutines than processors, or stop other programs"},
		func(r *Result) (float64, bool) {
			// Operations that never wait schedule few goroutines except the
			// goroutines of the runner.
			scheduled := r.Usage.Scheduled > r.Done/2
			return float64(r.Usage.SchedP99) / r.Moments.Mean, r.Moments.Mean > 0 && scheduled && r.Open == nil
		}},
	{Rule{"goroutines", above, 1, number,
		"one operation starts %s goroutines",
		"reuse goroutines if the operation is short"},
		func(r *Result) (float64, bool) {
			return float64(r.Usage.Goroutines) / float64(max(1, r.Done)), true
		}},
	{Rule{"stolen time", above, 0.01, percent,
		"the hypervisor took %s of the processor time; other virtual machines affect the figures",
		"measure on a dedicated machine"},
		func(r *Result) (float64, bool) {
			return increase(r, r.Before.Steal, r.After.Steal, float64(max(1, r.Before.CPUs)))
		}},
	{Rule{"processor pressure", above, 0.05, percent,
		"tasks waited for a processor %s of the time; processors are oversubscribed",
		"stop other programs, or use fewer workers"},
		func(r *Result) (float64, bool) { return increase(r, r.Before.Pressure, r.After.Pressure, 1) }},
	{Rule{"throttled", above, 0, percent,
		"the quota stopped the program %s of the time; the figures measure the quota",
		"raise the quota, or set GOMAXPROCS below it"},
		func(r *Result) (float64, bool) { return increase(r, r.Before.Throttled, r.After.Throttled, 1) }},
	{Rule{"governor", above, 0, number,
		"the governor of the processor is not \"performance\"; its frequency may vary",
		"set the governor to performance, or expect noise"},
		func(r *Result) (float64, bool) {
			g := r.Before.Governor
			return 1, g != host.Unknown && g != "" && g != "performance"
		}},
}

// Thresholds returns the limit of every kind of finding.
func Thresholds() map[string]float64 {
	t := map[string]float64{}
	for _, r := range rules {
		t[r.Kind] = r.Limit
	}
	return t
}

// Findings judges r. Findings about the machine are first, then the others, and last
// those that another one can cause; within each group the most important is first.
func (r *Result) Findings() []Finding {
	if r.Done == 0 {
		return []Finding{{Kind: "nothing done", Value: float64(r.Failed), Advice: "make one operation succeed before measuring",
			Observed: "no operation succeeded, " + text.Count(r.Failed) + " failed"}}
	}
	var all []Rule
	figures := map[string]float64{}
	for _, rule := range rules {
		all = append(all, rule.Rule)
		if v, known := rule.figure(r); known {
			figures[rule.Kind] = v
		}
	}
	fs := Judge(all, figures)
	for i := range fs {
		if s, ok := r.stalls(); ok && fs[i].Kind == periodicKind {
			fs[i].Observed += fmt.Sprintf("; %s every %s", text.Duration(float64(s.length)), text.Duration(float64(s.period)))
		}
	}
	return fs
}

// Judge returns the findings of rules about figures, which are known by their kinds, in the
// order of Result.Findings.
func Judge(rules []Rule, figures map[string]float64) (fs []Finding) {
	for _, rule := range rules {
		v, known := figures[rule.Kind]
		if known && (v > rule.Limit && !rule.Below || v < rule.Limit && rule.Below) {
			observed := strings.Replace(rule.Observed, "%s", rule.Write(v), 1)
			fs = append(fs, Finding{Kind: rule.Kind, Value: v, Limit: rule.Limit, Observed: observed, Advice: rule.Advice})
		}
	}
	return ranked(fs)
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
	for _, center := range []func([]float64) float64{stats.Average[float64], stats.Median[float64]} {
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

// increase is the increase of a counter of seconds for each second of the run.
func increase(r *Result, before, after *float64, processors float64) (float64, bool) {
	if before == nil || after == nil || r.Apart <= 0 {
		return 0, false
	}
	return (*after - *before) / r.Apart.Seconds() / processors, true
}
