// Package grouptest is what every backend of group.Group has to pass.
//
//	suite.go     Run: laws, encodings, aliasing, concurrency, tables
//	curvepoint.go points of the whole curve, of small order too; digits
//	differ.go    Differ: two backends of one curve give the same bytes
//	vectors.go   known answers for all curves of mathlib
//	toy.go       Toy: a group so small that tests can try every value
package grouptest
