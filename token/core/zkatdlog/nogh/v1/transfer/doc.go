// Package transfer makes and checks transfer actions: they spend tokens of one
// type and create new ones of the same total; outputs without owner are
// redeemed (specification, sections 5, 9 and 10).
//
//	action.go  Action, and bytes ↔ Action
//	sender.go  Sender: from tokens with openings to an action with its proof
//	given.go   proofs for commitments of the caller
//	verify.go  one action, or many in one equation
//	draft.go   actions without proof, in the protocol of the network
//
// Section numbers refer to the specification.
package transfer
