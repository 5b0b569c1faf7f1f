// Package x509 implements identities with an ECDSA key in PEM: a certificate or
// a bare PKIX public key.
//
// Keys has identities that are parsed once and verifies signatures together;
// Wallet is a private key with its identity; AuditInfo names the owner of an
// identity to an auditor.
//
// Signatures are DER SEQUENCE { r, s } over SHA-256 of the message with
// s ≤ order/2, so that a signature has one form (specification, section 13.2).
// Verifiers do not check validity dates, chain or usage of certificates: public
// parameters and tokens name the identities that count.
package x509
