package wire_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// TestErrors holds kind, field and offset of the error of each changed byte.
func TestErrors(t *testing.T) {
	g := bn254(t)
	vectors.Errors(t, "elements", everything(g), func(b []byte) error { return readEverything(g, b) })
	message := sample(7, "text", [][]byte{nil, []byte("x")},
		map[string][]byte{"key": []byte("value"), "": {}})
	vectors.Errors(t, "message", message, func(b []byte) error {
		_, _, _, _, err := read(b)
		return err
	})
	vectors.Errors(t, "typed", wire.AppendTyped(nil, 300, []byte("content")), func(b []byte) error {
		_, _, err := wire.Typed("value", b)
		return err
	})
	vectors.Errors(t, "container", wire.AppendContainer(nil, []byte("first"), nil, make([]byte, 130)),
		func(b []byte) error {
			_, err := wire.Container("container", b, 3, 3)
			return err
		})
	vectors.Errors(t, "json",
		wire.AppendJSONPointField(wire.AppendJSONScalarField(nil, 1, g, g.Uint64(5)), 2, g, g.Generator()),
		func(b []byte) error {
			m := wire.NewMessage("message", b)
			m.JSONScalar(1, "scalar", g)
			m.JSONPoint(2, "point", wire.OneByOne(g), new(group.Point))
			return m.Done()
		})
}

// TestNothingIsReadAfterAnError: readers return zero values and keep the first
// error.
func TestNothingIsReadAfterAnError(t *testing.T) {
	g := bn254(t)
	b := everything(g)
	r := wire.NewReader("test", wire.OneByOne(g), b)
	r.Scalar("first") // a point
	err := r.Done()
	require.Error(t, err)
	p := g.Generator()
	r.Point("p", &p)
	require.True(t, g.Equal(g.Generator(), p))
	require.Zero(t, r.Scalar("s"))
	require.Nil(t, r.NonIdentities("ps", make([]group.Point, 2), 2))
	require.Nil(t, r.Scalars("ss", make([]group.Scalar, 3), 3))
	require.Equal(t, err, r.Done())

	m := wire.NewMessage("test", wire.AppendBytes(wire.AppendUint(nil, 1, 5), 2, "text"))
	require.Zero(t, m.Uint(1, "a", 4))
	err = m.Done()
	require.EqualError(t, err, "test: a at byte 1 is larger than allowed")
	require.Zero(t, m.Uint(1, "a", 5))
	require.Empty(t, m.Text(2, "b"))
	require.Zero(t, m.Count(2, "b", 3))
	require.False(t, m.Has(2))
	require.Equal(t, err, m.Done())

	m = wire.NewMessage("test", wire.AppendUint(nil, 1, 8)) // 8 is the tag of field 1, too
	require.Zero(t, m.Uint(1, "a", 4))
	require.EqualError(t, m.Done(), "test: a at byte 1 is larger than allowed")
	m = wire.NewMessage("test", wire.AppendUint(nil, 1, 8))
	m.Fail("before", wire.ErrCount)
	require.False(t, m.Has(1))
	require.Zero(t, m.Uint(1, "a", 9))

	m = wire.NewMessage("test", wire.AppendBytes(wire.AppendBytes(nil, 3, "x"), 3, "y"))
	require.Zero(t, m.Count(3, "c", 1))
	require.EqualError(t, m.Done(), "test: c at byte 0 is larger than allowed")
	kind, content, err := wire.Typed("test", make([]byte, 1<<20+1))
	require.ErrorIs(t, err, wire.ErrTooLarge)
	require.Zero(t, kind)
	require.Nil(t, content)
	require.ErrorIs(t, wire.ErrTwice, wire.ErrNotCanonical)
	require.ErrorIs(t, wire.ErrDefault, wire.ErrNotCanonical)
}

// TestZeroMessageIsEmpty: all its fields are absent.
func TestZeroMessageIsEmpty(t *testing.T) {
	var m wire.Message
	require.Zero(t, m.Uint(1, "a", 4))
	require.Empty(t, m.Text(2, "b"))
	require.Zero(t, m.Count(3, "c", 1))
	require.NoError(t, m.Done())
	sub := m.Sub(4, "d")
	require.ErrorIs(t, sub.Done(), wire.ErrMissing)
}

// TestMemoryIsUsedAgain: lists are read into memory of sufficient capacity, and
// otherwise into new memory.
func TestMemoryIsUsedAgain(t *testing.T) {
	g := bn254(t)
	w := wire.NewWriter(g, nil)
	w.Points([]group.Point{g.Generator(), g.Generator()})
	w.Scalars([]group.Scalar{g.Uint64(1), g.Uint64(2), g.Uint64(3)})
	b := w.Done()
	for room := range 5 {
		r := wire.NewReader("test", wire.OneByOne(g), b)
		points, scalars := make([]group.Point, room), make([]group.Scalar, room)
		ps, ss := r.NonIdentities("ps", points[:0], 2), r.Scalars("ss", scalars[:0], 3)
		require.NoError(t, r.Done())
		require.Len(t, ps, 2)
		require.Equal(t, []group.Scalar{g.Uint64(1), g.Uint64(2), g.Uint64(3)}, ss)
		require.Equal(t, room >= 2, room > 0 && &ps[0] == &points[0])
		require.Equal(t, room >= 3, room > 0 && &ss[0] == &scalars[0])
	}
	parts := make([][]byte, 0, 2)
	got, err := wire.ContainerInto(parts, "test", wire.AppendContainer(nil, []byte("a"), []byte("b")), 2, 2)
	require.NoError(t, err)
	require.Equal(t, [][]byte{[]byte("a"), []byte("b")}, got)
	require.Equal(t, got, parts[:2])
}

// TestPrefixesStay: appended bytes follow the bytes before.
func TestPrefixesStay(t *testing.T) {
	g := bn254(t)
	for name, appended := range map[string]func(dst []byte) []byte{
		"elements": func(dst []byte) []byte {
			w := wire.NewWriter(g, dst)
			w.Point(g.Generator())
			return w.Done()
		},
		"container": func(dst []byte) []byte { return wire.AppendContainer(dst, make([]byte, 300), nil) },
		"list":      func(dst []byte) []byte { return wire.AppendOctetList(dst, make([]byte, 300), nil) },
		"octets": func(dst []byte) []byte {
			return wire.WrapOctets(append(dst, make([]byte, 300)...), len(dst))
		},
		"wrapped": func(dst []byte) []byte {
			return wire.WrapTyped(append(dst, make([]byte, 300)...), len(dst), 5)
		},
		"typed":   func(dst []byte) []byte { return wire.AppendTyped(dst, 300, make([]byte, 300)) },
		"point":   func(dst []byte) []byte { return wire.AppendJSONPoint(dst, g, g.Generator()) },
		"scalar":  func(dst []byte) []byte { return wire.AppendJSONScalar(dst, g, g.Uint64(5)) },
		"message": func(dst []byte) []byte { return wire.AppendWrapped(dst, 3, make([]byte, 300)) },
		"map": func(dst []byte) []byte {
			return wire.AppendMap(dst, 3, map[string][]byte{"k": make([]byte, 300)})
		},
	} {
		t.Run(name, func(t *testing.T) {
			alone := appended(nil)
			for _, prefix := range []string{"p", "prefix"} {
				want := append([]byte(prefix), alone...)
				require.Equal(t, want, appended([]byte(prefix)))
				require.Equal(t, want, appended(append(make([]byte, 0, 1000), prefix...)))
			}
		})
	}
}
