// Package issue makes and checks issue actions: new tokens of one type
// (specification, sections 6, 9 and 11).
//
//	action.go  Action, and bytes ↔ Action
//	issuer.go  Issuer: from values and owners to an action without proof; given commitments
//	verify.go  the statement of a proof, in both protocols
//
// Section numbers refer to the specification.
package issue
