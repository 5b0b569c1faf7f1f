// Package report draws results of any Go benchmark, and of the load runner, as
// one HTML page that needs nothing else: no network, no script of anyone's.
//
//	report.go       Read files, Write the page
//	input.go        which files are results, and which are runs under load
//	benchmark.go    names taken apart: a benchmark, its axes, its cases
//	summary.go      the median of samples, and where it lies
//	number.go       numbers with units, for people
//	page.go         the page: sections of figures, each with its table
//	svg.go          plots as SVG whose colours the page chooses
//	axis.go         marks and labels of the axes of plots
//	environment.go  what was measured, where
//	matrix.go       heat tables
//	lines.go        time against each numeric axis
//	counts.go       stacked bars of exact counts, by phase if there are phases
//	compare.go      ratios of two files
//	latency.go      histogram and percentiles of runs under load
//	overtime.go     their picture of time × latency
//	scaling.go      throughput over workers, with the laws that fit
//	trend.go        cases over revisions
//
// A benchmark needs no axes: names without key=value are shown too.
package report
