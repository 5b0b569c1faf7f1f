// Package history keeps results of benchmarks over revisions, in a file that
// is an SQLite database, and finds where a level changed.
//
//	store.go    the file: results go in whole or not at all
//	schema.go   its tables
//	series.go   a case and unit over revisions, read from it
//	cusum.go    where a series changed
//	text.go     lists and plots for a terminal
//
// Nothing else depends on a history.
package history
