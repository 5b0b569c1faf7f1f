// Package idemix implements owners with anonymous credentials (specification,
// sections 13.3 and 13.4). An identity of type 1 is a fresh pseudonym with a
// presentation of a credential. An identity of type 3 is the pseudonym of an
// enrolment identifier; each of its signatures carries a fresh identity of type 1.
//
//	keys.go    Keys: the issuers' keys, for registries and auditors
//	verify.go  the verifiers of both types
//	issuer.go  Issuer, which enrols users
//	wallet.go  Wallet, a pseudonym that signs
//	info.go    audit information, which opens a presentation's pseudonyms
//	audit.go   matching an identity with its audit information
//
// Package presentation reads all bytes first, by stricter rules. The cryptography
// is done by github.com/IBM/idemix: its "dlog" scheme on BN254 and its BBS+
// scheme on BLS12-381. The library is large, so only programs with Idemix owners
// import this package. Calls of the library are guarded: a panic becomes an error.
package idemix
