// Package bulletproof is the v1 Bulletproof range proof: that V = v·g₁ + γ·h
// with 0 ≤ v < 2ⁿ, one proof for each output, by an inner-product argument
// (Bünz et al., eprint 2017/1066, section 4.2; wire format and challenges of
// the v1 specification, section 7).
//
//	system.go     public parameters, tables, generators by their place
//	proof.go      the proof, and bytes ↔ proof
//	challenge.go  every challenge, shared by prover and verifier
//	prove.go      the prover: bits → vector polynomials → inner-product argument
//	ipa.go        K, and the argument: log₂ n rounds, each halving the vectors
//	verify.go     both equations of all proofs in one multi-scalar sum
//	family.go     the description of the system: names, wire format
//
// Notation of the paper, indices from 0: n bits, a the bits of v, G and H the
// left and right generators, y z x the challenges, τ δ t̂ the opened values
// (δ is the paper's μ), H′ᵢ = y⁻ⁱ·Hᵢ, ⟨a, b⟩ an inner product.
//
// For measurement and interoperation only: the challenges of the v1 format do not
// bind all earlier messages, so soundness against a malicious prover is not
// claimed. Never protect value with it; docs/security.md has the rule that
// validators enforce. The package does not claim constant time.
package bulletproof
