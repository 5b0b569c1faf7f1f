package wire

import (
	"math/bits"
	"slices"
)

// DER tags (X.690, section 8).
const (
	TagInteger     = 0x02
	TagOctetString = 0x04
	TagSequence    = 0x30
)

// tlvLen is the length of a DER value with n bytes of content.
func tlvLen(n int) int { return 2 + longLen(n) + n }

// longLen is the number of bytes of a length in the long form, 0 for one in the short form.
func longLen(n int) int {
	if n < 0x80 {
		return 0
	}
	return (bits.Len(uint(n)) + 7) / 8
}

// appendHeader appends tag and length for n bytes of content.
func appendHeader(dst []byte, tag byte, n int) []byte {
	long := longLen(n)
	if long == 0 {
		return append(dst, tag, byte(n))
	}
	dst = append(dst, tag, 0x80|byte(long))
	for i := long - 1; i >= 0; i-- {
		dst = append(dst, byte(n>>(8*i)))
	}
	return dst
}

// Wrap makes dst[start:] the content of a DER value in others, with tags from the inside
// out. Writing the content first and its headers afterwards moves some bytes, but saves
// a buffer for each level.
func Wrap(dst []byte, start int, tags ...byte) []byte {
	n := len(dst) - start
	whole := n
	for range tags {
		whole = tlvLen(whole)
	}
	dst = slices.Grow(dst, whole-n)[:start+whole]
	at := start + whole - n
	copy(dst[at:], dst[start:start+n])
	for _, tag := range tags {
		at -= tlvLen(n) - n
		appendHeader(dst[:at], tag, n)
		n = tlvLen(n)
	}
	return dst
}

// AppendOctets appends an OCTET STRING.
func AppendOctets[T ~string | ~[]byte](dst []byte, b T) []byte {
	return append(appendHeader(dst, TagOctetString, len(b)), b...)
}
