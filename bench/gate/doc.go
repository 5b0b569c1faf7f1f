// Package gate compares two sets of benchmark results and says yes, no, or
// cannot tell, for any Go benchmark.
//
//	stat.go      the shift between two samples, its interval, corrections
//	rules.go     what counts as a regression of a unit, read from a file
//	verdict.go   one case and unit, judged
//	judge.go     all of them, looked at once or again and again
//	until.go     measuring in turns until all are decided
//	report.go    what came of it, and whether that passes
//	text.go      for humans
//	markdown.go  for a job summary
//	json.go      for machines
//
// Package result measures; this one never runs a benchmark itself.
package gate
