// Package audit is the auditor: it opens every output of a request with the
// metadata that the parties hand it, looks who they are, and only then signs
// (specification, section 17).
//
//	audit.go    Auditor: a request with its metadata, action by action
//	values.go   what the openings say: commitments, types, values, sums
//	parties.go  who the parties are
//
// The reference's auditor does not bound the values in openings and does not
// compare types and sums of inputs and outputs; this one does. Proofs and
// signatures are the validator's.
package audit
