package wire

import "slices"

// DER tags (X.690, section 8).
const (
	tagInteger     = 0x02
	tagOctetString = 0x04
	tagSequence    = 0x30
)

// tlvLen is the length of a DER value with n bytes of content.
func tlvLen(n int) int {
	switch {
	case n < 0x80:
		return 2 + n
	case n < 0x100:
		return 3 + n
	case n < 0x10000:
		return 4 + n
	}
	return 5 + n
}

// appendHeader appends tag and length for n bytes of content, n < 2²⁴.
func appendHeader(dst []byte, tag byte, n int) []byte {
	switch {
	case n < 0x80:
		return append(dst, tag, byte(n))
	case n < 0x100:
		return append(dst, tag, 0x81, byte(n))
	case n < 0x10000:
		return append(dst, tag, 0x82, byte(n>>8), byte(n))
	}
	return append(dst, tag, 0x83, byte(n>>16), byte(n>>8), byte(n))
}

// wrap puts a header before dst[start:].
func wrap(dst []byte, start int, tag byte) []byte {
	n := len(dst) - start
	header := tlvLen(n) - n
	dst = slices.Grow(dst, header)[:len(dst)+header]
	copy(dst[start+header:], dst[start:start+n])
	appendHeader(dst[:start], tag, n)
	return dst
}

// appendOctets appends an OCTET STRING.
func appendOctets(dst, b []byte) []byte {
	return append(appendHeader(dst, tagOctetString, len(b)), b...)
}
