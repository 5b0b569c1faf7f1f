// Package report draws results of any Go benchmark, and of the load runner, as
// a self-contained HTML page: no network, no external script.
//
//	report.go       Read files, Write the page
//	input.go        classification of files: results and runs under load
//	benchmark.go    parsed names: a benchmark, its axes, its cases
//	summary.go      the median of samples and its interval
//	headline.go     the summary at the top: measured, changed, trust, findings
//	findings.go     the rules of findings about files, and the findings of runs
//	changes.go      verdicts of package gate on the results against the base
//	page.go         the page: sections of figures, each with its table
//	strips.go       the pictures in the rows of tables
//	axis.go         ranges of axes, and values with units
//	environment.go  the circumstances of the measurement
//	matrix.go       heat tables
//	results.go      every result as a point, the density, and the change against the base
//	lines.go        time against each numeric axis
//	counts.go       stacked bars of exact counts, by phase if there are phases
//	inside.go       steps, live memory and flame graphs
//	latency.go      histogram and percentiles of runs under load
//	runs.go         their text reports as tables
//	overtime.go     throughput and latency over time, and the heat map of latency
//	scaling.go      throughput over workers, with fitted laws
//	trend.go        cases over revisions
//	charts.go       a page of other charts
//
// Package bench/chart draws the pictures. Axes are optional: names without key=value are shown too.
package report
