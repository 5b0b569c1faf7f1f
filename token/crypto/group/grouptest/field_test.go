package grouptest_test

import (
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

func (c *suite) isScalar(t *testing.T, want *big.Int, got group.Scalar, what string) {
	t.Helper()
	require.Equal(t, c.scalar(want).s, got, what)
}

func (c *suite) field(t *testing.T) {
	require.True(t, c.q.ProbablyPrime(20))
	require.Equal(t, group.Scalar{}, c.Uint64(0), "the zero value is 0")
	require.Equal(t, group.Scalar{}, c.Inv(group.Scalar{}), "1/0")
	v := new(big.Int)
	pairs := c.some(nightly.Pick(100, 300, 3000))
	for i := range len(pairs) - 1 {
		a, b := pairs[i], pairs[i+1]
		c.isScalar(t, v.Add(a.v, b.v), c.Add(a.s, b.s), "a + b")
		c.isScalar(t, v.Sub(a.v, b.v), c.Sub(a.s, b.s), "a - b")
		c.isScalar(t, v.Mul(a.v, b.v), c.Mul(a.s, b.s), "a·b")
		c.isScalar(t, v.Neg(a.v), c.Neg(a.s), "-a")
		if a.v.Sign() != 0 {
			require.Equal(t, c.Uint64(1), c.Mul(a.s, c.Inv(a.s)), "a/a")
		}
		w := c.rand.Uint64()
		c.isScalar(t, v.SetUint64(w), c.Uint64(w), "integer")
	}
	c.Order().SetInt64(0)
	require.Equal(t, 0, c.q.Cmp(c.Order()), "Order is a copy")
	c.reduce(t)
}

// reduce compares with integers of every length.
func (c *suite) reduce(t *testing.T) {
	for n := range 65 {
		for _, fill := range []int{0, 0xff, -1} {
			b := make([]byte, n)
			for i := range b {
				b[i] = byte(fill)
				if fill < 0 {
					b[i] = byte(c.rand.Uint32())
				}
			}
			want := new(big.Int).SetBytes(b)
			want.Mod(want, c.q)
			got := c.AppendScalar(nil, c.Reduce(b))
			require.Equal(t, want.FillBytes(make([]byte, group.ScalarLen)), got, "%d bytes", n)
		}
	}
}

// lengths are close to the sizes where implementations change their
// algorithm.
var lengths = []int{0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 130}

// inverses compares InvVec with Inv on long vectors: without 0, with one at each place, and
// with the result in place of the operand.
func (c *suite) inverses(t *testing.T) {
	for _, n := range nightly.Pick([]int{33}, []int{30, 33, 64, 129},
		[]int{30, 32, 33, 34, 64, 96, 128, 129, 160, 300}) {
		a, want := make([]group.Scalar, n), make([]group.Scalar, n)
		for i := range a {
			a[i] = c.random().s
			want[i] = c.Inv(a[i])
		}
		for zero := -1; zero < n; zero++ {
			v, inverse := slices.Clone(a), slices.Clone(want)
			if zero >= 0 {
				v[zero], inverse[zero] = group.Scalar{}, group.Scalar{}
			}
			dst := make([]group.Scalar, n)
			c.InvVec(dst, v)
			require.Equal(t, inverse, dst, "%d, 0 at %d", n, zero)
			c.InvVec(v, v)
			require.Equal(t, inverse, v, "%d, 0 at %d, in place", n, zero)
		}
	}
}

// vectors compares each vector method with the scalar methods, also if the
// result overwrites an operand.
func (c *suite) vectors(t *testing.T) {
	for _, n := range lengths {
		a, b := scalars(c.some(n)), scalars(c.some(n))
		x, y := c.random().s, c.random().s
		for _, m := range []struct {
			name string
			vec  func(dst, a, b []group.Scalar)
			one  func(i int, a, b group.Scalar) group.Scalar
		}{
			{"AddVec", c.AddVec, func(_ int, a, b group.Scalar) group.Scalar { return c.Add(a, b) }},
			{"MulVec", c.MulVec, func(_ int, a, b group.Scalar) group.Scalar { return c.Mul(a, b) }},
			{
				"ScaleVec", func(dst, a, _ []group.Scalar) { c.ScaleVec(dst, a, x) },
				func(_ int, a, _ group.Scalar) group.Scalar { return c.Mul(a, x) },
			},
			{
				"FoldVec", func(dst, a, b []group.Scalar) { c.FoldVec(dst, a, b, x, y) },
				func(_ int, a, b group.Scalar) group.Scalar { return c.Add(c.Mul(x, a), c.Mul(y, b)) },
			},
			{
				"InvVec", func(dst, a, _ []group.Scalar) { c.InvVec(dst, a) },
				func(_ int, a, _ group.Scalar) group.Scalar { return c.Inv(a) },
			},
			{
				"Powers", func(dst, _, _ []group.Scalar) { c.Powers(dst, x) },
				func(i int, _, _ group.Scalar) group.Scalar {
					v := new(big.Int).SetBytes(c.AppendScalar(nil, x))
					return c.scalar(v.Exp(v, big.NewInt(int64(i)), c.q)).s
				},
			},
		} {
			want := make([]group.Scalar, n)
			for i := range want {
				want[i] = m.one(i, a[i], b[i])
			}
			for _, alias := range []string{"neither", "first", "second"} {
				dst, p, q := make([]group.Scalar, n), append([]group.Scalar{}, a...),
					append([]group.Scalar{}, b...)
				switch alias {
				case "first":
					dst = p
				case "second":
					dst = q
				}
				m.vec(dst, p, q)
				require.Equal(t, want, dst, "%s of %d, result in %s operand", m.name, n, alias)
			}
		}
		var sum group.Scalar
		for i := range a {
			sum = c.Add(sum, c.Mul(a[i], b[i]))
		}
		require.Equal(t, sum, c.Inner(a, b), "Inner of %d", n)
	}
}

func (c *suite) scalarEncoding(t *testing.T) {
	for _, a := range append(c.some(50), c.edges()...) {
		b := c.AppendScalar([]byte("x"), a.s)
		require.Equal(t, a.v.FillBytes(make([]byte, group.ScalarLen)), b[1:])
		s, err := c.DecodeScalar(b[1:])
		require.NoError(t, err)
		require.Equal(t, a.s, s)
		_, err = c.DecodeScalar(b)
		require.ErrorIs(t, err, group.ErrLength)
		_, err = c.DecodeScalar(b[2:])
		require.ErrorIs(t, err, group.ErrLength)
	}
	limit := new(big.Int).Lsh(big.NewInt(1), 8*group.ScalarLen)
	for _, v := range []*big.Int{c.q, new(big.Int).Add(c.q, big.NewInt(1)), limit.Sub(limit, big.NewInt(1))} {
		_, err := c.DecodeScalar(v.FillBytes(make([]byte, group.ScalarLen)))
		require.ErrorIs(t, err, group.ErrNotCanonical, "%x", v)
	}
	_, err := c.DecodeScalar(nil)
	require.ErrorIs(t, err, group.ErrLength)
}
