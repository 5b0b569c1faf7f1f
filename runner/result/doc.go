// Package result keeps the measurements of the load runner: counts, latencies and their
// timeline, the use of the machine. It is data, with figures that are computed without
// any statistical model, and without verdicts.
//
//	result.go    Result: the outcome of a run
//	config.go    Config: the settings of a run
//	record.go    Record: the record of one worker
//	tally.go     Tally: latencies and their sums, without allocation
//	timeline.go  Timeline: latencies over time, in constant memory
//	narrow.go    its narrow bins around the first latencies
//	company.go   service times by the number of others in progress
//	machine.go   clock, control operation, use of the Go runtime
//	figures.go   figures of a Result: throughput, spread, outliers
//	merge.go     Merge: the results of several generators as one
package result
