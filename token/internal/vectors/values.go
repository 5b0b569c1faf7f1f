package vectors

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
)

// Curve returns the group of the curve called name.
func Curve(t testing.TB, name string) group.Group {
	t.Helper()
	g, err := curves.ByName(name)
	require.NoError(t, err)
	return g
}

// Point decodes a point of a vector.
func Point(t testing.TB, g group.Group, b Hex) group.Point {
	t.Helper()
	p, err := g.DecodePoint(b)
	require.NoError(t, err)
	return p
}

// Points decodes points of a vector.
func Points(t testing.TB, g group.Group, bs []Hex) []group.Point {
	t.Helper()
	ps := make([]group.Point, len(bs))
	for i, b := range bs {
		ps[i] = Point(t, g, b)
	}
	return ps
}

// Scalars decodes scalars of a vector.
func Scalars(t testing.TB, g group.Group, bs ...Hex) []group.Scalar {
	t.Helper()
	ss := make([]group.Scalar, len(bs))
	for i, b := range bs {
		s, err := g.DecodeScalar(b)
		require.NoError(t, err)
		ss[i] = s
	}
	return ss
}

// Scalar decodes a scalar of a vector.
func Scalar(t testing.TB, g group.Group, b Hex) group.Scalar {
	t.Helper()
	return Scalars(t, g, b)[0]
}

// Values reads decimal values as scalars.
func Values(t testing.TB, g group.Group, decimals []string) []group.Scalar {
	t.Helper()
	ss := make([]group.Scalar, len(decimals))
	for i, d := range decimals {
		v, err := strconv.ParseUint(d, 10, 64)
		require.NoError(t, err)
		ss[i] = g.Uint64(v)
	}
	return ss
}

// Generator hashes the documented string of a generator to a point
// (specification, section 3.3).
func Generator(g group.Group, name string) group.Point {
	return g.HashToPoint([]byte("lfdt-panurus.zkatdlognogh.1." + name))
}

// keys are the keys by the name of the group.
var keys Once[string, *pedersen.Key]

// Key is the Pedersen key with the generators of the documented strings. Its tables are
// made once.
func Key(g group.Group) *pedersen.Key {
	key := keys.Get(g.Name(), func() *pedersen.Key {
		return pedersen.NewKey(g, [3]group.Point{
			Generator(g, "PedersenGenerators.0"),
			Generator(g, "PedersenGenerators.1"),
			Generator(g, "PedersenGenerators.2"),
		})
	})
	return key.On(g)
}
