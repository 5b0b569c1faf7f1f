// Package ecdsa is ECDSA on P-256 with SHA-256 (FIPS 186-5) over any generated
// field, for measurement.
//
//	group.go   the operations on the curve that ECDSA needs, and how fields provide them
//	nonce.go   secret scalars: RFC 6979, and seeded generators
//	ecdsa.go   key generation and signing; a test verifies
//
// Package math/big computes the inverses, modulo the order and for affine
// coordinates, over every field. The package runs in variable time and leaks secrets through
// it: programs sign with crypto/ecdsa.
package ecdsa
