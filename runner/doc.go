// Package runner measures any Go function under load.
//
//	config.go     Config: workers, window, warm-up, arrivals, limits
//	operation.go  Operation: the function and how its inputs are set up
//	mix.go        Mix: several operations in one run, by weight
//	run.go        Run: calibrate, warm up, measure, collect
//	replay.go     Replay: a run in simulated time
//	phase.go      the warm-up or the window: start, end, stall, ^C
//	worker.go     one worker: the loop; panics and exits contained
//	queue.go      the planned starts that all workers share
//	account.go    accounting of operations: done, failed, late
//	record.go     recording of latencies and their sums, without allocation
//	timeline.go   latencies over time, in constant memory
//	clock.go      cost of measuring itself; batches
//	control.go    a known operation in between, which shows a noisy machine
//	usage.go      garbage collection, locks and scheduling during the window
//	result.go     Result: the outcome in numbers
//	bench.go      Bench: an operation in a benchmark of package testing
//	merge.go      Merge: the results of several generators as one
//	figures.go    figures computed from a Result: throughput, quantiles
//	throughput.go the interval of the throughput
//	estimate.go   Estimate: a figure with its interval, or the reason for its absence
//	beyond.go     the share of latencies beyond a limit, and bounds of the mean
//	load.go       the queue of an open loop: its load, its memory, whether it grows
//	memory.go     autocorrelation of latencies
//	laws.go       consistency checks of a Result
//	findings.go   Findings: judgements of a Result
//	stalls.go     stalls: rare, and at regular intervals
//	ranking.go    the order of findings for readers: the machine first
//
// Below it, hist counts durations, schedule plans starts, stats provides the
// statistics, host reads the machine, cputime reads processor time; these
// packages do not import each other.
// Above it, render shows a Result, scale runs with growing numbers of workers,
// diagnose profiles, drive supports commands, selftest audits all of it on a
// machine.
//
// N workers start together, call the operation, and record in separate memory:
// in a closed loop back to back, in an open loop at planned starts, with
// latencies that run from the planned start. A Result is data and contains no
// sentences. docs/runner.md explains the report.
//
// Importing this package registers no flag and needs no package testing.
package runner
