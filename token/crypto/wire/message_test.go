package wire_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// read reads the layout { uint a = 1; string b = 2; repeated { bytes c = 1 } d = 3; map e = 5 }.
func read(b []byte) (a uint64, text string, subs [][]byte, entries map[string][]byte, err error) {
	m := wire.NewMessage("sample", b)
	a = m.Uint(1, "a", 1000)
	text = m.Text(2, "b")
	for i := range m.Count(3, "d", 2) {
		sub := m.SubAt(3, "d", i)
		subs = append(subs, sub.Bytes(1, "c"))
		sub.Done()
	}
	entries = m.Map(5, "e", 3)
	return a, text, subs, entries, m.Done()
}

func sample(a uint64, text string, subs [][]byte, entries map[string][]byte) []byte {
	b := wire.AppendBytes(wire.AppendUint(nil, 1, a), 2, text)
	for _, s := range subs {
		b = wire.AppendWrapped(b, 3, s)
	}
	return wire.AppendMap(b, 5, entries)
}

func TestMessageReadsWhatAppendWrites(t *testing.T) {
	long := make([]byte, 300)
	for _, subs := range [][][]byte{nil, {nil}, {[]byte("x"), long}} {
		for _, entries := range []map[string][]byte{nil, {"": {}}, {"k": {}, "": []byte("v"), "long": long}} {
			b := sample(7, "text", subs, entries)
			a, text, gotSubs, gotEntries, err := read(b)
			require.NoError(t, err)
			require.Equal(t, uint64(7), a)
			require.Equal(t, "text", text)
			require.Len(t, gotSubs, len(subs))
			require.Equal(t, entries, gotEntries)
			require.Equal(t, b, sample(a, text, gotSubs, gotEntries))
		}
	}
}

// TestMessageRefusesOtherEncodings: repeated fields, defaults, and numbers and lengths in too many
// bytes. TestErrors has other faults.
func TestMessageRefusesOtherEncodings(t *testing.T) {
	good := sample(7, "text", [][]byte{[]byte("x")}, nil)
	entry := func(parts ...[]byte) []byte { return wire.AppendPresent(nil, 5, bytes.Join(parts, nil)) }
	key, value := wire.AppendPresent(nil, 1, "k"), wire.AppendPresent(nil, 2, "v")
	for name, c := range map[string]struct {
		b     []byte
		want  error
		field string
	}{
		"twice":               {[]byte{8, 7, 8, 7}, wire.ErrTwice, "a"},
		"text twice":          {append(good[:8:8], good[2:]...), wire.ErrTwice, "b"},
		"twice in d":          {[]byte{0x1a, 6, 0x0a, 1, 'x', 0x0a, 1, 'x'}, wire.ErrTwice, "d[0].c"},
		"too many":            {sample(0, "", [][]byte{nil, nil, nil}, nil), wire.ErrTooLarge, "d"},
		"no key, value twice": {entry(value, value), wire.ErrMissing, "e[0].key"},
		"key of entry twice":  {entry(key, key, value), wire.ErrTwice, "e[0].key"},
		"two equal entries":   {slices.Repeat(entry(key, value), 2), wire.ErrNotCanonical, "e[1].key"},
		"explicit zero":       {[]byte{8, 0}, wire.ErrDefault, "a"},
		"explicit empty":      {[]byte{0x12, 0}, wire.ErrDefault, "b"},
		"long varint":         {[]byte{8, 0x87, 0}, wire.ErrNotCanonical, "a"},
		"long tag":            {[]byte{0x88, 0, 7}, wire.ErrNotCanonical, "a"},
		"long length":         {[]byte{0x12, 0x81, 0, 'x'}, wire.ErrNotCanonical, "b"},
		"unended varint":      {[]byte{8, 0x80}, wire.ErrMalformed, "a"},
		"huge length":         {protowire.AppendVarint([]byte{0x12}, 1<<63), wire.ErrMalformed, "b"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, _, _, err := read(c.b)
			require.ErrorIs(t, err, c.want)
			var bad *wire.DecodeError
			require.ErrorAs(t, err, &bad)
			require.Equal(t, c.field, bad.Field)
		})
	}
}

// FuzzMessage: a message has one encoding, but for the order of entries.
func FuzzMessage(f *testing.F) {
	seed := sample(7, "text", [][]byte{nil, []byte("x")}, map[string][]byte{"": {}})
	vectors.FuzzDecoder(f, [][]byte{seed}, func(b []byte) ([]byte, error) {
		a, text, subs, entries, err := read(b)
		if len(entries) > 1 {
			return b, err
		}
		return sample(a, text, subs, entries), err
	})
}

// TestLongTags: fields from number 16 on have tags of two bytes.
func TestLongTags(t *testing.T) {
	m := wire.NewMessage("sample", wire.AppendUint(wire.AppendUint(nil, 15, 4), 16, 5))
	require.Equal(t, uint64(4), m.Uint(15, "a", 9))
	require.Equal(t, uint64(5), m.Uint(16, "b", 9))
	require.NoError(t, m.Done())
}

// TestViewsEndWithTheirField: to append to a view does not write into the
// message.
func TestViewsEndWithTheirField(t *testing.T) {
	b := wire.AppendBytes(wire.AppendBytes(nil, 1, "view"), 2, "next")
	original := bytes.Clone(b)
	m := wire.NewMessage("sample", b)
	view := m.Bytes(1, "a")
	require.Equal(t, len(view), cap(view))
	_ = append(view, "overwritten"...)
	require.Equal(t, original, b)
	require.Equal(t, "next", m.Text(2, "b"))
	require.NoError(t, m.Done())
}

// TestWrappedBytesAreThere: a wrapper without its field, and an empty one, are
// missing values, unlike an absent wrapper.
func TestWrappedBytesAreThere(t *testing.T) {
	for name, c := range map[string]struct {
		b    []byte
		want []byte
		err  error
	}{
		"absent":  {nil, nil, nil},
		"there":   {wire.AppendWrapped(nil, 1, []byte("x")), []byte("x"), nil},
		"without": {wire.AppendMessage(nil, 1, func(dst []byte) []byte { return dst }), nil, wire.ErrMissing},
		"another field": {wire.AppendMessage(nil, 1, func(dst []byte) []byte {
			return wire.AppendBytes(dst, 2, "x")
		}), nil, wire.ErrNotCanonical},
	} {
		t.Run(name, func(t *testing.T) {
			m := wire.NewMessage("sample", c.b)
			require.Equal(t, c.want, m.Wrapped(1, "a"))
			require.ErrorIs(t, m.Done(), c.err)
			if c.err != nil {
				require.ErrorContains(t, m.Done(), "sample: a")
			}
		})
	}
}
