package grouptest

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
	"github.com/zkatbench/zkatbench/token/crypto/group/mathlib"
)

// FuzzDecoding checks that each value has one accepted encoding, and that the
// fastest backend accepts the same bytes as the mathlib backend, with the same
// error otherwise.
func FuzzDecoding(f *testing.F) {
	var natives, references []group.Group
	for _, id := range []int{1, 7} {
		native, err := curves.ByID(id)
		require.NoError(f, err)
		reference, err := mathlib.New(id)
		require.NoError(f, err)
		natives, references = append(natives, native), append(references, reference)
		_, ss := material(native, 3)
		for _, s := range ss {
			p := native.AppendPoint(nil, group.MulPoint(native, native.Generator(), s))
			swapped := append(bytes.Clone(p[len(p)/2:]), p[:len(p)/2]...)
			for _, seed := range [][]byte{p, swapped, p[1:], native.AppendScalar(nil, s)} {
				f.Add(seed)
			}
		}
		f.Add(native.AppendPoint(nil, group.Point{}))
		f.Add(make([]byte, native.PointLen()))
		f.Add(native.Order().Bytes())
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for i, native := range natives {
			p, err := native.DecodePoint(b)
			_, want := references[i].DecodePoint(b)
			require.Equal(t, want, err)
			if err == nil {
				require.Equal(t, b, native.AppendPoint(nil, p))
			}
			s, err := native.DecodeScalar(b)
			_, want = references[i].DecodeScalar(b)
			require.Equal(t, want, err)
			if err == nil {
				require.Equal(t, b, native.AppendScalar(nil, s))
			}
			if len(b) <= 64 {
				require.Equal(t, references[i].AppendScalar(nil, references[i].Reduce(b)), native.AppendScalar(nil, native.Reduce(b)))
			}
		}
	})
}
