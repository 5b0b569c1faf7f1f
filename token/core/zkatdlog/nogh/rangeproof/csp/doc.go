// Package csp implements the compressed-sigma-protocol range proof of the v1
// wire format: V = v·g₁ + γ·h with 0 ≤ v < 2ⁿ, for any n from 1 to 64, with one
// proof for each output (Attema and Cramer, eprint 2020/152; wire format and
// challenges of the v1 specification, section 8; derived in
// docs/protocol-v1-csp.md).
//
// The prover goes from bits to polynomials through the points 0 … n and 0 … 2n
// to a masked opening of a linear form, which states that these are the bits of
// v. R rounds compress the opening; each halves the vectors. The verifier
// checks both equations of all proofs in one multi-scalar sum. Prover and
// verifier share the code of every challenge.
//
// Notation of the specification, with indices from 0: n bits; A and B the left
// and right generators, n+1 each; E = (A, B, η·g₁, η·h) the generators of the
// form, padded to N = 2ᴿ; e η c φ ρ cⱼ the challenges; (ζv, ζr) the responses
// of a Schnorr proof of an opening of V; ⟨a, b⟩ an inner product.
//
// All earlier messages, all generators and n enter every challenge, so unlike
// the v1 Bulletproof this proof is sound against a malicious prover, under the
// discrete logarithm assumption and with SHA-256 as a random oracle. The curve
// and the application do not enter: a proof is valid for its V in any context.
// The package does not claim constant time.
package csp
