// Package wire reads and writes the encodings that messages are made of.
//
//	errors.go     DecodeError: what was wrong, and where
//	der.go        lengths and headers
//	container.go  Cont(b₁, …, bₖ): a DER list of byte strings
//	elements.go   Math(e₁, …, eₖ): a DER list of points, scalars and lists
//	json.go       the JSON form of one point or scalar; JSON with one encoding
//	typed.go      SEQUENCE { type, content }: tokens, openings, identities
//	proto.go      canonical protobuf, counted before it is unmarshalled
//	maps.go       the one freedom of canonical protobuf: the order of map entries
//	message.go    canonical protobuf, read field by field
//	append.go     canonical protobuf, appended field by field
//
// The formats are those of the v1 specification, section 1. Readers accept one
// encoding per value: minimal lengths, no trailing bytes, exactly as many
// entries as the caller allows, reduced scalars, uncompressed points. They
// look at sizes before they do any curve work, and remember their first error,
// so that a decoder is a list of fields.
package wire
