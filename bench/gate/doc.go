// Package gate compares two sets of results of any Go benchmark. The answer is
// yes, no, or cannot tell.
//
//	stat.go      the figures of two samples: shift, interval, test, layouts, corrections
//	rules.go     definition of a regression by unit, read from a file
//	direction.go the direction of a unit, by its name
//	verdict.go   the verdict on one case and unit
//	prove.go     faults in the loops of benchmarks, and those that the gate finds
//	functions.go the functions of a regression of time, by CPU profiles
//	judge.go     all cases and units, at one look or several; wall time or processor time
//	contention.go benchmarks that are slower with more processors
//	until.go     measurement in turns until all are decided
//	load.go      single runs of the load runner
//	report.go    the outcome of a comparison, and reasons to doubt its figures
//	text.go      as text
//	summary.go   as Markdown, for a job summary, and as JSON
//
// Package result measures; this package does not run benchmarks itself.
package gate
