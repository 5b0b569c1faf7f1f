package grouptest_test

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
		c.oneEncoding(t, b, func(b []byte) ([]byte, error) {
			p, err := c.DecodePoint(b)
			return c.AppendPoint(nil, p), err
		})
	}
	c.decodeTogether(t, ps)
	require.Equal(t, all, c.AppendPoints(nil, []byte("prefix"), ps))
	require.Equal(t, append([]byte("x"), all...), c.AppendPoints([]byte("x"), []byte("prefix"), ps))
}

// decodeTogether decodes lists of points with some wrong encodings, as one by one.
func (c *suite) decodeTogether(t *testing.T, ps []group.Point) {
	gen := c.AppendPoint(nil, c.Generator())
	off, large := bytes.Clone(gen), bytes.Clone(gen)
	off[len(off)-1] ^= 1
	large[0] |= 0x80
	wrong := [][]byte{nil, gen[1:], off, large}
	if !c.isToy() {
		every, _ := c.curvePoints(t, 3)
		for _, p := range every {
			wrong = append(wrong, group.AppendCurvePoint(c, nil, p))
		}
	}
	for i := range 4 * len(ps) {
		dst, bs := make([]group.Point, i/4), make([][]byte, i/4)
		for k := range bs {
			bs[k] = c.AppendPoint(nil, ps[k])
			if c.rand.IntN(20) < i%4 {
				bs[k] = wrong[c.rand.IntN(len(wrong))]
			}
		}
		var want error
		first := slices.IndexFunc(bs, func(b []byte) bool {
			_, want = c.DecodePoint(b)
			return want != nil
		})
		if first < 0 {
			first = len(bs)
		}
		done, err := c.DecodePoints(dst, bs)
		require.Equal(t, want, err)
		require.Equal(t, first, done)
		for k := 0; k < done && err == nil; k++ {
			require.Equal(t, bs[k], c.AppendPoint(nil, dst[k]))
		}
	}
}

// oneEncoding changes the length of b, and b bit by bit: accepted bytes must encode to
// themselves, and refused bytes must give a typed error.
func (c *suite) oneEncoding(t *testing.T, b []byte, again func(b []byte) ([]byte, error)) {
	for _, wrong := range [][]byte{b[1:], append([]byte{0}, b...), append(bytes.Clone(b), 0), nil} {
		_, err := again(wrong)
		require.ErrorIs(t, err, group.ErrLength)
	}
	for bit := range 8 * len(b) {
		if bit >= 16 && bit < 8*len(b)-16 && bit%37 != 0 {
			continue // tests the first and last bytes, and some in between
		}
		other := bytes.Clone(b)
		other[bit/8] ^= 1 << (bit % 8)
		encoded, err := again(other)
		if err == nil {
			require.Equal(t, other, encoded)
			continue
		}
		known := errors.Is(err, group.ErrNotCanonical) || errors.Is(err, group.ErrNotOnCurve) ||
			errors.Is(err, group.ErrNotInSubgroup)
		require.True(t, known, "%v", err)
	}
}

// canonicalCoordinates adds the order of the field to one coordinate.
func (c *suite) canonicalCoordinates(t *testing.T) {
	b, p := c.AppendPoint(nil, c.HashToPoint([]byte("p"))), c.equation().p
	half := len(b) / 2
	for at := len(b) % 2; at < len(b); at += half {
		other := bytes.Clone(b)
		v := new(big.Int).SetBytes(b[at : at+half])
		v.Add(v, p).FillBytes(other[at : at+half])
		_, err := c.DecodePoint(other)
		require.ErrorIs(t, err, group.ErrNotCanonical, "coordinate at %d", at)
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
	c.SubPointVec(nil, nil, nil)
}

// multiplication by scalars where recoding could break: short and long ones.
func (c *suite) multiplication(t *testing.T) {
	log := c.random().v
	p := c.point(log)
	for _, s := range c.edges() {
		want, got := c.point(new(big.Int).Mul(log, s.v)), group.MulPoint(c, p, s.s)
		require.Equal(t, c.AppendPoint(nil, want), c.AppendPoint(nil, got), "%v·P", s.v)
		require.True(t, group.IsIdentity(group.MulPoint(c, group.Point{}, s.s)))
	}
}
