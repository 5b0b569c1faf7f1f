// Package grouptest is the conformance suite of backends of group.Group.
//
//	suite.go       Run: laws, encodings, aliasing, concurrency, tables
//	curvepoint.go  points of the whole curve, including small order; digits
//	differ.go      Differ: two backends of one curve give the same bytes
//	vectors.go     known answers for all curves of mathlib
//	toy.go         Toy: a group small enough to test every value
//	curve.go       laws of points
//	field.go       laws of scalars
//	fixed.go       tables against plain sums
//	random.go      random multiples by every primitive
package grouptest
