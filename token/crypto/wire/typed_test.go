package wire_test

import (
	"bytes"
	"encoding/asn1"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

func TestTypedIsWhatTheStandardLibraryWrites(t *testing.T) {
	for _, kind := range []int{0, 1, 2, 127, 128, 255, 256, 32767, 32768, 1<<23 - 1, 1 << 23, 1<<31 - 1} {
		for _, n := range []int{0, 1, 100, 127, 128, 255, 256, 65535, 65536} {
			content := bytes.Repeat([]byte{7}, n)
			want, err := asn1.Marshal(struct {
				Type  int
				Value []byte
			}{kind, content})
			require.NoError(t, err)
			got := wire.AppendTyped(nil, kind, content)
			require.Equal(t, want, got)
			if kind < 128 {
				require.Len(t, got, wire.TypedLen(n))
				require.Equal(t, want, wire.WrapTyped(bytes.Clone(content), 0, kind))
			}
			k, c, err := wire.Typed("value", got)
			require.NoError(t, err)
			require.Equal(t, kind, k)
			require.True(t, bytes.Equal(content, c))
		}
	}
}

func TestTypedRefusesOtherEncodings(t *testing.T) {
	for name, b := range map[string][]byte{
		"empty":          {},
		"bytes after":    {0x30, 5, 2, 1, 2, 4, 0, 0},
		"bytes inside":   {0x30, 6, 2, 1, 2, 4, 0, 0},
		"long length":    {0x30, 0x81, 5, 2, 1, 2, 4, 0},
		"padded type":    {0x30, 6, 2, 2, 0, 2, 4, 0},
		"negative type":  {0x30, 5, 2, 1, 0xff, 4, 0},
		"type as string": {0x30, 8, 12, 4, 'x', '5', '0', '9', 4, 0},
		"no content":     {0x30, 3, 2, 1, 2},
		"huge type":      {0x30, 9, 2, 5, 0, 0x80, 0, 0, 0, 4, 0},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := wire.Typed("value", b)
			var bad *wire.DecodeError
			require.ErrorAs(t, err, &bad)
		})
	}
}

// TestTypedOfTheLargestLength is read; one byte more is refused.
func TestTypedOfTheLargestLength(t *testing.T) {
	for more, want := range []error{nil, wire.ErrTooLarge} {
		b := wire.AppendTyped(nil, 2, make([]byte, 1<<20-13+more))
		require.Equal(t, 1<<20+more, len(b))
		_, _, err := wire.Typed("test", b)
		require.ErrorIs(t, err, want)
	}
}
