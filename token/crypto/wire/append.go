package wire

import (
	"slices"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// The functions of this file append protobuf fields in the form that Message
// accepts. Default values are omitted.

// AppendUint appends a varint field.
func AppendUint(dst []byte, n protowire.Number, v uint64) []byte {
	if v == 0 {
		return dst
	}
	return protowire.AppendVarint(protowire.AppendTag(dst, n, protowire.VarintType), v)
}

// AppendBytes appends a bytes or string field.
func AppendBytes[T ~string | ~[]byte](dst []byte, n protowire.Number, b T) []byte {
	if len(b) == 0 {
		return dst
	}
	return AppendPresent(dst, n, b)
}

// AppendPresent appends a bytes or string field even if it is empty.
func AppendPresent[T ~string | ~[]byte](dst []byte, n protowire.Number, b T) []byte {
	dst = protowire.AppendTag(dst, n, protowire.BytesType)
	return append(protowire.AppendVarint(dst, uint64(len(b))), b...)
}

// AppendMessage appends a message field, or a bytes field, which has the same
// framing; body appends the content.
func AppendMessage(dst []byte, n protowire.Number, body func(dst []byte) []byte) []byte {
	dst = protowire.AppendTag(dst, n, protowire.BytesType)
	start := len(dst)
	dst = body(dst)
	size := len(dst) - start
	room := protowire.SizeVarint(uint64(size))
	dst = slices.Grow(dst, room)[:len(dst)+room]
	copy(dst[start+room:], dst[start:start+size])
	protowire.AppendVarint(dst[:start], uint64(size))
	return dst
}

// AppendWrapped appends a message field with raw bytes in its field 1.
func AppendWrapped(dst []byte, n protowire.Number, raw []byte) []byte {
	return AppendMessage(dst, n, func(dst []byte) []byte { return AppendBytes(dst, 1, raw) })
}

// AppendJSONPointField appends a G1 message.
func AppendJSONPointField(dst []byte, n protowire.Number, g group.Group, p group.Point) []byte {
	return AppendMessage(dst, n, func(dst []byte) []byte {
		return AppendMessage(dst, 1, func(dst []byte) []byte { return AppendJSONPoint(dst, g, p) })
	})
}

// AppendJSONScalarField appends a Zr message.
func AppendJSONScalarField(dst []byte, n protowire.Number, g group.Group, s group.Scalar) []byte {
	return AppendMessage(dst, n, func(dst []byte) []byte {
		return AppendMessage(dst, 1, func(dst []byte) []byte { return AppendJSONScalar(dst, g, s) })
	})
}

// AppendMap appends a map<string, bytes>, sorted by key.
func AppendMap(dst []byte, n protowire.Number, entries map[string][]byte) []byte {
	if len(entries) == 0 {
		return dst
	}
	keys := make([]string, 0, len(entries))
	for key := range entries {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		dst = AppendMessage(dst, n, func(dst []byte) []byte {
			return AppendPresent(AppendPresent(dst, 1, key), 2, entries[key])
		})
	}
	return dst
}
