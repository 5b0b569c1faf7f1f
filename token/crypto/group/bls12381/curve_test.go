package bls12381 // the flags and negateIf are private: each bit of an encoding is set alone

import (
	"bytes"
	"testing"

	curve "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

func newForTest() *Group { return New(7) }

// compressed encodes a point by its flags and abscissa, without other checks.
func compressed(flags byte, x []byte) []byte {
	b := make([]byte, CompressedLen)
	copy(b[CompressedLen-len(x):], x)
	b[0] |= flags
	return b
}

// decodeCompressed reads one compressed point of the group.
func decodeCompressed(g *Group, b []byte) (group.Point, error) {
	var on [1]group.CurvePoint
	if err := g.DecodeCurvePoints(on[:], [][]byte{b})[0]; err != nil {
		return group.Point{}, err
	}
	var in [1]group.Point
	if g.InGroup(in[:], on[:]) == 0 {
		return group.Point{}, group.ErrNotInSubgroup
	}
	return in[0], nil
}

// TestCompressedPoints compares decoding with gnark-crypto's encoder, for both
// signs of y and for the identity.
func TestCompressedPoints(t *testing.T) {
	g := newForTest()
	points := []group.Point{{}}
	for _, name := range []string{"a", "b", "c", "d"} {
		p := g.HashToPoint([]byte(name))
		points = append(points, p, g.SubPoints(group.Point{}, p))
	}
	for i, p := range points {
		a := affine(&p)
		b := a.Bytes()
		got, err := decodeCompressed(g, b[:])
		require.NoError(t, err, i)
		require.Equal(t, p, got, i)
	}
}

// TestCompressedPointsHaveOneEncoding: each rule of the encoding on its own.
func TestCompressedPointsHaveOneEncoding(t *testing.T) {
	g := newForTest()
	p := g.HashToPoint([]byte("a"))
	a := affine(&p)
	good := a.Bytes()
	sign := good[0] & flagLargest
	withFlags := func(flags byte) []byte {
		b := bytes.Clone(good[:])
		b[0] = b[0]&^(flagCompressed|flagInfinity|flagLargest) | flags
		return b
	}
	// The points with abscissa 0 have order 3. Points with other small abscissas
	// are outside the group, too.
	var onCurve, noPoint []byte
	for x := byte(1); onCurve == nil || noPoint == nil; x++ {
		var abscissa, right fp.Element
		abscissa.SetUint64(uint64(x))
		right.Square(&abscissa).Mul(&right, &abscissa).Add(&right, &coeffB)
		if right.Legendre() == 1 {
			onCurve = []byte{x}
		} else {
			noPoint = []byte{x}
		}
	}
	modulus := fp.Modulus().Bytes()
	for name, c := range map[string]struct {
		b    []byte
		want error
	}{
		"empty":                  {nil, group.ErrLength},
		"a byte less":            {good[:CompressedLen-1], group.ErrLength},
		"a byte more":            {append(bytes.Clone(good[:]), 0), group.ErrLength},
		"not compressed":         {withFlags(sign), group.ErrNotCanonical},
		"identity with abscissa": {withFlags(flagCompressed | flagInfinity), group.ErrNotCanonical},
		"identity, sign, abscissa": {withFlags(flagCompressed | flagInfinity | flagLargest),
			group.ErrNotCanonical},
		"identity with a sign": {compressed(flagCompressed|flagInfinity|flagLargest, nil),
			group.ErrNotCanonical},
		"identity, not compressed": {compressed(flagInfinity, nil), group.ErrNotCanonical},
		"identity and a last one": {compressed(flagCompressed|flagInfinity, []byte{1}),
			group.ErrNotCanonical},
		"abscissa p":              {compressed(flagCompressed, modulus), group.ErrNotCanonical},
		"abscissa off the curve":  {compressed(flagCompressed, noPoint), group.ErrNotOnCurve},
		"order 3":                 {compressed(flagCompressed, nil), group.ErrNotInSubgroup},
		"order 3, the other":      {compressed(flagCompressed|flagLargest, nil), group.ErrNotInSubgroup},
		"on the curve, not in it": {compressed(flagCompressed, onCurve), group.ErrNotInSubgroup},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := decodeCompressed(g, c.b)
			require.ErrorIs(t, err, c.want)
		})
	}
	var other curve.G1Affine
	_, err := other.SetBytes(withFlags(flagCompressed | sign ^ flagLargest))
	require.NoError(t, err)
	got, err := decodeCompressed(g, withFlags(flagCompressed|sign^flagLargest))
	require.NoError(t, err)
	require.Equal(t, g.SubPoints(group.Point{}, p), got, "the other sign")
	require.Equal(t, point(&other), got)
}

// TestIdentifiers: the names of the curve on the wire; other numbers are without a name.
func TestIdentifiers(t *testing.T) {
	names := map[int]string{
		3: "BLS12_381", 5: "BLS12_381_GURVY", 6: "BLS12_381_BBS", 7: "BLS12_381_BBS_GURVY",
		8: "BLS12_381_BBS_GURVY_FAST_RNG",
	}
	for id := -1; id < 12; id++ {
		g := New(id)
		name, ok := names[id]
		if !ok {
			require.Nil(t, g, id)
			continue
		}
		require.Equal(t, id, g.ID())
		require.Equal(t, name, g.Name())
		other := New(3 + id/6*3) // of the same hash
		require.Equal(t, other.HashToPoint([]byte("m")), g.HashToPoint([]byte("m")))
		require.NotEqual(t, New(9-id/6*3-3).HashToPoint([]byte("m")), g.HashToPoint([]byte("m")))
	}
}

// TestNegation: the opposite of a number has p less each word, with borrows between them.
func TestNegation(t *testing.T) {
	for _, y := range []fp.Element{{1}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 0, 1}, {0, 0, 0, 0, 0, 1},
		fp.One(), fp.NewElement(5)} {
		var z, want fp.Element
		negateIf(&z, &y, 0)
		require.Equal(t, y, z)
		negateIf(&z, &y, 1)
		require.Equal(t, *want.Neg(&y), z)
	}
}
