package secp

import (
	"github.com/decred/dcrd/dcrec/secp256k1/v4"

	"github.com/zkatbench/zkatbench/scheme/threshold/secp/field"
)

// affine is a point with its coordinates; zero says that it is the identity.
type affine struct {
	x, y field.Element
	zero bool
}

// neg returns -P.
func (p *affine) neg() affine {
	q := *p
	q.y.Neg(&p.y)
	return q
}

// point returns P for the operations of single points.
func (p *affine) point() *Point {
	q := new(Point)
	if p.zero {
		return q
	}
	for _, c := range []struct {
		to   *secp256k1.FieldVal
		from *field.Element
	}{{&q.j.X, &p.x}, {&q.j.Y, &p.y}} {
		b := c.from.Bytes()
		c.to.SetBytes(&b)
	}
	q.j.Z.SetInt(1)
	return q
}

// points returns the points for the operations of single points.
func points(all []affine) []*Point {
	out := make([]*Point, len(all))
	for i := range all {
		out[i] = all[i].point()
	}
	return out
}

// affines returns the points with their coordinates, with one inversion for all.
func affines(points []*Point) []affine {
	element := func(v secp256k1.FieldVal) (e field.Element) {
		e.SetBytes(v.Normalize().Bytes())
		return e
	}
	all := make([]affine, len(points))
	inverses := make([]field.Element, len(points))
	for i, p := range points {
		if all[i].zero = p.IsIdentity(); all[i].zero {
			inverses[i] = field.One
		} else {
			inverses[i] = element(p.j.Z)
		}
	}
	field.Invert(inverses)
	for i, p := range points {
		if all[i].zero {
			continue
		}
		var power field.Element
		x, y := element(p.j.X), element(p.j.Y)
		all[i].x.Mul(&x, power.Square(&inverses[i]))
		all[i].y.Mul(&y, power.Mul(&power, &inverses[i]))
	}
	return all
}

// lockstep collects additions and doublings of different points, and carries them
// out in run with one inversion for all of them (Montgomery, Math. Comp. 48). An
// addition so costs 5 multiplications and a squaring, which is less than with
// projective coordinates.
type lockstep struct {
	sums    []chord
	product field.Element // of all denominators
}

// chord is an addition to a point in place: the line through the point and another
// one at x has a slope with this numerator and denominator.
type chord struct {
	to                        *affine
	x, numerator, denominator field.Element
	before                    field.Element // product of the denominators before it
}

// add collects P += Q. A point may be changed once before run.
func (l *lockstep) add(p, q *affine) {
	switch {
	case q.zero:
		return
	case p.zero:
		*p = *q
		return
	}
	c := l.next(p)
	if c.denominator.Sub(&q.x, &p.x).IsZero() {
		l.sums = l.sums[:len(l.sums)-1]
		if p.y.Equal(&q.y) {
			l.double(p)
		} else {
			p.zero = true
		}
		return
	}
	c.x = q.x
	c.numerator.Sub(&q.y, &p.y)
	l.collect(c)
}

// double collects P += P. The slope is 3x²/2y; y is not 0, since the order is odd.
func (l *lockstep) double(p *affine) {
	if p.zero {
		return
	}
	c := l.next(p)
	c.x = p.x
	c.denominator.Double(&p.y)
	var square field.Element
	square.Square(&p.x)
	c.numerator.Double(&square).Add(&c.numerator, &square)
	l.collect(c)
}

// next returns the next chord.
func (l *lockstep) next(p *affine) *chord {
	if len(l.sums) == cap(l.sums) {
		l.sums = append(l.sums, chord{})
	} else {
		l.sums = l.sums[:len(l.sums)+1]
	}
	c := &l.sums[len(l.sums)-1]
	c.to = p
	return c
}

func (l *lockstep) collect(c *chord) {
	if len(l.sums) == 1 {
		l.product = field.One
	}
	c.before = l.product
	l.product.Mul(&l.product, &c.denominator)
}

// run carries out the collected operations.
func (l *lockstep) run() {
	if len(l.sums) == 0 {
		return
	}
	inverse := l.product // of the denominators up to this one
	inverse.Inverse(&inverse)
	for i := len(l.sums) - 1; i >= 0; i-- {
		c := &l.sums[i]
		p := c.to
		var slope, x field.Element
		slope.Mul(&inverse, &c.before).Mul(&slope, &c.numerator)
		inverse.Mul(&inverse, &c.denominator)
		x.Square(&slope).Sub(&x, &p.x).Sub(&x, &c.x)
		p.x.Sub(&p.x, &x)
		slope.Mul(&slope, &p.x)
		p.y.Sub(&slope, &p.y)
		p.x = x
	}
	l.sums = l.sums[:0]
}
