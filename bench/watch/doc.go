// Package watch follows a branch on a dedicated machine: a loop over measuring a
// revision, adding it to a history, and comparing two revisions in turns if they look
// different. A regression is reported once a comparison confirms it.
//
//	watch.go    Watch: the loop, and the next piece of work
//	state.go    the folder and the branch at one moment
//	finding.go  pairs of revisions that may differ, and the answer to each suspicion
//	page.go     the page over revisions
//
// Nothing is kept in memory between pieces of work: the next one follows from the
// repository and from complete files in the folder. A watch that was killed, or
// whose disk was full, therefore continues where it was.
package watch
