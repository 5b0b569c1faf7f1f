package curve // add is private: Multiply does not add equal points, or the point at infinity, in known steps

import (
	"crypto/ecdh"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/scheme/p256/field/g10x26"
	"github.com/zkatbench/zkatbench/scheme/p256/field/g10x28"
	"github.com/zkatbench/zkatbench/scheme/p256/field/g9x29"
	"github.com/zkatbench/zkatbench/scheme/p256/field/g9x29once"
	"github.com/zkatbench/zkatbench/scheme/p256/field/g9x29top"
)

// suite runs the tests of one field.
func suite[E any, F Field[E]](t *testing.T, name string, l Limits, reduces int) {
	c := New[E, F](l)
	t.Run(name+"/multiplication", func(t *testing.T) { agrees(t, c) })
	t.Run(name+"/group", func(t *testing.T) { isGroup(t, c) })
	t.Run(name+"/cost", func(t *testing.T) {
		// A change here is a decision: say why in the commit.
		k := scalar(rand.New(rand.NewPCG(1, 1)))
		_, ops := c.Multiply(&k, c.Generator())
		require.Equal(t, Ops{Mul: 3584, Square: 777, Add: 7498, Reduce: reduces}, ops)
		_, again := c.Multiply(new([32]byte), c.Generator())
		require.Equal(t, ops, again, "the operations depend on the scalar")
	})
}

func TestCurve(t *testing.T) {
	suite[g10x26.Element](t, "10x26", Limits{g10x26.MaxAdds, g10x26.MaxSum}, 1588)
	suite[g10x28.Element](t, "10x28", Limits{g10x28.MaxAdds, g10x28.MaxSum}, 1847)
	suite[g9x29.Element](t, "9x29", Limits{g9x29.MaxAdds, g9x29.MaxSum}, 2265)
	suite[g9x29top.Element](t, "9x29-top", Limits{g9x29top.MaxAdds, g9x29top.MaxSum}, 2265)
	suite[g9x29once.Element](t, "9x29-adds0", Limits{g9x29once.MaxAdds, g9x29once.MaxSum}, 4454)
}

func scalar(rng *rand.Rand) (k [32]byte) {
	v := new(big.Int)
	for range 4 {
		v.Lsh(v, 64).Add(v, new(big.Int).SetUint64(rng.Uint64()))
	}
	v.Mod(v, order).FillBytes(k[:])
	return k
}

// agrees compares multiples of the generator and of other points with
// crypto/ecdh.
func agrees[E any, F Field[E]](t *testing.T, c *Curve[E, F]) {
	rng := rand.New(rand.NewPCG(2, 2))
	for range 30 {
		k, m := scalar(rng), scalar(rng)
		p, _ := c.Multiply(&k, c.Generator())
		x, y, finite := c.Affine(p)
		require.True(t, finite)
		key, err := ecdh.P256().NewPrivateKey(k[:])
		require.NoError(t, err)
		raw := append([]byte{4}, append(x.FillBytes(make([]byte, 32)), y.FillBytes(make([]byte, 32))...)...)
		require.Equal(t, key.PublicKey().Bytes(), raw)
		// m·(k·G), the point read back from its coordinates
		r, _ := c.Multiply(&m, c.point(t, x, y))
		x, _, _ = c.Affine(r)
		other, err := ecdh.P256().NewPrivateKey(m[:])
		require.NoError(t, err)
		shared, err := other.ECDH(key.PublicKey())
		require.NoError(t, err)
		require.Equal(t, shared, x.FillBytes(make([]byte, 32)))
	}
}

// isGroup tests the cases where incomplete formulas fail.
func isGroup[E any, F Field[E]](t *testing.T, c *Curve[E, F]) {
	same := func(p, q *Point[E], what string) {
		t.Helper()
		px, py, pf := c.Affine(p)
		qx, qy, qf := c.Affine(q)
		require.Equal(t, pf, qf, what)
		if pf {
			require.True(t, px.Cmp(qx) == 0 && py.Cmp(qy) == 0, what)
		}
	}
	g, zero := c.Generator(), c.infinity()
	var n, two, k [32]byte
	order.FillBytes(n[:])
	two[31], k[31] = 2, 77
	ng, _ := c.Multiply(&n, g)
	same(zero, ng, "n·G = 0")
	p, _ := c.Multiply(&k, g)
	same(zero, c.sum(p, c.negative(p)), "P + (−P) = 0")
	same(p, c.sum(zero, p), "0 + P = P")
	same(p, c.sum(p, zero), "P + 0 = P")
	same(zero, c.sum(zero, zero), "0 + 0 = 0")
	double, _ := c.Multiply(&two, p)
	same(double, c.sum(p, p), "P + P = 2P")
	same(zero, c.negative(zero), "−0 = 0")
	z, _ := c.Multiply(&k, zero)
	same(zero, z, "k·0 = 0")
	all := [32]byte{}
	for i := range all {
		all[i] = 0xff // larger than the order
	}
	wrapped, _ := c.Multiply(&all, g)
	reduced := [32]byte{}
	new(big.Int).Mod(new(big.Int).SetBytes(all[:]), order).FillBytes(reduced[:])
	want, _ := c.Multiply(&reduced, g)
	same(want, wrapped, "(2²⁵⁶ − 1)·G")
}

// point returns the point with affine coordinates x and y, which are on the curve.
func (c *Curve[E, F]) point(t *testing.T, x, y *big.Int) *Point[E] {
	p := &Point[E]{z: c.one()}
	require.NoError(t, F(&p.x.e).FromBytes(x.FillBytes(make([]byte, 32))))
	require.NoError(t, F(&p.y.e).FromBytes(y.FillBytes(make([]byte, 32))))
	return p
}

// sum returns p + q for all points, equal ones and infinity included.
func (c *Curve[E, F]) sum(p, q *Point[E]) *Point[E] {
	a, r, x, y := arith[E, F]{Limits: c.limits}, new(Point[E]), *p, *q
	c.add(&a, r, &x, &y)
	return r
}

// negative returns −p.
func (c *Curve[E, F]) negative(p *Point[E]) *Point[E] {
	a, r, zero := arith[E, F]{Limits: c.limits}, *p, value[E]{}
	a.sub(&r.y, &zero, &r.y)
	return &r
}
