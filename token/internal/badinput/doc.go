// Package badinput makes malformed requests from well-formed ones by walking
// their structure: protobuf messages by their descriptors, and inside them DER
// values and the JSON form of points and scalars. It is for tests.
//
// A new field of a message gets all cases of its type automatically.
package badinput
