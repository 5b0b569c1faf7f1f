package bn254

import (
	curve "github.com/consensys/gnark-crypto/ecc/bn254"
	"github.com/consensys/gnark-crypto/ecc/bn254/fp"
)

// columns is the portable kernel: points as two vectors of coordinates, so that
// whole vectors are multiplied. The identity is (0, 0).
type columns struct {
	x, y     vector
	identity bool // the identity may be among the points
	used     int  // how many places may hold a point
	scratch  *scratch
}

// scratch is the memory of one addition, which all columns of a workspace
// share.
type scratch struct {
	inverter
	dx      vector    // denominators of slopes, then their inverses
	special []special // the additions without a slope
}

// special is an addition without a slope.
type special struct {
	i      int
	double bool           // P + P: the tangent
	sum    curve.G1Affine // otherwise the result: one operand is the identity, or P - P
}

func newScratch() *scratch {
	return &scratch{inverter: newInverter(), dx: make(vector, batchLen)}
}

func newColumns(s *scratch) *columns {
	return &columns{x: make(vector, batchLen), y: make(vector, batchLen), scratch: s}
}

func (c *columns) reset() { c.identity = false }

func (c *columns) mayHaveIdentity() bool { return c.identity }

func (c *columns) wipe() {
	clear(c.x[:c.used])
	clear(c.y[:c.used])
	c.used, c.identity = 0, false
}

func (s *scratch) wipe() {
	clear(s.dx[:s.used])
	wipe(&s.special)
	s.inverter.wipe()
}

func (c *columns) at(i int) curve.G1Affine { return curve.G1Affine{X: c.x[i], Y: c.y[i]} }

func (c *columns) load(i int, p curve.G1Affine) {
	c.used = max(c.used, i+1)
	c.x[i], c.y[i] = p.X, p.Y
	c.identity = c.identity || p.Y.IsZero()
}

func (c *columns) store(dst []curve.G1Affine, i int) {
	for k := range dst {
		dst[k] = c.at(i + k)
	}
}

// ahead is how many entries are fetched into the cache before they are used.
const ahead = 32

func (c *columns) gather(i int, from entries, refs []uint32) {
	c.used = max(c.used, i+len(refs))
	x, y := c.x[i:i+len(refs)], c.y[i:i+len(refs)]
	prefetch(from.points, refs[:min(ahead, len(refs))])
	for i := 0; i < len(refs); i += ahead {
		end := min(i+ahead, len(refs))
		prefetch(from.points, refs[end:min(end+ahead, len(refs))])
		for k := i; k < end; k++ {
			e := &from.points[refs[k]>>1]
			x[k] = e.X
			negateIf(&y[k], &e.Y, uint64(refs[k]&1))
		}
	}
	if from.identity {
		c.identity = true
		canonicalZeros(y)
	}
}

// canonicalZeros replaces p, which is how negateIf writes minus the ordinate of
// the identity, by 0.
func canonicalZeros(v vector) {
	for i := range v {
		if v[i] == fieldP {
			v[i].SetZero()
		}
	}
}

func (c *columns) endomorphism(i, n int) { c.x[i:i+n].scale(c.x[i:i+n], &glv.beta) }

// operands are the places of one addition: a += b in the first sums places,
// a += a in the others.
type operands struct {
	ax, ay, bx, by vector
	sums           int
}

// add computes
//
//	λ = (y₂ - y₁)/(x₂ - x₁), or 3x₁²/2y₁ for doublings,
//	x₃ = λ² - x₁ - x₂,  y₃ = λ(x₁ - x₃) - y₁
func (c *columns) add(i int, b points, j, sums, n int) {
	if n == 0 {
		return
	}
	in, s := b.(*columns), c.scratch
	o := operands{ax: c.x[i : i+n], ay: c.y[i : i+n], bx: in.x[j : j+n], by: in.y[j : j+n], sums: sums}
	c.identity = c.identity || in.identity
	in.used, s.used = max(in.used, j+n), max(s.used, n)
	dx, t := s.dx[:n], s.temp[:n]
	dx[:sums].sub(o.bx[:sums], o.ax[:sums])
	dx[sums:].add(o.ay[sums:], o.ay[sums:])
	wipe(&s.special)
	if c.identity || !s.invert(dx) {
		s.findSpecial(o)
		s.invert(dx)
	}
	o.by[:sums].sub(o.by[:sums], o.ay[:sums])
	s.setTangents(o)
	o.tangents()
	o.by.mul(o.by, dx) // λ
	t.mul(o.by, o.by)
	t.sub(t, o.ax)
	t.sub(t, o.bx) // x₃
	o.bx.sub(o.ax, t)
	o.bx.mul(o.bx, o.by)
	o.ay.sub(o.bx, o.ay)
	copy(o.ax, t)
	for _, p := range s.special {
		if !p.double {
			c.load(i+p.i, p.sum)
		}
	}
}

// tangents prepares doublings: 3x², the numerator of λ, in by and x in bx.
func (o *operands) tangents() {
	x, bx, by := o.ax[o.sums:], o.bx[o.sums:], o.by[o.sums:]
	bx.mul(x, x)
	by.add(bx, bx)
	by.add(by, bx)
	copy(bx, x)
}

// findSpecial lists the places where the formula does not hold and gives them a
// denominator that can be inverted.
func (s *scratch) findSpecial(o operands) {
	one := fp.One()
	for i := range o.ax {
		p, dx := curve.G1Affine{X: o.ax[i], Y: o.ay[i]}, &s.dx[i]
		q := p
		if i < o.sums {
			q = curve.G1Affine{X: o.bx[i], Y: o.by[i]}
		}
		// No point has y = 0: it would have order two.
		switch {
		case p.Y.IsZero():
			s.special = append(s.special, special{i: i, sum: q})
			*dx = one
		case q.Y.IsZero():
			s.special = append(s.special, special{i: i, sum: p})
			*dx = one
		case !dx.IsZero():
		case p.Y.Equal(&q.Y):
			s.special = append(s.special, special{i: i, double: true})
			dx.Double(&p.Y)
		default:
			s.special = append(s.special, special{i: i})
			*dx = one
		}
	}
}

// setTangents puts 3x², the numerator of the slope of the tangent, into by
// where P + P is to be computed.
func (s *scratch) setTangents(o operands) {
	for _, p := range s.special {
		if p.double {
			x2 := new(fp.Element).Square(&o.ax[p.i])
			o.by[p.i].Double(x2).Add(&o.by[p.i], x2)
		}
	}
}
