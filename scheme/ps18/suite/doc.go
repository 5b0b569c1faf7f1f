// Package suite declares the benchmarked operations of pairing signatures once:
// set-up, work, check.
//
//	subject.go    the suite as a bench.Subject
//	axes.go       the parameters of the matrix, and their flags
//	setting.go    the curve, the keys and the signatures of a case
//	issuing.go    KeyGen and Sign
//	verifying.go  Verify, Decode and VerifyBatch
//	counts.go     the figures of -ops
//	costs.go      unit costs of a curve
package suite
