package wire

import (
	"slices"

	"golang.org/x/crypto/cryptobyte"
	"golang.org/x/crypto/cryptobyte/asn1"
)

// A typed value is SEQUENCE { type INTEGER, content OCTET STRING }: the form of
// tokens, openings and identities.

// maxTyped bounds the content of a typed value in bytes.
const maxTyped = 1 << 20

// AppendTyped appends a typed value. kind must be in [0, 2³¹).
func AppendTyped(dst []byte, kind int, content []byte) []byte {
	integer := 1
	for k := kind >> 7; k > 0; k >>= 8 { // one bit more than the number, for the sign
		integer++
	}
	dst = appendHeader(dst, TagSequence, tlvLen(integer)+tlvLen(len(content)))
	dst = append(dst, TagInteger, byte(integer))
	for i := integer - 1; i >= 0; i-- {
		dst = append(dst, byte(kind>>(8*i)))
	}
	return AppendOctets(dst, content)
}

// WrapTyped makes dst[start:] the content of a typed value. kind must be below 128.
func WrapTyped(dst []byte, start, kind int) []byte {
	dst = Wrap(dst, start, TagOctetString)
	return Wrap(slices.Insert(dst, start, TagInteger, 1, byte(kind)), start, TagSequence)
}

// TypedLen returns the length of a typed value with n bytes of content and a
// kind below 128.
func TypedLen(n int) int { return tlvLen(3 + tlvLen(n)) }

// Typed reads a typed value, which must be all of b. The content is a view
// into b.
func Typed(message Name, b []byte) (kind int, content []byte, err error) {
	if len(b) > maxTyped {
		return 0, nil, &DecodeError{What: message, Field: "value", Err: ErrTooLarge}
	}
	s := cryptobyte.String(b)
	var seq, octets cryptobyte.String
	var number int32
	bad := func(field string, err error) (int, []byte, error) {
		return 0, nil, &DecodeError{What: message, Field: field, Offset: len(b) - len(seq) - len(s), Err: err}
	}
	switch {
	case !s.ReadASN1(&seq, asn1.SEQUENCE):
		return bad("value", ErrMalformed)
	case !seq.ReadASN1Integer(&number) || number < 0:
		return bad("type", ErrMalformed)
	case !seq.ReadASN1(&octets, asn1.OCTET_STRING):
		return bad("content", ErrMalformed)
	case !seq.Empty() || !s.Empty():
		return bad("value", ErrTrailing)
	}
	return int(number), octets, nil
}
