// Package watch follows a branch on a dedicated machine: a loop over measuring a
// revision, adding it to a history, and comparing two revisions in turns if they look
// different. A regression is reported once a comparison confirms it.
//
// A watch keeps no state in memory between pieces of work: the next piece follows from
// the repository and from complete files in the folder. After it was killed or ran out
// of disk space, a watch therefore continues where it was.
package watch
