package grouptest_test

import (
	"cmp"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/grouptest"
)

// smallPrimes are the prime factors of 1 - x for the parameter x of BLS12-381:
// the orders of its points of small prime order.
var smallPrimes = []int64{3, 11, 10177, 859267, 52437899}

// equation is the curve y² = x³ + b over the integers modulo p, derived from
// the generator G: the ordinates of G and -G add up to p.
type equation struct{ p, b *big.Int }

func (c *suite) equation() (e equation) {
	x, y := c.coordinates(c.Generator())
	_, minusY := c.coordinates(c.SubPoints(group.Point{}, c.Generator()))
	e.p = minusY.Add(minusY, y)
	e.b = new(big.Int).Mul(y, y)
	e.b.Sub(e.b, new(big.Int).Exp(x, big.NewInt(3), nil)).Mod(e.b, e.p)
	return e
}

func (c *suite) coordinates(p group.Point) (x, y *big.Int) {
	b := c.AppendPoint(nil, p)
	wide := len(b) / 2
	b = b[len(b)-2*wide:]
	return new(big.Int).SetBytes(b[:wide]), new(big.Int).SetBytes(b[wide:])
}

// at returns the encoding of a point with the abscissa x and the prefix tag, or
// nil without such a point on the curve.
func (e equation) at(x *big.Int, tag []byte, wide int) []byte {
	y2 := new(big.Int).Exp(x, big.NewInt(3), nil)
	y := new(big.Int).ModSqrt(y2.Add(y2, e.b).Mod(y2, e.p), e.p)
	if y == nil {
		return nil
	}
	b := append([]byte(nil), tag...)
	b = append(b, x.FillBytes(make([]byte, wide))...)
	return append(b, y.FillBytes(make([]byte, wide))...)
}

// curvePoints returns n points of the curve with small abscissas, which are in
// no particular subgroup, and n torsion points derived from them. The only
// torsion point of a backend that decodes strictly is the identity.
func (c *suite) curvePoints(t *testing.T, n int) (every, torsion []group.CurvePoint) {
	e := c.equation()
	gen := c.AppendPoint(nil, c.Generator())
	wide, tag := len(gen)/2, gen[:len(gen)%2]
	for x := int64(0); len(every) < n; x++ {
		b := e.at(big.NewInt(x), tag, wide)
		if b == nil {
			continue
		}
		p, err := c.DecodeCurvePoint(b)
		if err != nil {
			require.ErrorIs(t, err, group.ErrNotInSubgroup)
			p = group.OnCurve(c.HashToPoint(b)) // a strict backend
		}
		every = append(every, p)
		torsion = append(torsion, c.times(p, c.q))
	}
	return every, torsion
}

// times returns v·P by the plainest means: doubling, and adding two points.
func (c *suite) times(p group.CurvePoint, v *big.Int) (sum group.CurvePoint) {
	ps := c.doubled[p]
	for i := range v.BitLen() {
		if i == len(ps) {
			if i > 0 {
				p = grouptest.AddCurvePoints(c, ps[i-1], ps[i-1])
			}
			ps = append(ps, p)
		}
		if v.Bit(i) == 1 {
			sum = grouptest.AddCurvePoints(c, sum, ps[i])
		}
	}
	if len(ps) > 0 {
		c.doubled[ps[0]] = ps
	}
	return sum
}

// ofOrder returns multiples of the torsion points with exactly the given order,
// which must divide the exponent of the torsion.
func (c *suite) ofOrder(torsion []group.CurvePoint, order int64) (ps []group.CurvePoint) {
	rest := big.NewInt(1)
	for _, l := range smallPrimes {
		if order%l != 0 {
			rest.Mul(rest, big.NewInt(l))
		}
	}
	for _, p := range torsion {
		if q := c.times(p, rest); q != (group.CurvePoint{}) {
			ps = append(ps, q)
		}
	}
	return ps
}

