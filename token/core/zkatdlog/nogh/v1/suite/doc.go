// Package suite declares each benchmarked operation of the v1 protocol once: its set-up, its
// work and its check. Subject lists the operations, the parameters of the matrix with their
// flags, the lines that describe a result, and the unit costs of the group of a case.
// Capacity gives the operations to the roles of a network, for plans.
//
// The operations make and verify transfers and issues, one action at a time and in whole
// requests. The same operations on tokens in the clear are a baseline, and others verify
// many transfers together. The network of a case is kept for the next case that needs it.
//
// Package bench drives operations by testing.B and by the runner, and package suitetest
// drives those of this package from go test. docs/measuring.md is the user's guide.
package suite
