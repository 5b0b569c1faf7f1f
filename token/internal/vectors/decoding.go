package vectors

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// FuzzDecoder fuzzes a decoder from seeds; at least one must decode:
// reencode decodes b and encodes the result again. It must return a
// *wire.DecodeError or exactly b, also for the neighbours of seeds of up to 256 bytes.
func FuzzDecoder(f *testing.F, seeds [][]byte, reencode func(b []byte) ([]byte, error)) {
	const short = 256
	accepted := 0
	for _, seed := range seeds {
		if len(seed) <= short {
			neighbours(seed, func(b []byte) {
				again, err := reencode(b)
				OneEncoding(f, b, again, err)
			})
		}
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

// neighbours calls f with b cut at each place, without each byte, with bytes inserted at each place
// and at the end, and with each byte changed.
func neighbours(b []byte, f func(b []byte)) {
	for i, old := range b {
		f(slices.Clone(b[:i]))
		f(slices.Delete(slices.Clone(b), i, i+1))
		for _, other := range []byte{old, 0, ' ', old ^ 1, old ^ 0x80, 0xff} {
			f(slices.Insert(slices.Clone(b), i, other))
			changed := slices.Clone(b)
			changed[i] = other
			f(changed)
		}
	}
	f(append(slices.Clone(b), 0))
	f(append(slices.Clone(b), ' '))
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
