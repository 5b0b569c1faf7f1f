// Package request defines the messages that a network exchanges: actions with
// their signatures, and the metadata for an auditor.
//
// A [Request] is read from and written to bytes. Owners, issuers and auditors sign
// [Request.Message]. A [Version] has the rules that a validator follows, and [Resources] the
// limits of v0.15. [CheckAnchor] and its siblings refuse names that make no safe ledger keys.
//
// Section numbers refer to the specification (mainly section 12). Decoders
// accept one encoding per value, check sizes before they read, and return views
// into the bytes read.
package request
