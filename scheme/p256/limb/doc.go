// Package limb answers whether a representation of a prime field by signed
// limbs has head-room: whether products overflow 64 bits when operands have
// been added some number of times before. Its answers are a proof, a witness,
// or unknown.
//
//	modulus.go    p = 2^k − ΣTerms: P-256, P-384, P-521, 2²⁵⁵ − 19 and others
//	geometry.go   n limbs of b bits; integers ↔ limbs
//	ir.go         the four instructions, and the programs of products and reductions
//	interpret.go  programs over wrapping words; a test has them over the integers
//	interval.go   integer intervals
//	analyse.go    bounds of every accumulator, by a fix point over the programs
//	proof.go      the bounds of every step, for package proofcheck
//	search.go     operands with a wrong product
//	headroom.go   the three verdicts
//	tables.go     tables of verdicts, for settings and sizes of limbs
//	thread.go     the question of the review thread, with its arithmetic
//	generate.go   straight-line Go from the same programs, if they are proved safe
//
// A product ends with one or more passes that carry the top limbs, reduce the part
// above them, and carry all limbs. Setting.ExtraTop repeats the reduction of the
// top limb in each pass, which proves more additions than a single pass and costs
// less than two.
//
// Notation: b bits a limb, n limbs, limbs a₀ … aₙ₋₁ (least significant first),
// accumulators c₀ … c₂ₙ₋₁, k additions before a product. docs/p256.md tells the
// story and has the results.
package limb
