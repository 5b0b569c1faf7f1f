// Package bulletproof is the v1 Bulletproof range proof: that V = v·g₁ + γ·h
// with 0 ≤ v < 2ⁿ, one proof for each output, by an inner-product argument
// (Bünz et al., eprint 2017/1066, section 4.2; wire format and challenges of
// the v1 specification, section 7).
//
//	system.go     public parameters, tables, generators by their place
//	proof.go      the proof, and bytes ↔ proof
//	challenge.go  every challenge, shared by prover and verifier
//	prove.go      bits → vector polynomials → inner-product argument
//	ipa.go        the argument: log₂ n rounds, each halving the vectors
//	verify.go     both equations of all proofs in one multi-scalar sum
//	workspace.go  scratch memory, pooled, cleared of secrets
//	family.go     the description of the system: names, wire format
//	session.go    one proof being made or checked, and teams of them
//
// Notation of the paper, indices from 0: n bits, a the bits of v, G and H the
// left and right generators, y z x the challenges, τ δ t̂ the opened values
// (δ is the paper's μ), H′ᵢ = y⁻ⁱ·Hᵢ, ⟨a, b⟩ an inner product.
//
// NOT SOUND against a malicious prover. The challenges of the v1 format forget
// earlier messages: x is a hash of T₁, T₂ only, so it is known before C, D
// and V are fixed, and xⱼ of a round is a hash of Lⱼ, Rⱼ only. Use it to
// measure, and to interoperate with systems that use it; never to protect
// value. docs/security.md has the whole list. Nothing here claims constant
// time.
package bulletproof
