// Package idemixtest makes Idemix owners of type 1 without a credential, for
// tests: all sums of their presentations and signatures are right, and only the
// pairing of a presentation is wrong.
//
//	forger.go  Forger: the secrets, the commitments and the responses
//	encode.go  the messages of both schemes
//
// It is written from the equations with scalar multiplications alone, and uses
// no part of package credential, which is tested with it.
package idemixtest
