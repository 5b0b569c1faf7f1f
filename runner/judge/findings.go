package judge

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/host"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// A Finding is one judgement of a Result: its kind, the value that it is based on, and
// the limit that the value crossed.
type Finding struct {
	Kind         string
	Value, Limit float64
	// Observed explains the value, Advice says how to react. Both are without a full
	// stop.
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
	Observed, Advice string // %s in Observed is the figure
}

var percent, number = text.Percent, text.Number

// rules are all kinds of findings of a run with a success, most important first, with
// their figures.
var rules = []struct {
	Rule
	figure func(*result.Result) (value float64, known bool)
}{
	{Rule{Kind: "failures", Write: percent,
		Observed: "%s of all operations failed; the latencies are those of the successful operations",
		Advice:   "read the messages above"},
		func(r *result.Result) (float64, bool) {
			return float64(r.Failed) / float64(max(1, r.Failed+r.Done)), true
		}},
	{Rule{Kind: "stalled", Write: number,
		Observed: "no operation finished for %s s; the run was stopped",
		Advice:   "look up in the goroutines above where they wait"},
		func(r *result.Result) (float64, bool) {
			return r.Config.Stall.Seconds(), r.End == result.EndStalled
		}},
	{Rule{Kind: "abandoned", Write: number,
		Observed: "%s operations were still in progress when the run ended; the figures exclude them",
		Advice:   "let operations return when their context ends, or check whether they hang"},
		func(r *result.Result) (float64, bool) { return float64(r.Abandoned), true }},
	{Rule{Kind: boundKind, Limit: 0.7, Write: percent,
		Observed: "the planned rate is %s of the rate that this program reaches against a target without " +
			"work: bound by the generator; the figures may be its own",
		Advice: "generate the load with several machines and merge their results, or lower the rate"},
		func(r *result.Result) (float64, bool) {
			if r.Config.Ceiling == 0 || r.Config.Plan == nil {
				return 0, false
			}
			return 1e9 * greatestRate(r) / r.Config.Ceiling, true
		}},
	{Rule{Kind: "overloaded", Write: percent,
		Observed: "%s of the planned starts were not finished, and their number grows: OVERLOADED; the " +
			"workers or the service cannot keep up with the rate, and response times depend on the " +
			"length of the run",
		Advice: "lower the rate, or add workers while processors are idle"},
		overloaded},
	{Rule{Kind: "few operations", Below: true, Limit: 1000, Write: number,
		Observed: "only %s latencies were recorded; high percentiles and intervals are rough",
		Advice:   "run longer, for at least 1000 operations"},
		func(r *result.Result) (float64, bool) { return float64(r.Records), true }},
	{Rule{Kind: "short window", Below: true, Limit: 5, Write: number,
		Observed: "the window was only %s s long; it may miss rare events",
		Advice:   "run at least 5 s, and 30 s for figures to keep"},
		func(r *result.Result) (float64, bool) { return r.Elapsed.Seconds(), true }},
	{Rule{Kind: "never steady", Write: number,
		Observed: "latency was not steady after %s s; the figures may include the warm-up",
		Advice:   "warm up longer, or find the cause of the change"},
		neverSteady},
	{Rule{Kind: "precision missed", Write: percent,
		Observed: "the interval is still ±%s wide; the window ended before the requested precision",
		Advice:   "allow more time, or request less precision"},
		precisionMissed},
	{Rule{Kind: "noisy machine", Limit: 0.05, Write: percent,
		Observed: "the time of a known operation varied by %s; the machine is noisy",
		Advice:   "stop other programs, or measure on an idle machine"},
		func(r *result.Result) (float64, bool) { return r.Control.Noise(), r.Control.N >= 10 }},
	{Rule{Kind: "wide distribution", Limit: 0.20, Write: percent,
		Observed: "the standard deviation of latencies is %s of their mean; on a quiet machine, " +
			"operations differ in cost",
		Advice: "check for a mix of cheap and expensive inputs"},
		func(r *result.Result) (float64, bool) { return r.CV(), r.Records > 1 }},
	{Rule{Kind: "long tail", Limit: 3, Write: number,
		Observed: "P99 is %s times P50; some operations are delayed",
		Advice:   "check garbage collection, locks and scheduling with -diagnose"},
		func(r *result.Result) (float64, bool) {
			p99 := Quantile(r, 0.99)
			return p99.Value / r.Latency.Quantile(0.5), p99.Shown() && r.Latency.Quantile(0.5) > 0
		}},
	{Rule{Kind: "outlier", Limit: 10, Write: number,
		Observed: "the slowest operation took %s times P99; a single outlier may be caused by the machine",
		Advice:   "repeat the run"},
		func(r *result.Result) (float64, bool) {
			p99 := Quantile(r, 0.99)
			return r.Moments.Max / p99.Value, p99.Shown() && p99.Value > 0
		}},
	{Rule{Kind: "drift", Limit: 0.05, Write: percent,
		Observed: "latency changed by %s from the first third to the last; the operation was not in a " +
			"steady state",
		Advice: "warm up longer, or check for growing data and thermal throttling"},
		drift},
	{Rule{Kind: "several modes", Limit: 1, Write: number,
		Observed: "latencies cluster around %s values; the operation has several kinds of inputs or paths",
		Advice:   "measure the kinds of inputs separately"},
		func(r *result.Result) (float64, bool) { return float64(modes(r)), r.Records >= 200 }},
	{Rule{Kind: periodicKind, Limit: 0.01, Write: percent,
		Observed: "stalls at regular intervals took %s of the window; the operations hang, not the machine",
		Advice: "look for a timer, a flush or a checkpoint with this period; -diagnose records the slowest " +
			"operation"},
		periodicStalls},
	{Rule{Kind: "hidden stalls", Limit: 0.01, Write: percent,
		Observed: "operations of over 10 times the median and twice P99 took %s of the time, but are " +
			"below 1 % of the operations; percentiles of a closed loop hide stalls, in which other " +
			"requests would wait",
		Advice: "measure an open loop with -rate, such as half of the throughput"},
		hiddenStalls},
	{Rule{Kind: "start-up", Limit: 0.02, Write: percent,
		Observed: "without its start, which was not yet steady, the window has a mean that differs by " +
			"%s; the figures include the start",
		Advice: "warm up longer, or run longer if a queue fills"},
		startUp},
	{Rule{Kind: "remembers", Limit: 3, Write: number,
		Observed: "latencies are autocorrelated: the sample counts as 1/%s of its size; the intervals " +
			"account for this and are wider",
		Advice: "run longer, or on an idle machine"},
		func(r *result.Result) (float64, bool) { return Inflation(r), r.Records >= 200 }},
	{Rule{Kind: "overhead", Limit: 0.10, Write: percent,
		Observed: "%s of the workers' time was spent outside the operation; throughput is lower than the " +
			"operation allows",
		Advice: "use at most as many workers as processors, and move set-up out of the run"},
		func(r *result.Result) (float64, bool) {
			return r.Overhead(), r.Open == nil && r.SetUp != result.EachPolicy && !r.Interrupted
		}},
	{Rule{Kind: "coarse clock", Limit: 0.001, Write: percent,
		Observed: "one step of the clock is %s of the mean time of an operation; latencies are rounded",
		Advice: "run back to back, with a warm-up and with inputs made before, so that several " +
			"operations are timed as one"},
		func(r *result.Result) (float64, bool) {
			mean := r.ServiceMean()
			return float64(r.Clock.Step) / mean, mean > 0 && r.Config.Batch == 1
		}},
	{Rule{Kind: "pacer lag", Limit: 0.10, Write: percent,
		Observed: "the mean lateness of the timer is %s of the mean response time; response times include it",
		Advice:   "compare service times, or measure a slower operation"},
		func(r *result.Result) (float64, bool) {
			if r.Open == nil || r.Moments.Mean == 0 {
				return 0, false
			}
			return float64(r.Open.LagMean) / r.Moments.Mean, true
		}},
	{Rule{Kind: "more workers than processors", Limit: 1, Write: number,
		Observed: "there are %s workers for each processor; unless operations wait, workers wait for " +
			"processors",
		Advice: "use as many workers as processors"},
		func(r *result.Result) (float64, bool) {
			return float64(r.Config.Workers) / float64(max(1, r.Before.GOMAXPROCS)), r.Open == nil
		}},
	{Rule{Kind: "garbage collection", Limit: 0.05, Write: percent,
		Observed: "garbage collection took %s of the processor time",
		Advice:   "allocate less, or raise GOGC to see its cost"},
		func(r *result.Result) (float64, bool) { return r.Usage.GCShare, true }},
	{Rule{Kind: "allocations", Limit: 1000, Write: number,
		Observed: "one operation allocates %s times",
		Advice:   "reuse memory in the hot path"},
		func(r *result.Result) (float64, bool) { return r.Usage.AllocsPerOp, true }},
	{Rule{Kind: "lock waiting", Limit: 0.05, Write: percent,
		Observed: "goroutines waited for locks for %s of the workers' time",
		Advice:   "find the lock with -diagnose"},
		func(r *result.Result) (float64, bool) {
			return float64(r.Usage.MutexWait) / float64(max(1, int64(r.Elapsed)*int64(r.Config.Workers))),
				true
		}},
	{Rule{Kind: "scheduler latency", Limit: 0.50, Write: percent,
		Observed: "P99 from runnable to running is %s of the mean latency; goroutines wait for processors",
		Advice:   "use fewer goroutines than processors, or stop other programs"},
		func(r *result.Result) (float64, bool) {
			// Operations that never wait schedule few goroutines except the
			// goroutines of the runner.
			scheduled := r.Usage.Scheduled > r.Done/2
			return float64(r.Usage.SchedP99) / r.Moments.Mean, r.Moments.Mean > 0 && scheduled &&
				r.Open == nil
		}},
	{Rule{Kind: "goroutines", Limit: 1, Write: number,
		Observed: "one operation starts %s goroutines",
		Advice:   "reuse goroutines if the operation is short"},
		func(r *result.Result) (float64, bool) {
			return float64(r.Usage.Goroutines) / float64(max(1, r.Done)), true
		}},
	{Rule{Kind: "stolen time", Limit: 0.01, Write: percent,
		Observed: "the hypervisor took %s of the processor time; other virtual machines affect the figures",
		Advice:   "measure on a dedicated machine"},
		func(r *result.Result) (float64, bool) {
			return increase(r, r.Before.Steal, r.After.Steal, float64(max(1, r.Before.CPUs)))
		}},
	{Rule{Kind: "processor pressure", Limit: 0.05, Write: percent,
		Observed: "tasks waited for a processor %s of the time; processors are oversubscribed",
		Advice:   "stop other programs, or use fewer workers"},
		func(r *result.Result) (float64, bool) {
			return increase(r, r.Before.Pressure, r.After.Pressure, 1)
		}},
	{Rule{Kind: "throttled", Write: percent,
		Observed: "the quota stopped the program %s of the time; the figures measure the quota",
		Advice:   "raise the quota, or set GOMAXPROCS below it"},
		func(r *result.Result) (float64, bool) {
			return increase(r, r.Before.Throttled, r.After.Throttled, 1)
		}},
	{Rule{Kind: "governor", Write: number,
		Observed: "the governor of the processor is not \"performance\"; its frequency may vary",
		Advice:   "set the governor to performance, or expect noise"},
		func(r *result.Result) (float64, bool) {
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

// Findings judges r. Findings about the machine are first, then the others, and last the
// findings that another finding can cause; within each group the most important is
// first.
func Findings(r *result.Result) []Finding {
	if r.Done == 0 {
		return []Finding{{Kind: "nothing done", Value: float64(r.Failed),
			Advice:   "make one operation succeed before measuring",
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
		if s, ok := stallsOf(r); ok && fs[i].Kind == periodicKind {
			fs[i].Observed += fmt.Sprintf("; %s every %s", text.Duration(float64(s.length)),
				text.Duration(float64(s.period)))
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
			fs = append(fs,
				Finding{Kind: rule.Kind, Value: v, Limit: rule.Limit, Observed: observed,
					Advice: rule.Advice})
		}
	}
	return ranked(fs)
}

// overloaded is the share of planned starts that had not ended at the end of the
// window, if their number grows.
func overloaded(r *result.Result) (float64, bool) {
	if q, open := QueueOf(r); !open || !q.Growing {
		return 0, false
	}
	unfinished := r.Open.Backlog
	if n := len(r.Open.Present); n > 0 {
		unfinished = r.Open.Present[n-1]
	}
	return float64(unfinished) / float64(max(1, r.Open.Offered)), true
}

// precisionMissed is the relative half width at the end.
func precisionMissed(r *result.Result) (float64, bool) {
	e := metric(r, r.Config.PrecisionOf)
	if r.Config.Precision == 0 || r.End == result.EndPrecision || e.Value == 0 {
		return 0, false
	}
	if half, ok := e.halfWidth(); ok {
		return half, true
	}
	return 1, true
}

// drift is the relative change of the latency from the first third of the window
// to the last, if there is a trend that is not the one of a start-up: of the means or of
// the medians of the ticks, whichever is less. A stall changes means only.
func drift(r *result.Result) (float64, bool) {
	if _, starts := startUp(r); starts || !trends(r.Timeline) {
		return 0, false
	}
	ms := r.Timeline.Means()
	third := len(ms) / 3
	first, last := ms[:third], ms[len(ms)-third:]
	least := math.Inf(1)
	for _, center := range []func([]float64) float64{stats.Average[float64], stats.Median[float64]} {
		least = min(least, math.Abs(center(last)/center(first)-1))
	}
	return least, first[0] > 0
}

// trends reports whether the latencies of at least nine ticks have a trend.
func trends(t result.Timeline) bool {
	ms := t.Means()
	values, _ := t.Clusters()
	return len(ms) >= 9 && (math.Abs(stats.CorrelatedTrend(ms)) >= certainTrend || stats.Trends(values))
}

// certainTrend is the normal score of a trend that hardly any steady operation has.
const certainTrend = 3

// startUp is the relative change of the mean latency if the start of the window
// is left out, because the latency was not yet steady. If it became steady too late, or
// not at all, the start is all but the last third.
func startUp(r *result.Result) (float64, bool) {
	values, _ := r.Timeline.Clusters()
	cut := stats.StartUp(values)
	if cut == 0 && flattens(r.Timeline) {
		cut = len(values) - len(values)/3
	}
	if cut == 0 {
		return 0, false
	}
	var n, sum float64
	for _, c := range values[cut:] {
		n, sum = n+c.N, sum+c.Sum
	}
	return math.Abs(r.Moments.Mean/(sum/n) - 1), n > 0
}

// flattens reports whether the latency has a trend that becomes less: both in thirds of the
// time and in thirds of the operations, since an operation that costs more with each call
// has a trend that becomes less in time.
func flattens(t result.Timeline) bool {
	values, _ := t.Clusters()
	if !trends(t) && !stats.Trends(values[:len(values)/2]) {
		return false
	}
	var before []uint64 // latencies before each tick
	all := uint64(0)
	for _, c := range t.Cells {
		if c.N > 0 {
			before, all = append(before, all), all+c.N
		}
	}
	at := func(n uint64) int {
		i, _ := slices.BinarySearch(before, n)
		return i
	}
	ms := t.Means()
	return stats.Flattens(ms, len(ms)/3, len(ms)-len(ms)/3) && stats.Flattens(ms, at(all/3), at(all-all/3))
}

// neverSteady is the time in seconds after which the latency was not yet steady: the end of
// the warm-up, or of the window if a start-up goes on in the last third of it.
func neverSteady(r *result.Result) (float64, bool) {
	if _, starts := startUp(r); starts {
		ms := r.Timeline.Means()
		if math.Abs(stats.CorrelatedTrend(ms[len(ms)-len(ms)/3:])) >= certainTrend {
			return (r.WarmUp.Took + r.Elapsed).Seconds(), true
		}
	}
	return r.WarmUp.Took.Seconds(), r.WarmUp.Wanted && !r.WarmUp.Steady
}

// increase is the increase of a counter of seconds for each second of the run.
func increase(r *result.Result, before, after *float64, processors float64) (float64, bool) {
	if before == nil || after == nil || r.Apart <= 0 {
		return 0, false
	}
	return (*after - *before) / r.Apart.Seconds() / processors, true
}
