package limb

import "math/big"

// An exact machine executes programs over integers without bounds.
type exact struct {
	Geometry
	c []*big.Int
	// peak is the largest absolute value that an accumulator ever had.
	peak *big.Int
}

// runExact executes p over the integers, as if words had no end. c holds 2n
// accumulators and is overwritten. It returns the largest absolute value that
// an accumulator had at any step.
func (g Geometry) runExact(p program, c, a, b []*big.Int) (peak *big.Int) {
	m := &exact{g, c, new(big.Int)}
	fold := g.folds()
	for _, in := range p {
		switch in.Op {
		case col, sqr:
			if in.Op == sqr {
				b = a
			}
			sum := new(big.Int)
			for i := max(0, in.I-g.Limbs+1); i <= min(in.I, g.Limbs-1); i++ {
				sum.Add(sum, new(big.Int).Mul(a[i], b[in.I-i]))
			}
			m.set(in.I, sum)
		case reduce:
			x := c[in.I]
			c[in.I] = new(big.Int)
			for _, f := range fold {
				m.fold(x, in.I, f)
			}
		case carry:
			t := new(big.Int).Add(c[in.I], big.NewInt(1<<(g.Bits-1)))
			t.Rsh(t, uint(g.Bits))
			m.add(in.I, new(big.Int).Neg(new(big.Int).Lsh(t, uint(g.Bits))))
			m.add(in.I+1, t)
		}
	}
	return m.peak
}

func (m *exact) fold(x *big.Int, i int, f fold) {
	coef := big.NewInt(f.coef)
	if f.whole(m.Bits) {
		m.add(i-f.low+1, coef.Mul(coef, x))
		return
	}
	low := new(big.Int).Lsh(x, f.off)
	low.And(low, big.NewInt(1<<m.Bits-1))
	m.add(i-f.low, low.Mul(low, coef))
	high := new(big.Int).Rsh(x, uint(m.Bits)-f.off)
	m.add(i-f.low+1, high.Mul(high, coef))
}

func (m *exact) add(i int, x *big.Int) { m.set(i, new(big.Int).Add(m.c[i], x)) }

func (m *exact) set(i int, x *big.Int) {
	m.c[i] = x
	if x.CmpAbs(m.peak) > 0 {
		m.peak.Abs(x)
	}
}

// multExact returns the limbs of a·b over the integers, and the largest
// absolute value of an accumulator on the way.
func (g Geometry) multExact(p program, a, b []*big.Int) (out []*big.Int, peak *big.Int) {
	c := make([]*big.Int, 2*g.Limbs)
	for i := range c {
		c[i] = new(big.Int)
	}
	peak = g.runExact(p, c, a, b)
	return c[:g.Limbs], peak
}

// peak returns the largest accumulator of the square of l, doubled MaxAdds times, over
// the integers.
func (s *searcher) peak(l []int64) *big.Int {
	x := make([]*big.Int, len(l))
	for i, v := range l {
		x[i] = new(big.Int).Lsh(big.NewInt(v), uint(s.MaxAdds))
	}
	_, peak := s.multExact(s.mult, x, x)
	return peak
}
