// Package runner measures any Go function under load.
//
// N workers start together, call the operation, and record in separate memory:
// in a closed loop back to back, in an open loop at planned starts, with
// latencies that run from the planned start. Run returns a Result of package
// runner/result, which is data and contains no sentences; package runner/judge
// says what it means. docs/runner.md explains the report.
//
//	operation.go  Operation: the function and how its inputs are set up
//	mix.go        Mix: several operations in one run, by weight
//	run.go        Run: calibrate, warm up, measure, collect
//	replay.go     Replay: a run in simulated time
//	phase.go      the warm-up or the window: start, end, stall, ^C
//	worker.go     one worker: the loop; panics and exits contained
//	queue.go      the planned starts that all workers share
//	account.go    accounting of operations: done, failed, late
//	gather.go     the records of all workers become a Result
//	clock.go      cost of measuring itself
//	control.go    a known operation in between, which shows a noisy machine
//	usage.go      garbage collection, locks and scheduling during the window
//	config.go     checks and defaults of a Config
//	bench.go      Bench: an operation in a benchmark of package testing
//
// Below it, result keeps what was measured, hist counts durations, schedule plans
// starts, stats provides the statistics, host reads the machine, cputime reads
// processor time. Beside it, judge computes intervals, findings and verdicts from a
// Result. Above both, render shows a Result, scale runs with growing numbers of
// workers, diagnose profiles, drive supports commands, selftest audits all of it
// on a machine.
//
// Importing this package registers no flag and needs no package testing.
package runner
