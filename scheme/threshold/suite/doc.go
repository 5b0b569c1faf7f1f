// Package suite declares the threshold signatures as a subject of the harness.
//
// A registry has the protocols with their cases and their lines in tables, and
// a Scenario the common settings of a run with its parties. The operations are
// all parties together, one party by replay, and a service that signs with
// presignatures from a pool.
package suite
