// Package validator decides whether a token request may change the ledger
// (specification, section 14).
//
//	validator.go   Validator, its options, and what an accepted request does
//	rules.go       the rules of requests, each a function with a name
//	actions.go     the rules of issues and transfers
//	v2.go          v2 proofs, all in one equation
//	batch.go       many requests together
//	scripts.go     the rules of hash-time-locked tokens and of metadata
//	signatures.go  who must sign, in which order
//	reference.go   where the reference accepts more, and how to follow it
//
// Rules run in order, the cheap ones first: an auditor must have signed before
// points are decoded; the signatures of owners and then the proofs of all
// actions, their range proofs in one equation, come last. The verdict is the
// same as in the order of the specification, except that an error names the
// first rule here.
package validator
