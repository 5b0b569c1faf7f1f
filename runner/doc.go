// Package runner measures any Go function under load.
//
// N workers start together, call the operation, and record in separate memory:
// in a closed loop back to back, in an open loop at planned starts, with
// latencies that run from the planned start. Run returns a Result of package
// runner/result, which is data and contains no sentences; package runner/judge
// says what it means. docs/runner.md explains the report.
//
// Run calibrates, warms up, measures and collects. A phase, which is the warm-up or
// the window, has workers that share the planned starts; account is kept of
// operations that are done, failed or late; and the records of all workers are
// gathered into the Result. Mix has several operations in one run, Replay is a run
// in simulated time, and Bench a run in a benchmark of package testing.
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
