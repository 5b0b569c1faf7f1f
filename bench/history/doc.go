// Package history stores results of benchmarks over revisions in a file of text, and
// detects changes of their level.
//
// A Store is the file: results are added atomically, by one writer at a time. A
// Series is a case and unit over revisions; changes of its level and slow trends are
// computed when it is read.
//
// No other package depends on a history.
package history
