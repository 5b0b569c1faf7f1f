package mathlib // whyNot is private: it is asked only for points that a library refuses

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// TestRefusedPoints checks the error for each way in which an encoding fails to give a point,
// on every curve.
func TestRefusedPoints(t *testing.T) {
	for id, name := range Names {
		c, err := New(id)
		require.NoError(t, err)
		good := c.AppendPoint(nil, c.Generator())
		require.Len(t, good, c.PointLen())
		x, y := c.coordinates(good)
		encoded := func(x, y *big.Int) []byte {
			b := append([]byte(nil), good...)
			at := len(b) - 2*c.wide
			x.FillBytes(b[at : at+c.wide])
			y.FillBytes(b[at+c.wide:])
			return b
		}
		one := big.NewInt(1)
		cases := map[string]struct {
			b    []byte
			want error
		}{
			"another y":     {encoded(x, new(big.Int).Xor(y, one)), group.ErrNotOnCurve},
			"another x":     {encoded(new(big.Int).Xor(x, big.NewInt(2)), y), group.ErrNotOnCurve},
			"x = p":         {encoded(c.p, y), group.ErrNotCanonical},
			"y = p":         {encoded(x, c.p), group.ErrNotCanonical},
			"both are p":    {encoded(c.p, c.p), group.ErrNotCanonical},
			"x more than p": {encoded(new(big.Int).Add(c.p, one), y), group.ErrNotCanonical},
		}
		for what, v := range cases {
			t.Run(what, func(t *testing.T) {
				_, err := c.DecodePoint(v.b)
				require.ErrorIs(t, err, v.want, "%s: %s", name, what)
			})
		}
		if c.pointLen > 2*c.wide { // with a tag
			for _, tag := range []byte{0, 2, 3, 5, 0x84} {
				b := append([]byte(nil), good...)
				b[0] = tag
				_, err := c.DecodePoint(b)
				require.ErrorIs(t, err, group.ErrNotCanonical, "%s: tag %d", name, tag)
				require.Equal(t, group.ErrNotCanonical, c.whyNot(b))
			}
			require.EqualValues(t, uncompressedTag, good[0])
		}
		// whyNot of a point on the curve: it can only be outside the group.
		require.Equal(t, group.ErrNotInSubgroup, c.whyNot(good))
		twice := c.AddPoints(c.Generator(), c.Generator())
		require.Equal(t, group.ErrNotInSubgroup, c.whyNot(c.AppendPoint(nil, twice)))
		require.Equal(t, group.ErrNotCanonical, c.whyNot(encoded(x, c.p)))
		require.Equal(t, group.ErrNotCanonical, c.whyNot(encoded(c.p, y)))
		require.Equal(t, group.ErrNotOnCurve, c.whyNot(encoded(x, new(big.Int).Sub(c.p, one))))
	}
}

// TestUnknownIdentifiers: the error names the number.
func TestUnknownIdentifiers(t *testing.T) {
	for id, want := range map[int]string{-1: "curve -1 ", len(Names): "curve 9 ", 100: "curve 100 "} {
		_, err := New(id)
		require.ErrorIs(t, err, group.ErrUnknownCurve)
		require.ErrorContains(t, err, want)
	}
}
