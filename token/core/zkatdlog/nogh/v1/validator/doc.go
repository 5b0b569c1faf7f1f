// Package validator decides whether a token request may change the ledger
// (specification, section 14).
//
//	validator.go   Validator, its options, and the effects of an accepted request
//	rules.go       the rules of requests, each a named function
//	actions.go     actions, and the rules of both kinds
//	issue.go       issues: rules, signers, effects
//	transfer.go    transfers: rules, signers, effects
//	clear.go       actions in the clear, the baseline of benchmarks
//	batch.go       many requests together
//	scripts.go     the rules of hash-time-locked tokens and of metadata
//	signatures.go  the required signatures and their order
//	hashed.go      owners by hash, shown before signatures are verified
//	reference.go   differences from the reference, and options to follow it
//
// Rules run in order, cheap rules first: the signature of an auditor is checked
// before points are decoded; the signatures of owners and then the proofs of
// all actions, with all range proofs in one equation, come last. The verdict is
// the same as in the order of the specification, but an error names the first
// violated rule in the order of this package.
package validator
