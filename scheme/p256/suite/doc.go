// Package suite declares the P-256 operations once, as a subject of the
// benchmark harness. docs/p256.md has the results.
package suite
