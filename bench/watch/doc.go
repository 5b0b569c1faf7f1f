// Package watch follows a branch on a dedicated machine: it measures revisions one
// after the other, keeps the results in a history, and reports a regression once a
// comparison of the two revisions confirms it.
//
//	watch.go    Watch: the loop, and the next piece of work
//	state.go    the folder of a watch: results, findings, reasons
//	queue.go    the revisions to measure, and their order
//	suspect.go  changes that may be regressions
//	finding.go  the answer to a suspicion
//	harness.go  whether the benchmark itself changed
//	canary.go   a fixed workload around each measurement
//	lab.go      Lab: builds and measures revisions
//	page.go     the page over revisions
//
// Nothing is kept in memory between pieces of work: the next one follows from the
// repository and from complete files in the folder. A watch that was killed, or
// whose disk was full, therefore continues where it was.
package watch
