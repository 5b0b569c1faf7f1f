// Package watch follows a branch on a dedicated machine: a loop over measuring a
// revision, adding it to a history, and comparing two revisions in turns if they look
// different. A regression is reported once a comparison confirms it.
//
//	watch.go    Watch: the loop, and the next piece of work
//	state.go    the folder and the branch at one moment
//	finding.go  pairs of revisions that may differ, and the answer to each suspicion
//	lab.go      revisions are measured and compared as in package compare
//	page.go     the page over revisions
//
// A watch keeps no state in memory between pieces of work: the next piece follows from
// the repository and from complete files in the folder. After it was killed or ran out
// of disk space, a watch therefore continues where it was.
package watch
