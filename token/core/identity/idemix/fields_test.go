package idemix_test

// field is one field of a protobuf message, with its tag.
type field struct {
	n, at int
	raw   []byte
}
