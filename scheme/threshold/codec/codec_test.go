package codec_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/scheme/threshold/codec"
)

func TestRoundTrips(t *testing.T) {
	random := rand.NewChaCha8([32]byte{1})
	for _, c := range []codec.Codec{codec.Compact, codec.Near} {
		for _, s := range []codec.Shape{codec.Plain(32), codec.Plain(33, 32), codec.Plain(), codec.Frost(32),
			codec.Frost(32, 32), codec.Plain(5, 15, 16, 300)} {
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

func TestNames(t *testing.T) {
	for _, name := range codec.Names {
		c, err := codec.ByName(name)
		require.NoError(t, err)
		require.Equal(t, name, c.String())
	}
	_, err := codec.ByName("json")
	require.EqualError(t, err, `codec "json" is not one of compact, near`)
}

// TestNearExactly compares bodies with MessagePack written by hand: arrays of up to 15
// elements have a header of one byte, bytes from 0x80 on take two, and words nine.
func TestNearExactly(t *testing.T) {
	words := codec.Plain(16).As(codec.Words(2))
	nested := codec.Plain(2, 8).As(codec.Array(codec.Bytes(2), codec.Words(1)))
	repeated := codec.Plain(4).As(codec.Repeat(2, codec.Bytes(2)))
	header := func(n int) []byte { // of an array of zeros
		if n <= 15 {
			return append([]byte{0x90 | byte(n)}, make([]byte, n)...)
		}
		return append([]byte{0xdc, byte(n >> 8), byte(n)}, make([]byte, n)...)
	}
	type layout struct {
		shape  codec.Shape
		fields [][]byte
		want   []byte
	}
	layouts := []layout{
		{codec.Plain(3), [][]byte{{1, 0x7f, 0x80}}, []byte{0x93, 1, 0x7f, 0xcc, 0x80}},
		{codec.Plain(1, 2), [][]byte{{0xff}, {0, 2}}, []byte{0x92, 0x91, 0xcc, 0xff, 0x92, 0, 2}},
		{words, [][]byte{{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0xff}},
			[]byte{0x92, 0xcf, 8, 7, 6, 5, 4, 3, 2, 1, 0xcf, 0xff, 15, 14, 13, 12, 11, 10, 9}},
		{nested, [][]byte{{1, 0x90}, {0, 0, 0, 0, 0, 0, 0, 1}},
			[]byte{0x92, 0x92, 1, 0xcc, 0x90, 0x91, 0xcf, 1, 0, 0, 0, 0, 0, 0, 0}},
		{codec.Plain(8, 2).As(codec.Array(codec.Words(1), codec.Bytes(2))),
			[][]byte{{1, 0, 0, 0, 0, 0, 0, 0}, {5, 6}},
			[]byte{0x92, 0x91, 0xcf, 0, 0, 0, 0, 0, 0, 0, 1, 0x92, 5, 6}},
		{repeated, [][]byte{{1, 2, 3, 4}}, []byte{0x92, 0x92, 1, 2, 0x92, 3, 4}},
	}
	for _, n := range []int{15, 16, 255, 256, 0x1234, 65535} {
		layouts = append(layouts, layout{codec.Plain(n), [][]byte{make([]byte, n)}, header(n)})
	}
	for _, c := range layouts {
		body := codec.Near.Pack(c.shape, c.fields...)
		require.Equal(t, c.want, body)
		got, err := codec.Near.Unpack(c.shape, body)
		require.NoError(t, err)
		require.Equal(t, c.fields, got)
		require.Equal(t, bytes.Join(c.fields, nil), codec.Compact.Pack(c.shape, c.fields...))
		for i := range min(len(body), 40) {
			_, err := codec.Near.Unpack(c.shape, body[:i])
			require.ErrorIs(t, err, codec.ErrBody)
		}
	}
}

// TestWrongShapesPanic: lengths that a program got wrong.
func TestWrongShapesPanic(t *testing.T) {
	require.PanicsWithValue(t, "codec: a layout of 16 bytes for fields of 8", func() {
		codec.Plain(8).As(codec.Words(2))
	})
	require.Panics(t, func() { codec.Plain(8).As(codec.Bytes(7)) })
	require.NotPanics(t, func() { codec.Plain(8).As(codec.Bytes(8)) })
	require.Panics(t, func() { codec.Near.Pack(codec.Plain(65536), make([]byte, 65536)) })
	for _, c := range []codec.Codec{codec.Compact, codec.Near} {
		require.PanicsWithValue(t, "codec: 1 fields for a shape of 2", func() {
			c.Pack(codec.Plain(2, 3), make([]byte, 2))
		})
		lens := []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
		for i := range lens {
			fields := make([][]byte, len(lens))
			for k, n := range lens {
				fields[k] = make([]byte, n)
			}
			fields[i] = nil
			require.PanicsWithValue(t, fmt.Sprintf("codec: field %d has 0 bytes instead of %d", i, lens[i]),
				func() { c.Pack(codec.Plain(lens...), fields...) })
		}
	}
}

// FuzzUnpack: a body that is accepted is the one of its fields.
func FuzzUnpack(f *testing.F) {
	shapes := []codec.Shape{codec.Plain(1), codec.Plain(8).As(codec.Words(1)), codec.Frost(3, 20)}
	fields := [][]byte{{1, 200, 3}, make([]byte, 20)}
	f.Add(codec.Compact.Pack(shapes[2], fields...))
	for i := range codec.Prefix {
		body := codec.Near.Pack(shapes[2], fields...)
		f.Add(bytes.Clone(body))
		body[i] ^= 1
		f.Add(body)
	}
	for _, body := range [][]byte{
		{0x91, 0x80}, {0x91, 0xcc, 0x7f}, {0x91, 0xcc}, {0x92, 1}, {0xdc, 0, 1, 1}, {0x91}, {},
		{0x91, 0xce, 0, 0, 0, 0, 0, 0, 0, 1},
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, s := range shapes {
			for _, c := range []codec.Codec{codec.Compact, codec.Near} {
				fields, err := c.Unpack(s, body)
				if err != nil {
					require.ErrorIs(t, err, codec.ErrBody)
					continue
				}
				require.Equal(t, body, c.Pack(s, fields...))
			}
		}
	})
}
