// Package library uses github.com/IBM/idemix: it issues credentials and makes
// wallets for tests and benchmarks. Validators and auditors do not import it.
//
// The library panics on some malformed input; calls are guarded, and a panic
// becomes an error.
package library
