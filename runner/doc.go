// Package runner measures any Go function under load.
//
//	config.go     Config: workers, window, warm-up, arrivals, limits
//	operation.go  Operation: the function and how its inputs are set up
//	run.go        Run: calibrate, warm up, measure, collect
//	phase.go      a stretch of work: its start, what ends it, a stall, ^C
//	worker.go     one worker: the loop; panics and exits contained
//	queue.go      the planned starts that all workers share
//	account.go    what a worker makes of an operation: done, failed, late
//	record.go     latencies and what they add up to, without allocation
//	timeline.go   the same over time, in constant memory
//	clock.go      what measuring itself costs; batches
//	control.go    a known operation in between: is the machine noisy?
//	usage.go      what the runtime did meanwhile
//	result.go     Result: what happened, in numbers
//	figures.go    what follows from the numbers: throughput, quantiles
//	laws.go       what every true Result obeys
//	findings.go   Findings: what the numbers mean
//
// Below it, hist counts durations, schedule says when operations should start,
// stats has the statistics, host reads the machine; none of them knows of the
// others. Above it, render shows a Result, scale runs with growing numbers of
// workers, diagnose profiles, drive has what a command needs, selftest audits
// all of it on a machine.
//
// N workers start together, call the operation and record in memory of their
// own: in a closed loop back to back, in an open loop when a plan says so, and
// then the latency runs from the planned start. A Result is data: nothing in
// it is a sentence. docs/runner.md explains every line of the report.
//
// Importing this package registers no flag and needs no package testing.
package runner
