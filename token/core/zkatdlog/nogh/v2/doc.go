// Package v2 proves and verifies transfers and issues with one sound proof for
// each action, over the tokens of v1 (docs/spec/zkatdlog-nogh-v2.md; section
// numbers refer to this specification). docs/protocol-v2.md derives the
// protocol, docs/figures.md has its costs. The protocol has had no review outside
// the project yet.
//
//	statement.go    the statement, its witness, and their bounds
//	params.go       the 85 generators, their digest and tables
//	layout.go       digits in blocks, slots of errors
//	messages.go     tables of messages, nonces and responses; the commitments
//	challenge.go    the transcript: the challenges of each step
//	weights.go      values derived from the challenges before x
//	prove.go        the prover, step by step
//	polynomial.go   coefficients of Φ and the errors that cancel them
//	respond.go      the responses
//	workspace.go    scratch memory, wiped between uses
//	codec.go        bytes ↔ Proof; the length is checked before any curve work
//	verify.go       one proof, as the scalars of one sum
//	batch.go        many proofs in one sum; bisection
//
// Notation is additive and follows the specification: t·g₀ + v·g₁ + r·h is a
// token, Gᵢ the generators of slots, H_s the generators of errors; i counts
// slots from 0, j blocks from 1, o outputs from 1, a tokens from 1, inputs
// first.
//
// Secrets do not determine branches, and digits do not determine addresses:
// tables of 16 entries are read completely. Blinding factors determine
// addresses in tables of generators. The package does not claim constant time.
package v2
