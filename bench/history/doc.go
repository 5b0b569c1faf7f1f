// Package history stores results of benchmarks over revisions in an SQLite
// database, and detects changes of their level.
//
//	store.go    the file; results are added atomically
//	schema.go   its tables
//	series.go   a case and unit over revisions, read from it
//	change.go   changes of the level, slow trends, and the check of all series
//	text.go     lists and plots for a terminal
//
// No other package depends on a history.
package history
