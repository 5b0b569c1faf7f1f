package idemix_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"
)

// field is one field of a protobuf message, with its tag.
type field struct {
	n, at int
	raw   []byte
}

// fieldsOf cuts a message into its fields.
func fieldsOf(t *testing.T, b []byte) (fs []field) {
	t.Helper()
	for len(b) > 0 {
		n, _, size := protowire.ConsumeField(b)
		require.Positive(t, size)
		fs = append(fs, field{n: int(n), at: len(fs), raw: b[:size]})
		b = b[size:]
	}
	return fs
}
