package wire

import (
	"bytes"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

// sameButMapOrder says whether a and b, encodings of m, are equal except for
// the order of the entries of maps at the top level. Go's protobuf library
// writes these in a random order, so honest bytes may have any.
func sameButMapOrder(m proto.Message, a, b []byte) bool {
	if len(a) != len(b) {
		return false
	}
	return bytes.Equal(a, b) || bytes.Equal(sortMaps(m, a), sortMaps(m, b))
}

// sortMaps returns a copy of an encoding of m in which each run of entries of
// one map is sorted. b is well framed.
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
