// Package request is what a network exchanges: actions with their signatures,
// and what an auditor is shown beside them.
//
//	request.go   Request, and bytes ↔ Request
//	message.go   the message that owners, issuers and auditors sign
//	metadata.go  bytes ↔ the metadata of a request
//
// Section numbers are those of the specification (section 12 above all).
// Decoders take one encoding per value, measure before they read, and return
// views into the bytes read.
package request
