// Package idemix implements owners with anonymous credentials (specification,
// sections 13.3 and 13.4). An identity of type 1 is a fresh pseudonym with a
// presentation of a credential. An identity of type 3 is the pseudonym of an
// enrolment identifier; each of its signatures carries a fresh identity of type 1.
//
// Keys has the keys of the issuers, for registries and auditors. Remember keeps
// presentations that were verified before. Audit information opens the pseudonyms
// of a presentation.
//
// It has three packages: presentation reads all bytes, credential
// verifies the read values on our groups, and library issues credentials and makes
// wallets with github.com/IBM/idemix, for tests and benchmarks. Validators and
// auditors do not link that library.
package idemix
