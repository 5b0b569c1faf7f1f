// Package issue makes and checks issue actions: new tokens of one type
// (specification, sections 6, 9 and 11).
//
//	action.go  Action, and bytes ↔ Action
//	issuer.go  Issuer: from values and owners to an action with its proof
//	given.go   proofs for commitments of the caller
//	verify.go  one action, or many in one equation
//	v2.go      issues with one v2 proof
//
// Section numbers refer to the specification.
package issue
