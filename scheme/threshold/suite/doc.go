// Package suite declares the threshold signatures as a subject of the harness.
//
//	axes.go      the axes: case, malicious parties, mode, codec
//	scenario.go  what a run agrees on, and how its parties are made
//	measure.go   a recording and a replay with their times
//	cases.go     the seven cases, with their set-up and the check of a recording
//	subject.go   the operation: all parties together, or one by replay
package suite
