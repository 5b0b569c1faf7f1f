package wire_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/zkatbench/zkatbench/token/crypto/wire"
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

func TestMessageRefusesOtherEncodings(t *testing.T) {
	good := sample(7, "text", [][]byte{[]byte("x")}, nil)
	entry := func(b []byte) []byte { return wire.AppendPresent(nil, 5, b) }
	full := wire.AppendPresent(wire.AppendPresent(nil, 1, "k"), 2, "v")
	for name, c := range map[string]struct {
		b     []byte
		want  error
		field string
	}{
		"unknown field": {wire.AppendUint(good, 100, 1), wire.ErrNotCanonical, "message"},
		"order": {append(wire.AppendBytes(nil, 2, "text"), 8, 7), wire.ErrNotCanonical,
			"message"},
		"twice":      {[]byte{8, 7, 8, 7}, wire.ErrTwice, "a"},
		"text twice": {append(good[:8:8], good[2:]...), wire.ErrTwice, "b"},
		"twice in d": {[]byte{0x1a, 6, 0x0a, 1, 'x', 0x0a, 1, 'x'}, wire.ErrTwice, "d[0].c"},
		"no key, value twice": {entry(append(full[3:len(full):len(full)], full[3:]...)), wire.ErrMissing,
			"e[0].key"},
		"key of entry twice": {entry(append(full[:3:3], full...)), wire.ErrTwice, "e[0].key"},
		"explicit zero":      {[]byte{8, 0}, wire.ErrDefault, "a"},
		"explicit empty":     {[]byte{0x12, 0}, wire.ErrDefault, "b"},
		"long varint":        {[]byte{8, 0x87, 0}, wire.ErrNotCanonical, "a"},
		"long tag":           {[]byte{0x88, 0, 7}, wire.ErrNotCanonical, "a"},
		"long length":        {[]byte{0x12, 0x81, 0, 'x'}, wire.ErrNotCanonical, "b"},
		"too large":          {wire.AppendUint(nil, 1, 1001), wire.ErrTooLarge, "a"},
		"other wire type":    {protowire.AppendTag(nil, 1, protowire.Fixed32Type), wire.ErrMalformed, "a"},
		"cut varint":         {[]byte{8, 0x80}, wire.ErrMalformed, "a"},
		"cut bytes":          {[]byte{0x12, 2, 'x'}, wire.ErrMalformed, "b"},
		"huge length": {[]byte{0x12, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1},
			wire.ErrMalformed, "b"},
		"not UTF-8":           {[]byte{0x12, 1, 0xff}, wire.ErrMalformed, "b"},
		"too many":            {sample(0, "", [][]byte{nil, nil, nil}, nil), wire.ErrTooLarge, "d"},
		"unknown field in d":  {[]byte{0x1a, 2, 0x10, 1}, wire.ErrNotCanonical, "d[0].message"},
		"explicit empty in d": {[]byte{0x1a, 0, 0x1a, 2, 0x0a, 0}, wire.ErrDefault, "d[1].c"},
		"key twice":           {append(entry(full), entry(full)...), wire.ErrNotCanonical, "e[1].key"},
		"no value":            {entry(full[:3]), wire.ErrMissing, "e[0].value"},
		"after the value": {entry(append(full[:len(full):len(full)], 0x1a, 0)), wire.ErrNotCanonical,
			"e[0].message"},
		"group":            {[]byte{0x13, 0x14}, wire.ErrMalformed, "b"},
		"varint for bytes": {[]byte{0x10, 1, 'x'}, wire.ErrMalformed, "b"},
		"bytes for varint": {[]byte{0x0a, 1}, wire.ErrMalformed, "a"},
		"groups in d":      {[]byte{0x1b, 0x1c}, wire.ErrMalformed, "d"},
		"open group in d":  {[]byte{0x1b}, wire.ErrMalformed, "d"},
		"value first": {entry(append(append([]byte(nil), full[3:]...), full[:3]...)), wire.ErrMissing,
			"e[0].key"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, _, _, err := read(c.b)
			require.ErrorIs(t, err, c.want)
			if errors.Is(c.want, wire.ErrNotCanonical) {
				require.ErrorIs(t, err, wire.ErrNotCanonical)
			}
			var bad *wire.DecodeError
			require.True(t, errors.As(err, &bad))
			require.Equal(t, wire.Name("sample"), bad.What)
			require.Equal(t, c.field, bad.Field)
		})
	}
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
