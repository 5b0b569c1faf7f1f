// Package limb answers whether a representation of a prime field by signed
// limbs has head-room: whether products overflow 64 bits when operands have
// been added some number of times before. Its answers are a proof, a witness,
// or unknown.
//
// Products and reductions are programs of four instructions. They are interpreted
// over intervals, where a fix point bounds every accumulator, and over wrapping
// words, in the search for operands with a wrong product. The same programs become
// straight-line Go if they are proved safe. Package proofcheck verifies the bounds
// of every step.
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
