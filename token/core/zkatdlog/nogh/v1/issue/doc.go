// Package issue makes and checks issue actions: new tokens of one type
// (specification, sections 6, 9 and 11).
//
//	action.go  Action, and bytes ↔ Action
//	issuer.go  Issuer: from values and owners to an action with its proof
//	given.go   proofs for commitments of the caller
//	verify.go  one action, or many in one equation
//	draft.go   actions without proof, in the protocol of the network
//
// Section numbers refer to the specification.
package issue
