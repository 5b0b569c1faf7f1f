package grouptest

import (
	"bytes"
	"errors"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

func (c *suite) pointEncoding(t *testing.T) {
	ps, _ := c.points(20)
	ps = append(ps, c.HashToPoint([]byte("a")), c.HashToPoint(nil))
	var all []byte
	for _, p := range ps {
		b := c.AppendPoint(nil, p)
		require.Len(t, b, c.PointLen())
		all = append(append(all, "prefix"...), b...)
		q, err := c.DecodePoint(b)
		require.NoError(t, err)
		require.True(t, c.Equal(p, q))
		require.Equal(t, group.IsIdentity(p), group.IsIdentity(q))
		for _, wrong := range [][]byte{b[1:], append([]byte{0}, b...), append(bytes.Clone(b), 0), nil} {
			_, err := c.DecodePoint(wrong)
			require.ErrorIs(t, err, group.ErrLength)
		}
		c.oneEncoding(t, b)
	}
	c.decodeTogether(t, ps)
	require.Equal(t, all, c.AppendPoints(nil, []byte("prefix"), ps))
	require.Equal(t, append([]byte("x"), all...), c.AppendPoints([]byte("x"), []byte("prefix"), ps))
}

// decodeTogether decodes points together, and with an encoding of the wrong
// length in every place.
func (c *suite) decodeTogether(t *testing.T, ps []group.Point) {
	bs := make([][]byte, len(ps))
	for i, p := range ps {
		bs[i] = c.AppendPoint(nil, p)
	}
	for n := range len(ps) + 1 {
		dst := make([]group.Point, n)
		done, err := c.DecodePoints(dst, bs[:n])
		require.NoError(t, err)
		require.Equal(t, n, done)
		for i := range dst {
			require.True(t, c.Equal(ps[i], dst[i]))
		}
	}
	for i := range bs {
		wrong := slices.Clone(bs)
		wrong[i] = wrong[i][1:]
		done, err := c.DecodePoints(make([]group.Point, len(bs)), wrong)
		require.ErrorIs(t, err, group.ErrLength)
		require.Equal(t, i, done)
	}
}

// oneEncoding changes b bit by bit: accepted bytes must encode to themselves,
// and refused bytes must give a typed error.
func (c *suite) oneEncoding(t *testing.T, b []byte) {
	for bit := range 8 * len(b) {
		if bit >= 16 && bit < 8*len(b)-16 && bit%37 != 0 {
			continue // tests the first and last bytes, and some in between
		}
		other := bytes.Clone(b)
		other[bit/8] ^= 1 << (bit % 8)
		p, err := c.DecodePoint(other)
		if err == nil {
			require.Equal(t, other, c.AppendPoint(nil, p))
			continue
		}
		known := errors.Is(err, group.ErrNotCanonical) || errors.Is(err, group.ErrNotOnCurve) ||
			errors.Is(err, group.ErrNotInSubgroup)
		require.True(t, known, "%v", err)
	}
}

func (c *suite) addition(t *testing.T) {
	var zero group.Point
	gen := c.Generator()
	require.True(t, group.IsIdentity(zero), "the zero value is the identity")
	require.False(t, group.IsIdentity(gen))
	require.True(t, group.IsIdentity(c.point(c.q)), "q·G")
	require.True(t, c.Equal(c.HashToPoint([]byte("m")), c.HashToPoint([]byte("m"))))
	ps, logs := c.points(25)
	for i, p := range ps {
		for k, q := range ps {
			same := new(big.Int).Mod(new(big.Int).Sub(logs[i], logs[k]), c.q).Sign() == 0
			require.Equal(t, same, c.Equal(p, q))
			sum, diff := c.AddPoints(p, q), c.SubPoints(p, q)
			require.True(t, c.Equal(sum, c.AddPoints(q, p)), "p + q = q + p")
			require.True(t, c.Equal(p, c.AddPoints(diff, q)), "p - q + q = p")
			require.True(t, c.Equal(sum, group.Sum(c, []group.Point{p, q})), "Sum")
			require.Equal(t, same, group.IsIdentity(diff))
		}
	}
	c.differences(t, ps)
}

// differences subtracts every point from every point in one call, with the
// result in one of the operands.
func (c *suite) differences(t *testing.T, ps []group.Point) {
	var left, right []group.Point
	for range 2 { // more than one batch
		for i := range ps {
			left = append(left, ps...)
			for range ps {
				right = append(right, ps[i])
			}
		}
	}
	got := slices.Clone(left)
	c.SubPointVec(got, got, right)
	for i := range got {
		if i < len(ps)*len(ps) {
			require.True(t, c.Equal(c.SubPoints(left[i], right[i]), got[i]), "place %d", i)
		} else {
			require.True(t, c.Equal(got[i%(len(ps)*len(ps))], got[i]), "place %d", i)
		}
	}
	c.SubPointVec(nil, nil, nil)
}

func (c *suite) multiplication(t *testing.T) {
	p, log := c.HashToPoint([]byte("base")), c.random().v
	q := c.point(log)
	for _, s := range c.some(trials(t, 100)) {
		require.True(t,
			c.Equal(group.MulPoint(c, p, c.Neg(s.s)), c.SubPoints(group.Point{}, group.MulPoint(c, p, s.s))))
		require.True(t, group.IsIdentity(group.MulPoint(c, group.Point{}, s.s)))
	}
	for _, s := range c.edges() {
		c.is(t, new(big.Int).Mul(log, s.v), group.MulPoint(c, q, s.s), "%v·P", s.v)
	}
	for _, n := range []int{0, 1, 2, 3, 4, 5, 8, 16, 33, 64, 65, 130, 257, 600} {
		ps, logs := c.points(n)
		ss := c.some(n)
		c.is(t, inner(logs, ss), group.MSM(c, ps, scalars(ss)), "MSM of %d", n)
		for i := range ss { // short scalars, as weights of batches
			ss[i] = c.scalar(new(big.Int).Rsh(c.random().v, 128))
		}
		c.is(t, inner(logs, ss), group.MSM(c, ps, scalars(ss)), "MSM of %d with short scalars", n)
	}
}
