// Package x509 is the identities whose signatures are ECDSA under a key in
// PEM: a certificate, or a bare PKIX public key.
//
//	verify.go  the verifier of an identity, and what it accepts
//	wallet.go  a private key with its identity
//	audit.go   what an auditor is told about an identity
//
// Signatures are DER SEQUENCE { r, s } over SHA-256 of the message with
// s ≤ order/2, so that a signature has one form (specification, section 13.2).
// Validity dates, chain and usage of certificates are not checked: which
// identities count is said by the public parameters and by the tokens.
package x509
