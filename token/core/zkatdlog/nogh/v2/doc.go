// Package v2 proves and verifies whole transfers and issues with one sound
// proof each, over the tokens of v1 (docs/spec/zkatdlog-nogh-v2.md; section
// numbers are those of this specification). docs/protocol-v2.md derives the
// protocol. Nobody outside the project has reviewed it yet.
//
//	statement.go    what is proved, its witness, and their bounds
//	params.go       the 85 generators, their digest and tables
//	layout.go       digits in blocks, exponents of x, slots of errors
//	challenge.go    the transcript: the challenges of each step
//	weights.go      everything that follows from the challenges but x
//	prove.go        the prover, step by step
//	commit.go       the commitments of each step
//	polynomial.go   coefficients of Φ and the errors that cancel them
//	respond.go      the responses
//	workspace.go    memory that is used again, and wiped in between
//	codec.go        bytes ↔ Proof; the length is checked before any curve work
//	verify.go       one proof, as the scalars of one sum
//	batch.go        many proofs in one sum; bisection
//
// Notation is additive and that of the specification: t·g₀ + v·g₁ + r·h is a
// token, Gᵢ the generators of slots, H_s those of errors; i counts slots from
// 0, j blocks from 1, o outputs from 1, a tokens from 1, inputs first.
//
// Secrets do not choose branches, and digits do not choose addresses: tables of
// 16 entries are read whole. Blinding factors choose addresses in tables of
// generators. Nothing here claims constant time.
package v2
