package render

import (
	"fmt"
	"slices"

	"github.com/zkatbench/zkatbench/runner"
)

// sentence has what a kind of finding says of its number, which is multiplied
// by scale, and the next step.
type sentence struct {
	says  string
	scale float64
	next  string
}

var sentences = map[string]sentence{
	"nothing done":                 {"no operation succeeded, %s failed", 1, "make one operation succeed before measuring"},
	"failures":                     {"%s %% of all operations failed", 100, "read the messages above; the latencies are those of the others"},
	"stalled":                      {"no operation finished for %s s", 1, "look in the goroutines above for what they wait for"},
	"abandoned":                    {"%s operations were still in progress", 1, "let operations end with their context, or see whether they hang"},
	"overloaded":                   {"%s %% of the planned starts were never taken: OVERLOADED", 100, "lower the rate, or add workers while processors are idle"},
	"backlog grows":                {"the backlog grew %s times faster than a steady queue swings: OVERLOADED", 1, "response times depend on how long this ran; lower the rate"},
	"few operations":               {"only %s latencies", 1, "run longer, for at least 1000"},
	"short window":                 {"the window was only %s s", 1, "run at least 5 s, and 30 s for figures to keep"},
	"never steady":                 {"latency was not steady after %s s of warm-up", 1, "warm up longer, or look for what keeps changing"},
	"precision missed":             {"the interval is still ±%s %% wide", 100, "allow more time, or ask for less"},
	"noisy machine":                {"a known operation varied by %s %%: the machine is noisy", 100, "stop other programs, or measure elsewhere"},
	"wide distribution":            {"latencies vary by %s %% of their mean", 100, "look for a mix of cheap and dear inputs, if the machine is quiet"},
	"long tail":                    {"P99 is %s times P50", 1, "look for garbage collection, locks or scheduling with -diagnose"},
	"outlier":                      {"the slowest operation took %s times P99", 1, "repeat the run: a single outlier may be the machine's"},
	"severe outliers":              {"%s %% of the latencies are severe outliers", 100, "see when they happen in the picture over time"},
	"drift":                        {"latency changed by %s %% from the first third to the last", 100, "warm up longer, or look for growing data and heat"},
	"several modes":                {"latencies gather around %s values", 1, "measure the kinds of inputs apart"},
	"remembers":                    {"latencies depend on those before: %s of them are worth one", 1, "trust the intervals, which know it, and run longer"},
	"overhead":                     {"%s %% of the workers' time was not the operation's", 100, "use no more workers than processors, and keep set-up out of the run"},
	"coarse clock":                 {"a step of the clock is %s %% of the mean time of an operation", 100, "back to back, after a warm-up and without -op_timeout, many are timed as one"},
	"pacer lag":                    {"the timer's lag is %s %% of the mean response time", 100, "compare service times, or use a slower operation"},
	"more workers than processors": {"there are %s workers for each processor", 1, "unless operations wait, use as many workers as processors"},
	"garbage collection":           {"garbage collection took %s %% of the processor time", 100, "allocate less, or raise GOGC to see what it costs"},
	"collection assists":           {"operations spent %s %% of the processor time helping the collector", 100, "allocate less, or set GOMEMLIMIT and raise GOGC"},
	"allocations":                  {"one operation allocates %s times", 1, "reuse memory in the hot path"},
	"lock waiting":                 {"goroutines waited for locks for %s %% of the workers' time", 100, "find the lock with -diagnose"},
	"scheduler latency":            {"P99 from runnable to running is %s %% of the mean latency", 100, "use fewer goroutines than processors, or stop other programs"},
	"goroutines":                   {"one operation starts %s goroutines", 1, "reuse goroutines if the operation is short"},
	"stolen time":                  {"the hypervisor took %s %% of the processors", 100, "measure on a machine of your own"},
	"processor pressure":           {"tasks waited for a processor %s %% of the time", 100, "stop other programs, or use fewer workers"},
	"throttled":                    {"the quota stopped the program %s %% of the time", 100, "raise the quota, or set GOMAXPROCS below it"},
	"governor":                     {"the processor's governor is not performance", 1, "set it, or expect the frequency to wander"},
}

// Sentence is what f says and the next step, each without a full stop.
func Sentence(f runner.Finding) (says, next string) {
	s, ok := sentences[f.Kind]
	if !ok {
		return fmt.Sprintf("%s: %s, beyond %s", f.Kind, digits(f.Value), digits(f.Limit)), ""
	}
	if f.Kind == "governor" {
		return s.says, s.next
	}
	return fmt.Sprintf(s.says, round(digits(f.Value*s.scale))), s.next
}

func (p *page) findings() {
	p.section("Analysis and recommendations")
	for _, f := range p.found {
		says, next := Sentence(f)
		p.wrapped("  - ", says+": "+next)
	}
	if len(p.found) == 0 {
		p.wrapped("  ", "Nothing unusual.")
	}
}

// finds reports whether one of the kinds is among the findings.
func (p *page) finds(kinds ...string) bool {
	return slices.ContainsFunc(p.found, func(f runner.Finding) bool { return slices.Contains(kinds, f.Kind) })
}
