package limb

import "math/big"

// runWrapping executes p over accumulators of Word bits that wrap, as machine
// words do. Generated code computes the same, also on overflow.
// c holds 2n accumulators and is overwritten; a and b are operands of col and
// sqr and may be nil in programs without them.
func (g Geometry) runWrapping(p program, c, a, b []int64) {
	m := machine{g, g.folds(), uint(64 - g.Word)}
	for _, in := range p {
		switch in.Op {
		case col:
			c[in.I] = m.column(in.I, a, b)
		case sqr:
			c[in.I] = m.squareColumn(in.I, a)
		case reduce:
			m.reduce(c, in.I)
		case carry:
			t := m.wrap(c[in.I]+1<<(g.Bits-1)) >> g.Bits
			c[in.I] = m.wrap(c[in.I] - t<<g.Bits)
			c[in.I+1] = m.wrap(c[in.I+1] + t)
		}
	}
}

// machine is an accumulator machine of a geometry. unused is how many bits of
// an int64 its words do not have.
type machine struct {
	Geometry
	fold   []fold
	unused uint
}

// wrap returns x modulo 2^Word, as a signed word.
func (m *machine) wrap(x int64) int64 { return x << m.unused >> m.unused }

func (m *machine) column(k int, a, b []int64) (sum int64) {
	for i := max(0, k-m.Limbs+1); i <= min(k, m.Limbs-1); i++ {
		sum += a[i] * b[k-i]
	}
	return m.wrap(sum)
}

func (m *machine) squareColumn(k int, a []int64) (sum int64) {
	for i := max(0, k-m.Limbs+1); 2*i < k; i++ {
		sum += a[i] * a[k-i]
	}
	sum *= 2
	if k%2 == 0 {
		sum += a[k/2] * a[k/2]
	}
	return m.wrap(sum)
}

func (m *machine) reduce(c []int64, i int) {
	x := c[i]
	c[i] = 0
	for _, f := range m.fold {
		high := f.coef * x
		if !f.whole(m.Bits) {
			c[i-f.low] = m.wrap(c[i-f.low] + f.coef*(x<<f.off&(1<<m.Bits-1)))
			high = f.coef * (x >> (uint(m.Bits) - f.off))
		}
		c[i-f.low+1] = m.wrap(c[i-f.low+1] + high)
	}
}

// multWrapping returns the limbs of a·b in wrapping arithmetic.
func (g Geometry) multWrapping(p program, a, b []int64) []int64 {
	c := make([]int64, 2*g.Limbs)
	g.runWrapping(p, c, a, b)
	return c[:g.Limbs]
}

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
