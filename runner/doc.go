// Package runner measures any Go function under load.
//
//	runner.go     Config, Operation and Run: start, warm up, record, stop
//	worker.go     one worker: the loop, what it records, panics contained
//	histogram.go  latencies in constant memory, 0.05 % wide buckets
//	memory.go     allocations of the operation, measured apart; GC figures
//	result.go     Result: what happened, in numbers
//	stats.go      percentiles and moments, pure functions of a Result
//	findings.go   Findings: what the numbers mean
//	render/       text for people
//
// N workers start together behind a barrier, call the operation back to back
// (a closed loop) and record each call's duration in memory of their own. A
// Result is data: nothing in it is a sentence, and only package render knows
// of columns and colour. docs/runner.md explains every line of the report.
//
// Importing this package registers no flag and needs nothing else of ours.
package runner
