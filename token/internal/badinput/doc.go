// Package badinput makes malformed requests from well-formed ones by walking
// their structure: protobuf messages by their descriptors, and inside them DER
// values and the JSON form of points and scalars. It is for tests.
//
//	tree.go        Tree: a serialised message as a tree, and back
//	categories.go  ways to corrupt a node
//	elements.go    ways to corrupt a point, a scalar, a curve identifier
//	bound.go       parts that must be refused even if all parties sign them
//	mutate.go      random edits, for fuzzing
//
// A new field of a message gets all cases of its type automatically.
package badinput
