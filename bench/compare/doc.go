// Package compare measures two sides in turns, or reads their files of results, and judges the
// difference: the commands compare, gate and watch.
//
// A [Side] is a revision, a folder, test binaries or a file. [Check] refuses sides that do not exist.
// [Run] builds both sides in several layouts of their functions, measures them in turns until every case
// is decided or the budget is spent, and returns the report of package gate. [Away] does the same on other
// machines, and [Prove] plants faults to show which of them the comparison finds. [Measure] measures one
// side, for a history.
package compare