// curves compares the arithmetic on points of the whole curve with
// double-and-add, up to torsion.
func (c *suite) curves(t *testing.T) {
	if c.isToy() {
		t.Skip("a toy has no curve")
	}
	c.canonicalCoordinates(t)
	every, torsion := c.curvePoints(t, nightly.Pick(3, 6, 6))
	for _, p := range every {
		b := group.AppendCurvePoint(c, nil, p)
		again, err := c.DecodeCurvePoint(b)
		require.NoError(t, err)
		require.Equal(t, p, again)
		require.Equal(t, c.times(p, big.NewInt(3)) == (group.CurvePoint{}), c.IsTorsion(p))
		c.oneEncoding(t, b, func(b []byte) ([]byte, error) {
			p, err := c.DecodeCurvePoint(b)
			return group.AppendCurvePoint(c, nil, p), err
		})
	}
	for _, p := range torsion {
		require.True(t, c.IsTorsion(p))
	}
	require.True(t, c.IsTorsion(group.CurvePoint{}))
	require.Equal(t, c.AppendPoint(nil, c.Generator()),
		group.AppendCurvePoint(c, nil, group.OnCurve(c.Generator())))
	pool := append([]group.CurvePoint{{}}, every...)
	for _, order := range []int64{3, 11, 33, 10177} {
		for _, p := range c.ofOrder(torsion, order) {
			require.True(t, c.IsTorsion(p))
			require.Equal(t, group.CurvePoint{}, c.times(p, big.NewInt(order)), "order %d", order)
			_, err := c.DecodePoint(group.AppendCurvePoint(c, nil, p))
			require.ErrorIs(t, err, group.ErrNotInSubgroup)
			c.pure(t, p)
			pool = append(pool, p, c.times(p, big.NewInt(order-1)))
		}
	}
	for _, n := range nightly.Pick([]int{0, 1, 8, 97}, []int{0, 1, 2, 7, 8, 14, 79, 80, 97},
		[]int{0, 1, 2, 3, 6, 7, 8, 9, 13, 14, 28, 48, 79, 80, 95, 96, 97, 200}) {
		c.mixture(t, pool, n)
	}
}

// pure sums multiples of one point of small order, for every size where an
// algorithm changes.
func (c *suite) pure(t *testing.T, p group.CurvePoint) {
	sizes := []int{8, 96, 1, 2, 3, 7, 14, 40, 130}
	for _, n := range nightly.Pick(sizes[:2], sizes, sizes) {
		ps, minus := make([]group.CurvePoint, n), c.times(p, new(big.Int).Sub(c.q, big.NewInt(1)))
		for i := range ps {
			ps[i] = p
			if i%3 == 1 {
				ps[i] = minus
			}
		}
		require.True(t, c.IsTorsion(c.sumOf(t, ps, c.some(n))), "%d times one point", n)
	}
}

// mixture sums n of the points with all kinds of scalars.
func (c *suite) mixture(t *testing.T, pool []group.CurvePoint, n int) {
	ps, ss := make([]group.CurvePoint, n), c.some(n)
	factors := map[group.CurvePoint]*big.Int{}
	for i := range ps {
		ps[i] = pool[c.rand.IntN(len(pool))]
		factors[ps[i]] = new(big.Int).Add(cmp.Or(factors[ps[i]], new(big.Int)), ss[i].v)
	}
	var want group.CurvePoint
	for p, factor := range factors {
		want = grouptest.AddCurvePoints(c, want, c.times(p, factor))
	}
	got := c.sumOf(t, ps, ss)
	minus := c.times(got, new(big.Int).Sub(c.q, big.NewInt(1))) // up to torsion
	require.True(t, c.IsTorsion(grouptest.AddCurvePoints(c, want, minus)), "%d points", n)
}

// sumOf sums over the points and over two of a table, which add one point p, and
// subtracts p again; the result must be on the curve.
func (c *suite) sumOf(t *testing.T, ps []group.CurvePoint, ss []value) group.CurvePoint {
	t.Helper()
	p, one := c.HashToPoint([]byte("p")), c.Uint64(1)
	table := c.NewTable([]group.Point{p, c.SubPoints(group.Point{}, p)}, 1)
	sum := c.CurveSum(table, group.Row{Scalars: []group.Scalar{c.Uint64(2), one}}, ps, scalars(ss))
	_, err := c.DecodeCurvePoint(group.AppendCurvePoint(c, nil, sum))
	require.NoError(t, err, "a sum of %d points", len(ps))
	return grouptest.AddCurvePoints(c, sum, group.OnCurve(c.SubPoints(group.Point{}, p)))
}
