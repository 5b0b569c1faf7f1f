// Package compare measures two sides in turns, or reads their files of results, and judges the
// difference: the commands compare, gate and watch.
//
// A [Side] is a revision, a folder, test binaries or a file. [Check] refuses sides that do not exist.
// [Run] builds both sides in several layouts of their functions, measures them in turns until every case
// is decided or the budget is spent, and returns the report of package gate. [Away] does the same on other
// machines, and [Prove] plants faults to show which of them the comparison finds. [Measure] measures one
// side, for a history.
//
//	compare.go  Options; Run: both sides in turns; Measure: one side
//	side.go     the kinds of sides, and what is refused before any work
//	build.go    checkouts, builds and layouts
//	files.go    files of benchmarks and of loads
//	away.go     shards on hosts
//	prove.go    planted faults
package compare
