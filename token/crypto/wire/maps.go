package wire

import (
	"bytes"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

// sameButMapOrder reports whether a and b, encodings of m, are equal except for
// the order of entries of top-level maps. Go's protobuf library writes entries
// in random order, so honest bytes may have any order.
func sameButMapOrder(m proto.Message, a, b []byte) bool {
	if len(a) != len(b) {
		return false
	}
	return bytes.Equal(a, b) || bytes.Equal(sortMaps(m, a), sortMaps(m, b))
}

// sortMaps returns a copy of an encoding of m in which the consecutive entries
// of each map are sorted. b must be well framed.
func sortMaps(m proto.Message, b []byte) []byte {
	fields := m.ProtoReflect().Descriptor().Fields()
	out := make([]byte, 0, len(b))
	var run [][]byte
	var current protowire.Number
	flush := func() {
		slices.SortFunc(run, bytes.Compare)
		out = append(out, bytes.Join(run, nil)...)
		run = run[:0]
	}
	for len(b) > 0 {
		number, _, size := protowire.ConsumeField(b)
		field := fields.ByNumber(number)
		if number != current || field == nil || !field.IsMap() {
			flush()
		}
		current = number
		run = append(run, b[:size])
		b = b[size:]
	}
	flush()
	return out
}
