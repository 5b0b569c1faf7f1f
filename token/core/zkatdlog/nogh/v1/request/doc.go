// Package request defines the messages that a network exchanges: actions with
// their signatures, and the metadata for an auditor.
//
//	request.go    Request, and bytes ↔ Request
//	message.go    the message that owners, issuers and auditors sign
//	keys.go       names that may be parts of ledger keys
//	metadata.go   bytes ↔ the metadata of a request
//	version.go    Version: the rules that a validator follows
//	resources.go  Resources, the limits of v0.15
//
// Section numbers refer to the specification (mainly section 12). Decoders
// accept one encoding per value, check sizes before they read, and return views
// into the bytes read.
package request
