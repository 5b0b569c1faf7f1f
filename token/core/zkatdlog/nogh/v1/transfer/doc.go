// Package transfer makes and checks transfer actions: tokens of one type are
// spent, and new ones of the same total made; outputs without owner are
// redeemed (specification, sections 5, 9 and 10).
//
//	action.go  Action, and bytes ↔ Action
//	sender.go  Sender: from tokens with openings to an action with its proof
//	verify.go  one action, or many in one equation
//
// Section numbers are those of the specification.
package transfer
