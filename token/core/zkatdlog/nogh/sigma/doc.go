// Package sigma has the two Schnorr-type proofs of the v1 token protocol,
// made non-interactive with package transcript.
//
// For transfers the proof shows that all tokens have one type and inputs add up to
// outputs; for issues, that the type of all outputs is the committed one.
//
// Notation: g₀, g₁, h are the generators of the type, the value and the
// blinding factor; CT = t·g₀ + b·h commits to the type t under the type
// blinding b; In, Out are token commitments t·g₀ + v·g₁ + r·h; primes are
// differences to CT. c is the challenge, k nonces and z = c·secret + k
// responses. docs/protocol-v1.md derives the equations.
//
// The challenge of each proof is computed in one function that prover and
// verifier share. Values that these challenges do not bind (public parameters, token
// identifiers, owners, the other proofs of an action) is listed in
// docs/security.md.
package sigma

import "errors"

// ErrRejected says that a well-formed proof does not prove its statement.
var ErrRejected = errors.New("sigma proof is rejected")

// ErrWitness says that a prover was given a witness of the wrong shape.
var ErrWitness = errors.New("witness does not fit the statement")
