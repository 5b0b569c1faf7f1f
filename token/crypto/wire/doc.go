// Package wire reads and writes the encodings of messages.
//
// There are DER lists of byte strings and of points, scalars and lists;
// SEQUENCE { type, content } for tokens, openings and identities; the JSON form
// of one point or scalar; and canonical protobuf, read and appended field by
// field. A DecodeError has the kind and the place of an error.
//
// The formats follow section 1 of the v1 specification. Readers accept one
// encoding per value: minimal lengths, no trailing bytes, exact numbers of
// entries, reduced scalars, uncompressed points. They check sizes before any
// curve work, and keep their first error, so that a decoder is a list of
// fields.
package wire
