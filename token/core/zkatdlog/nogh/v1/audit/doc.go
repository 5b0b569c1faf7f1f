// Package audit implements the auditor: it opens every output of a request with
// the metadata of the parties, identifies them, and only then signs
// (specification, section 17).
//
// Checks that cost less together are put off to the end of a request.
//
// The auditor bounds the values in openings and compares types and sums of inputs
// and outputs. The validator checks proofs and signatures.
package audit
