// Package suite declares the threshold signatures as a subject of the harness.
//
//	axes.go      the axes: case, malicious parties, mode, codec, real party
//	scenario.go  the common settings of a run, and its parties
//	sizes.go     bytes that a party receives, as the specification states them
//	protocols.go the registry: protocols with their cases and lines in tables
//	cases.go     the cases, with their set-up and the check of a recording
//	subject.go   the operation: all parties together, or one by replay
//	service.go   a service that signs with presignatures from a pool, as an operation
package suite
