// Package idemix implements owners with anonymous credentials (specification,
// sections 13.3 and 13.4). An identity of type 1 is a fresh pseudonym with a
// presentation of a credential. An identity of type 3 is the pseudonym of an
// enrolment identifier; each of its signatures carries a fresh identity of type 1.
//
//	keys.go    Keys: the issuers' keys, for registries and auditors
//	verify.go  the verifiers of both types
//	batch.go   the points, sums and pairings of many signatures together
//	memo.go    Remember: presentations that were verified before
//	info.go    audit information, which opens a presentation's pseudonyms
//	audit.go   matching an identity with its audit information
//
// It has three packages: presentation reads all bytes, credential
// verifies the read values on our groups, and library issues credentials and makes
// wallets with github.com/IBM/idemix, for tests and benchmarks. Validators and
// auditors do not link that library.
package idemix
