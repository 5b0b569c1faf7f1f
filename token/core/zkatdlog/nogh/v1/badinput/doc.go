// Package badinput makes malformed requests of well-formed ones, by walking
// their structure: protobuf messages by their descriptors, and inside them DER
// values and the JSON form of points and scalars. It is for tests.
//
//	tree.go        Tree: a serialised message as a tree, and back
//	categories.go  what can be wrong with a node
//	elements.go    what can be wrong with a point, a scalar, a curve identifier
//	bound.go       what is wrong even if everybody signs it
//	mutate.go      random edits, for fuzzing
//
// A field that is added to a message gets all cases that its type has, without
// a word here.
package badinput
