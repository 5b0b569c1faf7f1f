// Package issue makes and checks issue actions: new tokens of one type
// (specification, sections 6, 9 and 11).
//
// Section numbers refer to the specification.
package issue
