// Package v2 proves and verifies transfers and issues with one sound proof for
// each action, over the tokens of v1 (docs/spec/zkatdlog-nogh-v2.md; section
// numbers refer to this specification). docs/protocol-v2.md derives the
// protocol, docs/figures.md has its costs. The protocol has had no review outside
// the project yet.
//
// The prover goes step by step through the specification: digits in blocks,
// messages and nonces by tables, the coefficients of a polynomial with the errors
// that cancel them, responses. One proof is verified as the scalars of one sum,
// many proofs in one sum, with bisection if it is not zero. Prover and verifier
// share the transcript and the values derived from its challenges.
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
