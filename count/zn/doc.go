// Package zn is a group that is not secure: the integers modulo a prime n
// under addition, where discrete logarithms are divisions. It exists to count.
// A protocol run over it does the same operations as over a curve, its elements
// cost nothing, and every algorithm for exponentiation can be chosen.
//
//	group.go       Group, the algorithms it uses, elements without history
//	expr.go        Element: an expression that is evaluated when it must be
//	evaluate.go    what an expression costs outside of exponentiations
//	algorithm.go   wNAF, sliding windows, interleaving (Straus), Pippenger
//	bilinear.go    a pairing (a, b) ↦ a·b of three such groups
//
// The group is written multiplicatively, as by those who count exponentiations:
// x.Mul(y.Pow(k)) builds an expression, and Group.Compute evaluates it as
// one product of powers: a single power is an exponentiation, several are one
// multi-exponentiation, what has no power is multiplied as it stands.
//
// Counts go to the bucket of the Group that evaluates, so phases are told apart
// by evaluating in Group.Phase(name).
package zn
