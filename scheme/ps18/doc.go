// Package ps18 is the randomisable signature of Pointcheval and Sanders with a
// message-dependent value inside the signature ("Reassessing Security of
// Randomizable Signatures", CT-RSA 2018, eprint 2017/1197, section 4.2).
//
// Verify takes one product of pairings or two pairings, and VerifyBatch many
// signatures under one key. Package curve has the algebra over several libraries,
// and package suite the benchmarked operations.
//
// G1, G2 and GT have prime order q and a pairing e: G1 × G2 → GT of type 3. Groups
// are written additively; g and g̃ are the standard generators. For r messages
//
//	secret key  x, y₁ … y_{r+1}             all different from 0
//	public key  g̃, X̃ = x·g̃, Ỹᵢ = yᵢ·g̃
//	signature   (m', σ₁, σ₂)                 σ₁ = u·g ≠ 0, m' random
//	            σ₂ = (x + Σ_{j≤r} yⱼmⱼ + y_{r+1}m')·σ₁
//	accept      σ₁ ≠ 0 and e(σ₁, A) = e(σ₂, g̃)
//	            A = X̃ + Σ_{j≤r} mⱼ·Ỹⱼ + m'·Ỹ_{r+1}
//
// The package is for measurement: its running time depends on secrets.
package ps18
