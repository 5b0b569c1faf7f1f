package vectors

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// FuzzDecoder fuzzes a decoder from seeds; at least one must decode:
// reencode decodes b and encodes the result again. It must return a
// *wire.DecodeError or exactly b.
func FuzzDecoder(f *testing.F, seeds [][]byte, reencode func(b []byte) ([]byte, error)) {
	accepted := 0
	for _, seed := range seeds {
		if _, err := reencode(seed); err == nil {
			accepted++
		}
		f.Add(seed)
	}
	require.Positive(f, accepted, "of %d seeds none decodes", len(seeds))
	f.Fuzz(func(t *testing.T, b []byte) {
		again, err := reencode(b)
		OneEncoding(t, b, again, err)
	})
}

// OneEncoding checks that b, which was decoded with the error err and encoded
// again, gave a *wire.DecodeError or is the only encoding of its value.
func OneEncoding(t testing.TB, b, again []byte, err error) {
	t.Helper()
	if err != nil {
		if bad := new(wire.DecodeError); !errors.As(err, &bad) {
			t.Fatalf("untyped error %T: %v", err, err)
		}
		return
	}
	if !bytes.Equal(b, again) {
		t.Fatalf("a second encoding of one value:\nread  %x\nwrote %x", b, again)
	}
}
