// Package idemix is owners who show nothing but that an issuer knows them: a
// fresh pseudonym with a presentation of a credential (identity type 1), or
// the pseudonym of an enrolment id, under which each signature carries a fresh
// one of the first kind (type 3; specification, sections 13.3 and 13.4).
//
//	keys.go    Keys: the issuers' keys, and what a registry needs
//	verify.go  the verifiers of both types
//	issuer.go  Issuer, which enrols users
//	wallet.go  Wallet, a pseudonym that signs
//	info.go    audit information, which opens a presentation's pseudonyms
//	audit.go   matching an identity with what tells an auditor who it is
//
// The cryptography is that of github.com/IBM/idemix: its "dlog" scheme on BN254
// and its BBS+ scheme on BLS12-381. The library is large and brings pairings
// and a logger along, so only programs that need such owners import this
// package. It panics on some malformed input; what it is asked here runs
// guarded and a panic becomes an error.
package idemix
