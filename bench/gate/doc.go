// Package gate compares two sets of results of any Go benchmark. The answer is
// yes, no, or cannot tell.
//
// From the figures of two samples, the rules for their unit make a verdict. The
// verdicts on all cases and units, at one look or several, make a Report, which
// is written as text, as Markdown for a job summary, or as JSON. Further parts
// plant faults in benchmarks and say which of them the gate finds, name the
// functions of a regression by CPU profiles, and judge runs of the load runner.
//
// Package result measures; this package does not run benchmarks itself.
package gate
