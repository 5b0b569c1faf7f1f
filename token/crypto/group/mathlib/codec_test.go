package mathlib

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// TestRefusedPoints: the reason for each way in which an encoding does not give a point,
// on every curve.
func TestRefusedPoints(t *testing.T) {
	for id, name := range Names {
		c, err := New(id)
		require.NoError(t, err)
		require.Equal(t, name, c.Name())
		require.Equal(t, id, c.ID())
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
			"a byte less":   {good[1:], group.ErrLength},
			"a byte more":   {append(good[:len(good):len(good)], 0), group.ErrLength},
			"empty":         {nil, group.ErrLength},
			"another y":     {encoded(x, new(big.Int).Xor(y, one)), group.ErrNotOnCurve},
			"another x":     {encoded(new(big.Int).Xor(x, big.NewInt(2)), y), group.ErrNotOnCurve},
			"x = p":         {encoded(c.p, y), group.ErrNotCanonical},
			"y = p":         {encoded(x, c.p), group.ErrNotCanonical},
			"both are p":    {encoded(c.p, c.p), group.ErrNotCanonical},
			"x more than p": {encoded(new(big.Int).Add(c.p, one), y), group.ErrNotCanonical},
		}
		for what, v := range cases {
			_, err := c.DecodePoint(v.b)
			require.ErrorIs(t, err, v.want, "%s: %s", name, what)
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

		p, err := c.DecodePoint(good)
		require.NoError(t, err)
		require.True(t, c.Equal(p, c.Generator()))
		p, err = c.DecodePoint(c.AppendPoint(nil, group.Point{}))
		require.NoError(t, err)
		require.True(t, group.IsIdentity(p))

		on, err := c.DecodeCurvePoint(good)
		require.NoError(t, err)
		require.False(t, c.IsTorsion(on))
		require.Equal(t, good, group.AppendCurvePoint(c, nil, on))
		_, err = c.DecodeCurvePoint(good[1:])
		require.ErrorIs(t, err, group.ErrLength)
		require.True(t, c.IsTorsion(group.OnCurve(group.Point{})))

		order := c.Order().FillBytes(make([]byte, group.ScalarLen))
		_, err = c.DecodeScalar(order)
		require.ErrorIs(t, err, group.ErrNotCanonical)
		_, err = c.DecodeScalar(order[1:])
		require.ErrorIs(t, err, group.ErrLength)
		last, err := c.DecodeScalar(new(big.Int).Sub(c.Order(), one).FillBytes(make([]byte, group.ScalarLen)))
		require.NoError(t, err)
		require.Equal(t, c.Neg(c.Uint64(1)), last)
		require.Equal(t, group.Scalar{}, c.Inv(group.Scalar{}))
		require.Equal(t, last, c.Inv(last))
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

// TestTables: tables without precomputation keep their points and take no memory.
func TestTables(t *testing.T) {
	c, err := New(1)
	require.NoError(t, err)
	ps := []group.Point{c.HashToPoint([]byte("a")), c.HashToPoint([]byte("b")), c.HashToPoint([]byte("c"))}
	table, bits, digits := c.NewTable(ps, 7), c.NewBitTable(ps[:2], ps[1:]), c.NewDigitTable(ps)
	require.Equal(t, []int{3, 2, 3}, []int{table.Len(), bits.Len(), digits.Len()})
	require.Equal(t, []int{0, 0, 0}, []int{table.Bytes(), bits.Bytes(), digits.Bytes()})
	kept := append([]group.Point(nil), ps...)
	ps[0], ps[1], ps[2] = ps[2], ps[0], ps[1]
	for i := range kept {
		require.True(t, c.Equal(kept[i], table.Point(i)))
	}
	require.True(t, c.Equal(c.AddPoints(kept[0], kept[2]), c.SumBits(bits, 0b01)))
	require.True(t, c.Equal(c.AddPoints(kept[1], kept[1]), c.SumBits(bits, 0b10)))
	sums := []group.Point{kept[1], {}}
	c.AddDigits(sums, digits, [][]uint8{{2, 0, 1}, {0, 3}})
	double := c.AddPoints(kept[0], kept[0])
	require.True(t, c.Equal(c.sum([]group.Point{kept[1], double, kept[2]}), sums[0]))
	require.True(t, c.Equal(c.sum([]group.Point{kept[1], kept[1], kept[1]}), sums[1]))
}

// TestInside: the operations add to a sum that starts at the first point.
func TestInside(t *testing.T) {
	c, err := New(1)
	require.NoError(t, err)
	ops := c.Inside([]group.Point{c.Generator(), c.HashToPoint([]byte("a"))})
	require.Len(t, ops, 2)
	for _, name := range []string{"in-place-add", "in-place-double"} {
		ops[name](0, 2)
	}
	c.Yardstick()()
}

// TestEqualPoints compares points with their opposites and the identity, on every curve.
func TestEqualPoints(t *testing.T) {
	for id, name := range Names {
		c, err := New(id)
		require.NoError(t, err)
		minus := c.SubPoints(group.Point{}, c.Generator())
		for _, v := range []struct {
			p, q group.Point
			want bool
		}{
			{group.Point{}, group.Point{}, true},
			{group.Point{}, c.Generator(), false},
			{c.Generator(), group.Point{}, false},
			{c.Generator(), c.Generator(), true},
			{c.Generator(), minus, false},
			{c.AddPoints(c.Generator(), minus), group.Point{}, true},
			{c.SubPoints(minus, c.Generator()), c.AddPoints(minus, minus), true},
		} {
			require.Equal(t, v.want, c.Equal(v.p, v.q), name)
		}
	}
}
