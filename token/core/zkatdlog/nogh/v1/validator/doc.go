// Package validator decides whether a token request may change the ledger
// (specification, section 14).
//
// Each rule is a named function. Issues and transfers have rules, signers and
// effects; hash-time-locked tokens, owners by hash and metadata have rules of
// their own; many requests can be checked together. Options follow the
// reference where it differs from the specification.
//
// Rules run in order, cheap rules first: the signature of an auditor is checked
// before points are decoded; the signatures of owners and then the proofs of
// all actions, with all range proofs in one equation, come last. The verdict is
// the same as in the order of the specification, but an error names the first
// violated rule in the order of this package.
package validator
