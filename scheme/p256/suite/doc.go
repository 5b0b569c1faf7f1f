// Package suite declares the P-256 operations once, as a subject of the
// benchmark harness. docs/p256.md has the results.
//
//	axes.go       fields and message lengths
//	group.go      the groups of the axis, including libraries
//	operations.go signing and key generation
//	subject.go    the subject, with the header of its results
package suite
