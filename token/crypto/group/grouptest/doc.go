// Package grouptest has Toy, a group small enough to test every value, Spy, which records
// the scalars of hashes, sums of points outside the group, and in its tests the
// conformance suite of backends of group.Group.
//
//	toy.go             Toy
//	spy.go             Spy
//	torsion.go         sums of points of the whole curve
//	suite_test.go      the groups that conform; backends of one curve give the same bytes
//	laws_test.go       the suite: laws, encodings, aliasing, concurrency, tables
//	curvepoint_test.go points of the whole curve, including small order; digits
//	vectors_test.go    known answers for all curves of mathlib
//	curve_test.go      laws of points
//	field_test.go      laws of scalars
//	fixed_test.go      tables against plain sums
//	sums_test.go       random sums of every kind
package grouptest
