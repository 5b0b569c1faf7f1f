// Package transfer makes and checks transfer actions: they spend tokens of one
// type and create new ones of the same total; outputs without owner are
// redeemed (specification, sections 5, 9 and 10).
//
// Section numbers refer to the specification.
package transfer
