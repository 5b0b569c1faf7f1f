package bls12381 // squareRoots and windows are private: no encoding has a chosen square

import (
	"bytes"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// TestRootsTogether: square roots of lists of all lengths equal the roots by
// gnark-crypto, and elements without a root are found.
func TestRootsTogether(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	element := func() (e fp.Element) {
		b := make([]byte, 64)
		for i := range b {
			b[i] = byte(random.Uint32())
		}
		e.SetBytes(b)
		return e
	}
	for n := range 27 {
		as := make([]fp.Element, n)
		for i := range as {
			as[i] = element()
		}
		if n > 4 {
			as[0].SetZero()
			as[1].SetOne()
			as[2].SetBigInt(new(big.Int).Sub(fp.Modulus(), big.NewInt(1)))
			as[3].SetUint64(4)
		}
		for _, g := range []*Group{New(7), New(7).Portable()} {
			ws := g.take()
			for i, got := range ws.squareRoots(as) {
				var want, square fp.Element
				if want.Sqrt(&as[i]) == nil {
					require.False(t, square.Square(&got).Equal(&as[i]), "%d of %d has no root", i, n)
					continue
				}
				require.True(t, square.Square(&got).Equal(&as[i]), "%d of %d", i, n)
				require.True(t, got.Equal(&want) || want.Neg(&want).Equal(&got))
			}
			ws.put()
		}
	}
}

// TestWindows: the steps match the exponent, and the first does not square.
func TestWindows(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		e := new(big.Int).SetUint64(random.Uint64()>>random.IntN(64) | 1)
		e.Lsh(e, uint(random.IntN(9)))
		got, steps := new(big.Int), windows(e)
		require.Zero(t, steps[0].squarings)
		for _, s := range steps {
			require.Less(t, s.odd, 1<<(rootWindow-1))
			got.Lsh(got, uint(s.squarings))
			if s.odd >= 0 {
				got.Add(got, big.NewInt(int64(2*s.odd+1)))
			}
		}
		require.Equal(t, e, got)
	}
}

// TestOneWrongEncoding reads points in both encodings together, and puts a wrong encoding of each
// kind, or a point outside the group, at every place: the others are read as if it were not there.
func TestOneWrongEncoding(t *testing.T) {
	g := newForTest()
	bs, want := make([][]byte, 20), make([]group.Point, 20)
	for i := range bs {
		want[i] = g.HashToPoint([]byte{byte(i)})
		bs[i] = g.AppendPoint(nil, want[i])
		if a := affine(&want[i]); i%4 != 0 {
			b := a.Bytes()
			bs[i] = b[:]
		}
	}
	on, in := make([]group.CurvePoint, len(bs)), make([]group.Point, len(bs))
	g.DecodeCurvePoints(on, bs)
	require.Equal(t, len(bs), g.InGroup(in, on))
	require.Equal(t, want, in)
	for _, c := range []struct {
		b    []byte
		want error
	}{
		{nil, group.ErrLength},
		{[]byte{1}, group.ErrLength},
		{compressed(flagCompressed, []byte{1}), group.ErrNotOnCurve},
		{compressed(flagCompressed|flagInfinity, []byte{1}), group.ErrNotCanonical},
		{compressed(0, nil), group.ErrNotCanonical},
		{compressed(flagCompressed, bytes.Repeat([]byte{255}, 47)), group.ErrNotOnCurve},
		{compressed(flagCompressed, nil), nil}, // of order three
	} {
		for place := range bs {
			given, on := slices.Clone(bs), make([]group.CurvePoint, len(bs))
			given[place] = c.b
			for i, err := range g.DecodeCurvePoints(on, given) {
				if i == place {
					require.ErrorIs(t, err, c.want)
					require.Equal(t, c.want != nil, on[i] == group.CurvePoint{})
					continue
				}
				require.NoError(t, err)
				require.Equal(t, group.OnCurve(want[i]), on[i], "place %d beside a wrong %d", i, place)
			}
			if c.want == nil {
				require.Equal(t, place, g.InGroup(in, on))
			}
		}
	}
}
