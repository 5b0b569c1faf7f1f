// Package suite declares the benchmarked operations of pairing signatures once:
// set-up, work, check.
package suite
