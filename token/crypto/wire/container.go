package wire

import (
	"slices"

	"golang.org/x/crypto/cryptobyte"
	"golang.org/x/crypto/cryptobyte/asn1"
)

// AppendContainer appends Cont(parts…): SEQUENCE { SEQUENCE OF OCTET STRING }.
// An absent part is written as an empty one.
func AppendContainer(dst []byte, parts ...[]byte) []byte {
	return Wrap(AppendOctetList(dst, parts...), len(dst), TagSequence)
}

// AppendOctetList appends SEQUENCE OF OCTET STRING.
func AppendOctetList(dst []byte, parts ...[]byte) []byte {
	n := 0
	for _, p := range parts {
		n += tlvLen(len(p))
	}
	dst = appendHeader(slices.Grow(dst, tlvLen(n)), TagSequence, n)
	for _, p := range parts {
		dst = AppendOctets(dst, p)
	}
	return dst
}

// WrapOctets makes dst[start:] the content of an OCTET STRING.
func WrapOctets(dst []byte, start int) []byte { return Wrap(dst, start, TagOctetString) }

// WrapContainer makes dst[start:], a sequence of OCTET STRINGs, the members of
// a container.
func WrapContainer(dst []byte, start int) []byte { return Wrap(dst, start, TagSequence, TagSequence) }

// Container reads Cont(b₁, …, bₖ) with least ≤ k ≤ most. The parts are views
// into b.
func Container(message Name, b []byte, least, most int) ([][]byte, error) {
	return ContainerInto(nil, message, b, least, most)
}

// ContainerInto is Container that returns the parts in the memory of dst if its
// capacity allows.
func ContainerInto(dst [][]byte, message Name, b []byte, least, most int) ([][]byte, error) {
	r := listReader{message: message, whole: len(b)}
	r.open(b)
	parts := dst[:0]
	for !r.list.Empty() && r.err == nil {
		if len(parts) == most {
			r.fail("list", ErrCount)
			break
		}
		parts = append(parts, r.octets("part"))
	}
	if r.err == nil && len(parts) < least {
		r.fail("list", ErrCount)
	}
	return parts, r.err
}

// listReader walks SEQUENCE { SEQUENCE OF OCTET STRING }.
type listReader struct {
	message Name
	whole   int // length of the message, for offsets
	list    cryptobyte.String
	err     error
}

func (r *listReader) fail(field string, err error) {
	r.err = &DecodeError{What: r.message, Field: field, Offset: r.whole - len(r.list), Err: err}
}

// open enters the two nested sequences, which must be all of b.
func (r *listReader) open(b []byte) {
	s := cryptobyte.String(b)
	var outer cryptobyte.String
	r.list = s
	switch {
	case !s.ReadASN1(&outer, asn1.SEQUENCE) || !outer.ReadASN1(&r.list, asn1.SEQUENCE):
		r.fail("list", ErrMalformed)
	case !s.Empty() || !outer.Empty():
		r.fail("list", ErrTrailing)
	}
}

// octets reads the next member.
func (r *listReader) octets(field string) []byte {
	var part cryptobyte.String
	if r.err == nil && !r.list.ReadASN1(&part, asn1.OCTET_STRING) {
		r.fail(field, ErrMalformed)
	}
	if r.err != nil {
		return nil
	}
	return part
}
