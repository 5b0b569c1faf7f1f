package wire_test

import (
	"bytes"
	"encoding/asn1"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

func bn254(t testing.TB) group.Group {
	t.Helper()
	g := vectors.Curve(t, "BN254")
	return g
}

// TestHeadersAreThoseOfEncodingASN1 compares lengths close to every boundary.
func TestHeadersAreThoseOfEncodingASN1(t *testing.T) {
	type values struct{ Values [][]byte }
	for _, n := range []int{0, 1, 120, 127, 128, 129, 250, 255, 256, 257, 65535, 65536, 70000} {
		part := bytes.Repeat([]byte{7}, n)
		want, err := asn1.Marshal(values{[][]byte{part, {}}})
		require.NoError(t, err)
		require.Equal(t, want, wire.AppendContainer(nil, part, nil), n)
		parts, err := wire.Container("test", want, 2, 2)
		require.NoError(t, err)
		require.True(t, bytes.Equal(part, parts[0]))
		require.Empty(t, parts[1])
	}
	many := make([][]byte, 20)
	for i := range many {
		many[i] = []byte{byte(i)}
	}
	parts, err := wire.Container("test", wire.AppendContainer(nil, many...), 20, 20)
	require.NoError(t, err)
	require.Equal(t, many, parts)
	for _, bounds := range [][2]int{{21, 30}, {0, 19}} {
		_, err := wire.Container("test", wire.AppendContainer(nil, many...), bounds[0], bounds[1])
		require.ErrorIs(t, err, wire.ErrCount, "%v", bounds)
	}
}

// everything writes one element of each kind.
func everything(g group.Group) []byte {
	return everythingWith(g, g.Generator(), g.Generator(), g.Generator())
}

// everythingWith writes the elements with a point and a list of points.
func everythingWith(g group.Group, p group.Point, list ...group.Point) []byte {
	w := wire.NewWriter(g, nil)
	w.Point(p)
	w.Scalar(g.Uint64(5))
	w.Points(list)
	w.Scalars([]group.Scalar{g.Uint64(1), g.Uint64(2), g.Uint64(3)})
	return w.Done()
}

func readEverything(g group.Group, b []byte) error {
	r := wire.NewReader("test", wire.OneByOne(g), b)
	r.Point("p", new(group.Point))
	r.Scalar("s")
	r.NonIdentities("ps", nil, 2)
	r.Scalars("ss", nil, 3)
	return r.Done()
}

// TestIdentities: only Point reads the identity. TestErrors has other faults of elements.
func TestIdentities(t *testing.T) {
	g := bn254(t)
	gen := g.Generator()
	for name, c := range map[string]struct {
		b    []byte
		want error
	}{
		"alone":        {everythingWith(g, group.Point{}, gen, gen), nil},
		"in a list":    {everythingWith(g, gen, group.Point{}, gen), group.ErrIdentity},
		"last of them": {everythingWith(g, gen, gen, group.Point{}), group.ErrIdentity},
	} {
		t.Run(name, func(t *testing.T) { require.ErrorIs(t, readEverything(g, c.b), c.want) })
	}
}

// TestListsOfAnotherLength: one element too few or too many, and an element that
// is not a list.
func TestListsOfAnotherLength(t *testing.T) {
	g := bn254(t)
	for n, want := range map[int]error{2: wire.ErrCount, 3: nil, 4: wire.ErrCount} {
		w := wire.NewWriter(g, nil)
		w.Scalars(make([]group.Scalar, n))
		r := wire.NewReader("test", wire.OneByOne(g), w.Done())
		r.Scalars("ss", nil, 3)
		require.ErrorIs(t, r.Done(), want, n)
	}
	long := make([]group.Scalar, 20)
	for i := range long {
		long[i] = g.Uint64(uint64(i))
	}
	w := wire.NewWriter(g, nil)
	w.Scalars(long)
	w.Scalar(g.Uint64(5))
	r := wire.NewReader("test", wire.OneByOne(g), w.Done())
	require.Equal(t, long, r.Scalars("ss", nil, len(long)))
	r.Scalars("ss", nil, 3)
	require.ErrorIs(t, r.Done(), wire.ErrMalformed)
}

func TestJSONFormHasOneSpelling(t *testing.T) {
	g := bn254(t)
	const five = `{"curve":1,"element":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAU="}`
	require.Equal(t, five, string(wire.AppendJSONScalar(nil, g, g.Uint64(5))))
	m := wire.NewMessage("message", wire.AppendJSONScalarField(nil, 1, g, g.Uint64(5)))
	require.Equal(t, g.Uint64(5), m.JSONScalar(1, "five", g))
	require.NoError(t, m.Done())
	s, err := wire.DecodeJSONScalar(g, []byte(five))
	require.NoError(t, err)
	require.Equal(t, g.Uint64(5), s)
	for text, kind := range map[string]error{
		``: wire.ErrMissing,
		`{"curve":7,"element":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAU="}`:   wire.ErrWrongCurve,
		`{"curve":1, "element":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAU="}`:  wire.ErrMalformed,
		`{"element":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAU=","curve":1}`:   wire.ErrMalformed,
		`{"curve":1,"element":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAU="} `:  wire.ErrMalformed,
		`{"curve":1,"element":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAV="}`:   wire.ErrMalformed,
		`{"curve":1,"element":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\nU="}`: group.ErrLength,
		`{"curve":1,"element":"BQ=="}`:                                           group.ErrLength,
	} {
		_, err := wire.DecodeJSONScalar(g, []byte(text))
		require.ErrorIs(t, err, kind, text)
	}
	p := wire.AppendJSONPoint(nil, g, g.Generator())
	got, err := wire.DecodeJSONPoint(g, p)
	require.NoError(t, err)
	require.True(t, g.Equal(g.Generator(), got))
}

func FuzzReader(f *testing.F) {
	g := bn254(f)
	vectors.FuzzDecoder(f, [][]byte{everything(g)}, func(b []byte) ([]byte, error) {
		r := wire.NewReader("test", wire.OneByOne(g), b)
		w := wire.NewWriter(g, nil)
		var p group.Point
		r.Point("p", &p)
		w.Point(p)
		w.Scalar(r.Scalar("s"))
		w.Points(r.NonIdentities("ps", nil, 2))
		w.Scalars(r.Scalars("ss", nil, 3))
		return w.Done(), r.Done()
	})
}

func FuzzJSON(f *testing.F) {
	g := bn254(f)
	f.Add(wire.AppendJSONPoint(nil, g, g.Generator()))
	f.Add(wire.AppendJSONScalar(nil, g, g.Uint64(5)))
	f.Fuzz(func(t *testing.T, b []byte) {
		if p, err := wire.DecodeJSONPoint(g, b); err == nil {
			require.Equal(t, b, wire.AppendJSONPoint(nil, g, p))
		}
		if s, err := wire.DecodeJSONScalar(g, b); err == nil {
			require.Equal(t, b, wire.AppendJSONScalar(nil, g, s))
		}
	})
}

// value is a DER value with less than 128 bytes of content.
func value(tag byte, content ...[]byte) []byte {
	all := bytes.Join(content, nil)
	return append([]byte{tag, byte(len(all))}, all...)
}

// TestNothingFollowsAnything adds bytes after a value at every level.
func TestNothingFollowsAnything(t *testing.T) {
	g := bn254(t)
	const octets, sequence, integer = 4, 0x30, 2
	null := value(5)
	scalar := value(octets, g.AppendScalar(nil, g.Uint64(5)))
	element := value(octets, value(sequence, value(integer, []byte{1}), scalar))
	read := func(b []byte) error {
		r := wire.NewReader("test", wire.OneByOne(g), b)
		r.Scalar("scalar")
		return r.Done()
	}
	require.NoError(t, read(value(sequence, value(sequence, element))))
	for name, b := range map[string][]byte{
		"after it":       append(value(sequence, value(sequence, element)), null...),
		"after the list": value(sequence, value(sequence, element), null),
		"in the list":    value(sequence, value(sequence, element, element)),
		"after the element": value(sequence,
			value(sequence, value(octets, value(sequence, value(integer, []byte{1}), scalar), null))),
		"in the element": value(sequence,
			value(sequence, value(octets, value(sequence, value(integer, []byte{1}), scalar, null)))),
	} {
		t.Run(name, func(t *testing.T) {
			require.ErrorIs(t, read(b), wire.ErrTrailing, name)
		})
	}
	for name, id := range map[string][]byte{"zeros before": {0, 1}, "two bytes": {1, 1}, "another": {7},
		"none": {}} {
		t.Run(name, func(t *testing.T) {
			b := value(sequence, value(sequence, value(octets, value(sequence, value(integer, id), scalar))))
			require.Error(t, read(b), name)
		})
	}
	part := value(octets, []byte{7})
	_, err := wire.Container("test", value(sequence, value(sequence, part), null), 0, 2)
	require.ErrorIs(t, err, wire.ErrTrailing, "container")
}

// TestJSONHasOneForm: the output of package json, and no other text that it reads.
func TestJSONHasOneForm(t *testing.T) {
	type value struct {
		A int
		B []byte
	}
	var v value
	require.NoError(t, wire.ExactJSON([]byte(`{"A":1,"B":"eA=="}`), &v))
	require.Equal(t, value{1, []byte("x")}, v)
	for name, text := range map[string]string{
		"white space":   `{"A":1, "B":"eA=="}`,
		"a newline":     "{\"A\":1,\"B\":\"eA==\"}\n",
		"another order": `{"B":"eA==","A":1}`,
		"unknown key":   `{"A":1,"B":"eA==","C":2}`,
		"key twice":     `{"A":1,"A":1,"B":"eA=="}`,
		"another case":  `{"a":1,"B":"eA=="}`,
		"missing key":   `{"A":1}`,
		"escapes":       `{"A":1,"B":"\u0065A=="}`,
	} {
		t.Run(name, func(t *testing.T) {
			require.ErrorIs(t, wire.ExactJSON([]byte(text), new(value)), wire.ErrNotCanonical)
		})
	}
	require.ErrorIs(t, wire.ExactJSON([]byte(`{`), new(value)), wire.ErrMalformed)
}

// TestErrorsName: an error names the value, the field, the place if it is known, and the
// kind.
func TestErrorsName(t *testing.T) {
	for want, err := range map[string]error{
		"action: inputs[3] at byte 17 " +
			wire.ErrMissing.Error(): &wire.DecodeError{What: "action", Field: "inputs[3]", Offset: 17,
			Err: wire.ErrMissing},
		"action: inputs[3] at byte 0 " +
			wire.ErrMissing.Error(): &wire.DecodeError{What: "action", Field: "inputs[3]",
			Err: wire.ErrMissing},
		"action: inputs[3] " +
			wire.ErrMissing.Error(): wire.Name("action").Bad("inputs[3]", wire.ErrMissing),
		"action " +
			wire.ErrMissing.Error(): &wire.DecodeError{What: "action", Offset: 5, Err: wire.ErrMissing},
	} {
		t.Run(want, func(t *testing.T) {
			require.EqualError(t, err, want)
			require.ErrorIs(t, err, wire.ErrMissing)
		})
	}
}
