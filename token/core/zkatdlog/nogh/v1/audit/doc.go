// Package audit implements the auditor: it opens every output of a request with
// the metadata of the parties, identifies them, and only then signs
// (specification, section 17).
//
//	audit.go    Auditor: a request with its metadata, action by action
//	values.go   commitments, types, values and sums of the openings
//	parties.go  the owners, senders and receivers
//	info.go     audit information of owners with several parties
//
// The auditor bounds the values in openings and compares types and sums of inputs
// and outputs. The validator checks proofs and signatures.
package audit
