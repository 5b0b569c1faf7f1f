package render

import (
	"fmt"
	"slices"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/text"
)

// sentence is the text of a kind of finding: the observation with the value,
// which is multiplied by scale; its meaning, unless the observation states it;
// and the advice.
type sentence struct {
	observation string
	scale       float64
	meaning     string
	advice      string
}

var sentences = map[string]sentence{
	"nothing done":                 {"no operation succeeded, %s failed", 1, "", "make one operation succeed before measuring"},
	"failures":                     {"%s %% of all operations failed", 100, "the latencies are those of the successful operations", "read the messages above"},
	"stalled":                      {"no operation finished for %s s", 1, "the run was stopped", "look up in the goroutines above where they wait"},
	"abandoned":                    {"%s operations were still in progress when the run ended", 1, "the figures exclude them", "let operations return when their context ends, or check whether they hang"},
	"overloaded":                   {"%s %% of the planned starts were not finished, and their number grows: OVERLOADED", 100, "the workers or the service cannot keep up with the rate", "lower the rate, or add workers while processors are idle"},
	"backlog grows":                {"the plan starts %s operations for each one that the workers or the service can finish, so the queue grows: OVERLOADED", 1, "response times depend on the length of the run", "lower the rate, or add workers while processors are idle"},
	"few operations":               {"only %s latencies were recorded", 1, "high percentiles and intervals are rough", "run longer, for at least 1000 operations"},
	"short window":                 {"the window was only %s s long", 1, "it may miss rare events", "run at least 5 s, and 30 s for figures to keep"},
	"never steady":                 {"latency was not steady after %s s of warm-up", 1, "the figures may include the warm-up", "warm up longer, or find the cause of the change"},
	"precision missed":             {"the interval is still ±%s %% wide", 100, "the window ended before the requested precision", "allow more time, or request less precision"},
	"noisy machine":                {"the time of a known operation varied by %s %%", 100, "the machine is noisy", "stop other programs, or measure on an idle machine"},
	"wide distribution":            {"the standard deviation of latencies is %s %% of their mean", 100, "on a quiet machine, operations differ in cost", "check for a mix of cheap and expensive inputs"},
	"long tail":                    {"P99 is %s times P50", 1, "some operations are delayed", "check garbage collection, locks and scheduling with -diagnose"},
	"outlier":                      {"the slowest operation took %s times P99", 1, "a single outlier may be caused by the machine", "repeat the run"},
	"severe outliers":              {"%s %% of the latencies are severe outliers", 100, "they are not rare accidents", "check in the picture over time when they occur"},
	"drift":                        {"latency changed by %s %% from the first third to the last", 100, "the operation was not in a steady state", "warm up longer, or check for growing data and thermal throttling"},
	"several modes":                {"latencies cluster around %s values", 1, "the operation has several kinds of inputs or paths", "measure the kinds of inputs separately"},
	"hidden stalls":                {"operations of over 10 times the median and twice P99 took %s %% of the time, but are below 1 %% of the operations", 100, "percentiles of a closed loop hide stalls, in which other requests would wait", "measure an open loop with -rate, such as half of the throughput"},
	"periodic stalls":              {"stalls at regular intervals took %s %% of the window", 100, "the operations hang, not the machine", "look for a timer, a flush or a checkpoint with this period; -diagnose records the slowest operation"},
	"start-up":                     {"without its start, which was not yet steady, the window has a mean that differs by %s %%", 100, "the figures include the start", "warm up longer, or run longer if a queue fills"},
	"remembers":                    {"latencies are autocorrelated: the sample counts as 1/%s of its size", 1, "the intervals account for this and are wider", "run longer, or on an idle machine"},
	"overhead":                     {"%s %% of the workers' time was spent outside the operation", 100, "throughput is lower than the operation allows", "use at most as many workers as processors, and move set-up out of the run"},
	"coarse clock":                 {"one step of the clock is %s %% of the mean time of an operation", 100, "latencies are rounded", "run back to back, with a warm-up and with inputs made before, so that several operations are timed as one"},
	"pacer lag":                    {"the mean lateness of the timer is %s %% of the mean response time", 100, "response times include it", "compare service times, or measure a slower operation"},
	"more workers than processors": {"there are %s workers for each processor", 1, "unless operations wait, workers wait for processors", "use as many workers as processors"},
	"garbage collection":           {"garbage collection took %s %% of the processor time", 100, "", "allocate less, or raise GOGC to see its cost"},
	"collection assists":           {"operations spent %s %% of the processor time assisting the garbage collector", 100, "allocations slow operations down", "allocate less, or set GOMEMLIMIT and raise GOGC"},
	"allocations":                  {"one operation allocates %s times", 1, "", "reuse memory in the hot path"},
	"lock waiting":                 {"goroutines waited for locks for %s %% of the workers' time", 100, "", "find the lock with -diagnose"},
	"scheduler latency":            {"P99 from runnable to running is %s %% of the mean latency", 100, "goroutines wait for processors", "use fewer goroutines than processors, or stop other programs"},
	"goroutines":                   {"one operation starts %s goroutines", 1, "", "reuse goroutines if the operation is short"},
	"stolen time":                  {"the hypervisor took %s %% of the processor time", 100, "other virtual machines affect the figures", "measure on a dedicated machine"},
	"processor pressure":           {"tasks waited for a processor %s %% of the time", 100, "processors are oversubscribed", "stop other programs, or use fewer workers"},
	"throttled":                    {"the quota stopped the program %s %% of the time", 100, "the figures measure the quota", "raise the quota, or set GOMAXPROCS below it"},
	"governor":                     {"the governor of the processor is not \"performance\"", 1, "its frequency may vary", "set the governor to performance, or expect noise"},
}

// Sentence returns the observation and the meaning of f, and the advice, each
// without a full stop.
func Sentence(f runner.Finding) (observed, advice string) {
	s, ok := sentences[f.Kind]
	if !ok {
		return fmt.Sprintf("%s: %s crosses the limit %s", f.Kind, text.Number(f.Value), text.Number(f.Limit)), ""
	}
	observed = s.observation
	if f.Kind != "governor" {
		observed = fmt.Sprintf(observed, text.Number(f.Value*s.scale))
	}
	if f.Period > 0 {
		observed += fmt.Sprintf(": %s every %s", text.Duration(float64(f.Length)), text.Duration(float64(f.Period)))
	}
	if s.meaning != "" {
		observed += "; " + s.meaning
	}
	return observed, s.advice
}

func (p *page) findings() {
	p.section("Analysis and recommendations")
	for _, f := range runner.Rank(p.found) {
		observed, advice := Sentence(f.Finding)
		if f.ExplainedBy != "" {
			p.wrapped("  - ", observed+" (possibly caused by: "+f.ExplainedBy+")")
			continue
		}
		p.wrapped("  - ", observed+": "+advice)
	}
	if len(p.found) == 0 {
		p.wrapped("  ", "Nothing unusual.")
	}
}

// hasFinding reports whether one of the kinds is among the findings.
func (p *page) hasFinding(kinds ...string) bool {
	return slices.ContainsFunc(p.found, func(f runner.Finding) bool { return slices.Contains(kinds, f.Kind) })
}
