// Package history stores results of benchmarks over revisions in a file of text, and
// detects changes of their level.
//
//	store.go    the file; results are added atomically, by one writer at a time
//	full_*.go   whether there is no room for it
//	series.go   a case and unit over revisions, read from it, and lists for a terminal
//	change.go   changes of the level, slow trends, and the check of all series
//
// No other package depends on a history.
package history
