// Package transfer makes and checks transfer actions: they spend tokens of one
// type and create new ones of the same total; outputs without owner are
// redeemed (specification, sections 5, 9 and 10).
//
//	action.go  Action, and bytes ↔ Action
//	sender.go  Sender: from tokens with openings to an action without proof; given commitments
//	verify.go  the statement of a proof, in both protocols
//
// Section numbers refer to the specification.
package transfer
