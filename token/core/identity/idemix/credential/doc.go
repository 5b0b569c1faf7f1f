// Package credential verifies Idemix presentations and pseudonym signatures that
// package presentation has read, without the Idemix library.
//
// Key is the public key of an issuer, prepared. Item has the sums of one
// presentation or signature; the sums of many are computed in lockstep. An Opening
// has the attributes behind the pseudonyms of a presentation, for auditors.
//
// Both schemes have the same equations. With ĉ the challenge of the "dlog" scheme
// and minus the challenge of BBS+, the responses of package presentation, bases
// h, k, a₀ … a₃ and the generators g₁ and g₂:
//
//	e(A′, W) = e(Ā, g₂)
//	t₁ = s_e·A′ + s_r2·h - ĉ·(Ā - B)
//	t₂ = s_r3·B + s_s·h + s_sk·k + Σ s_aᵢ·aᵢ + ĉ·g₁
//	t₃ = s_sk·k + s_nym·h - ĉ·Nym
//	t₄ = s_a2·a₂ + s_eid·h - ĉ·E
//	t₅ = s_a3·a₃ + s_rh·h - ĉ·R
//
// On BN254 the sums hash to the challenge, on BLS12-381 they are the commitments.
// A signature of the pseudonym is a sixth sum of the form of t₃. The commitments
// of BLS12-381 are not checked to be in the group: each equals a sum, which is.
//
// The sums are checked exactly, one by one. Only the pairings of a batch are
// checked together, with weights of 128 bits (batch.go).
//
// testdata/presentations.json has a recorded presentation of each curve with all
// intermediate values, for other implementations (vectors_test.go).
//
// Tests compare the verdicts with the verdicts of github.com/IBM/idemix on
// recorded, fresh and changed presentations (docs/figures.md). The package has had
// no outside review. It reads no secrets and does not claim constant time.
package credential
