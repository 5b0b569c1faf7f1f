// Package audit implements the auditor: it opens every output of a request with
// the metadata of the parties, identifies them, and only then signs
// (specification, section 17).
//
//	audit.go    Auditor: a request with its metadata, action by action
//	values.go   commitments, types, values and sums of the openings
//	parties.go  the owners, senders and receivers
//	later.go    checks that are put off, as they cost less together
//	info.go     audit information of owners with several parties
//
// The auditor bounds the values in openings and compares types and sums of inputs
// and outputs. The validator checks proofs and signatures.
package audit
