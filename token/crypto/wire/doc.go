// Package wire reads and writes the encodings of messages.
//
//	errors.go     DecodeError: the kind and the place of an error
//	der.go        lengths and headers
//	container.go  Cont(b₁, …, bₖ): a DER list of byte strings
//	elements.go   Math(e₁, …, eₖ): a DER list of points, scalars and lists
//	points.go     points decoded together, or one by one
//	json.go       the JSON form of one point or scalar; JSON with one encoding
//	typed.go      SEQUENCE { type, content }: tokens, openings, identities
//	message.go    canonical protobuf, read field by field
//	append.go     canonical protobuf, appended field by field
//
// The formats follow section 1 of the v1 specification. Readers accept one
// encoding per value: minimal lengths, no trailing bytes, exact numbers of
// entries, reduced scalars, uncompressed points. They check sizes before any
// curve work, and keep their first error, so that a decoder is a list of
// fields.
package wire
