// Package zn is an insecure group for counting: the integers modulo n
// under addition, where discrete logarithms are divisions. A protocol over it
// performs the same operations as over a curve, its elements are free, and
// the algorithm for exponentiation can be chosen.
//
// The algorithms are wNAF, sliding windows, interleaving (Straus) and
// Pippenger, by three conventions for the neutral element. Three such groups
// have the pairing (a, b) ↦ a·b.
//
// The group is written multiplicatively, as usual when counting
// exponentiations: x.Mul(y.Pow(k)) builds an expression, and Group.Compute
// evaluates it as one product of powers. A single power is an exponentiation,
// several powers are one multi-exponentiation, and factors without a power are
// multiplied directly.
//
// Counts go to the bucket of the evaluating Group, so evaluate in
// Group.Phase(name) to separate phases.
package zn
