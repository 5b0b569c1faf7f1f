// Package suite declares the threshold signatures as a subject of the harness.
//
//	axes.go      the axes: case, malicious parties, mode, codec, real party
//	scenario.go  the common settings of a run, and its parties
//	measure.go   a recording with a naive run and replays, timed
//	sizes.go     bytes that a party receives, as the specification states them
//	protocols.go the registry: protocols with their cases and lines in tables
//	cases.go     the eight cases, with their set-up and the check of a recording
//	subject.go   the operation: all parties together, or one by replay
//	serving.go   a signing service as an operation
package suite
