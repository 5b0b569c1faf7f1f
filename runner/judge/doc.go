// Package judge interprets a Result of the load runner. It reads results and does not
// measure.
//
//	estimate.go    Estimate: a figure with its interval, or the reason for its absence
//	intervals.go   intervals of percentiles and of the mean
//	throughput.go  the interval of the throughput
//	memory.go      autocorrelation of latencies
//	beyond.go      the share of latencies beyond a limit, and bounds of the mean
//	queue.go       the queue of an open loop: its load, its memory, whether it grows
//	laws.go        Check: consistency of a Result
//	findings.go    Findings: judgements of a Result
//	stalls.go      stalls: rare, and at regular intervals
//	ranking.go     the order of findings for readers: the machine first
//
// Package judge/require judges a Result against requirements.
package judge
