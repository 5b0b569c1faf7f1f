package limb

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
