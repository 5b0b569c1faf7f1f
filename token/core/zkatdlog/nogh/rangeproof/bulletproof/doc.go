// Package bulletproof is the v1 Bulletproof range proof: that V = v·g₁ + γ·h
// with 0 ≤ v < 2ⁿ, one proof for each output, by an inner-product argument
// (Bünz et al., eprint 2017/1066, section 4.2; wire format and challenges of
// the v1 specification, section 7).
//
// The prover goes from bits to vector polynomials to an inner-product argument of
// log₂ n rounds, each of which halves the vectors. The verifier checks both
// equations of all proofs in one multi-scalar sum. Prover and verifier share the
// code of every challenge.
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
