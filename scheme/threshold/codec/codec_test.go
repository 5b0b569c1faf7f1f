package codec_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/scheme/threshold/codec"
)

func TestRoundTrips(t *testing.T) {
	random := rand.NewChaCha8([32]byte{1})
	for _, c := range []codec.Codec{codec.Compact, codec.Near} {
		for _, s := range []codec.Shape{codec.Plain(32), codec.Plain(33, 32), codec.Plain(), codec.Frost(32), codec.Frost(32, 32), codec.Plain(5, 15, 16, 300)} {
			var fields [][]byte
			for _, n := range s.Fields {
				f := make([]byte, n)
				random.Read(f)
				fields = append(fields, f)
			}
			body := c.Pack(s, fields...)
			got, err := c.Unpack(s, body)
			require.NoError(t, err)
			require.Len(t, got, len(fields))
			for i := range fields {
				require.Equal(t, fields[i], got[i])
			}
			for _, other := range [][]byte{append(bytes.Clone(body), 0), body[:max(0, len(body)-1)]} {
				if !bytes.Equal(other, body) {
					_, err = c.Unpack(s, other)
					require.ErrorIs(t, err, codec.ErrBody)
				}
			}
		}
	}
}

func TestSizes(t *testing.T) {
	low, high := make([]byte, 32), bytes.Repeat([]byte{0xff}, 32)
	require.Len(t, codec.Compact.Pack(codec.Frost(32, 32), low, high), 64)
	require.Len(t, codec.Near.Pack(codec.Plain(32), low), 35)
	require.Len(t, codec.Near.Pack(codec.Plain(32), high), 67)
	require.Len(t, codec.Near.Pack(codec.Frost(32, 32), low, high), 10+1+35+67)
	require.Len(t, codec.Near.Pack(codec.Plain(32, 32), low, high), 1+35+67)
}

func TestThePrefixIsChecked(t *testing.T) {
	s := codec.Frost(32)
	for i := range codec.Prefix {
		body := codec.Near.Pack(s, make([]byte, 32))
		body[i] ^= 1
		_, err := codec.Near.Unpack(s, body)
		require.ErrorIs(t, err, codec.ErrBody)
	}
}

func TestNames(t *testing.T) {
	for _, name := range codec.Names {
		c, err := codec.ByName(name)
		require.NoError(t, err)
		require.Equal(t, name, c.String())
	}
	_, err := codec.ByName("json")
	require.EqualError(t, err, `codec "json" is not one of compact, near`)
}

func FuzzUnpack(f *testing.F) {
	s := codec.Frost(3, 20)
	f.Add(codec.Near.Pack(s, []byte{1, 200, 3}, make([]byte, 20)))
	f.Add(codec.Compact.Pack(s, []byte{1, 200, 3}, make([]byte, 20)))
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, c := range []codec.Codec{codec.Compact, codec.Near} {
			fields, err := c.Unpack(s, body)
			if err != nil {
				require.ErrorIs(t, err, codec.ErrBody)
				continue
			}
			require.Equal(t, body, c.Pack(s, fields...))
		}
	})
}
