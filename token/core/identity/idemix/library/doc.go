// Package library uses github.com/IBM/idemix: it issues credentials and makes
// wallets for tests and benchmarks. Validators and auditors do not import it.
//
//	scheme.go  the library's schemes for the curves
//	issuer.go  Issuer, which enrols users
//	wallet.go  Wallet, a pseudonym that signs
//	nymwallet.go  NymWallet, a pseudonym of the enrolment identifier
//
// The library panics on some malformed input; calls are guarded, and a panic
// becomes an error.
package library
