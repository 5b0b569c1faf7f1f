// Package ecdsa is ECDSA on P-256 with SHA-256 (FIPS 186-5) over any generated
// field, for measurement.
//
// It has key generation and signing; a test verifies. Secret scalars are made by RFC 6979 or
// from a seed.
//
// Package math/big computes the inverses, modulo the order and for affine
// coordinates, over every field. The package runs in variable time and leaks secrets through
// it: programs sign with crypto/ecdsa.
package ecdsa
