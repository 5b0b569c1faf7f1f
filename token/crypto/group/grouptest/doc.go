// Package grouptest has Toy, a group small enough to test every value, Spy, which records
// the scalars of hashes, sums of points outside the group, and in its tests the
// conformance suite of backends of group.Group.
//
// The suite has the laws of points and scalars, encodings, aliasing and concurrency,
// compares tables with plain sums, and has known answers for all curves of mathlib.
package grouptest
