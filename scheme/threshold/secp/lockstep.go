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
	sums         []chord
	denominators []field.Element // of the slopes
}

// chord is an addition to a point in place: the line through the point and another
// one at x has a slope with this numerator.
type chord struct {
	to           *affine
	x, numerator field.Element
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
	var numerator, denominator field.Element
	if denominator.Sub(&q.x, &p.x).IsZero() {
		if p.y.Equal(&q.y) {
			l.double(p)
		} else {
			p.zero = true
		}
		return
	}
	l.collect(chord{p, q.x, *numerator.Sub(&q.y, &p.y)}, denominator)
}

// double collects P += P. The slope is 3x²/2y; y is not 0, since the order is odd.
func (l *lockstep) double(p *affine) {
	if p.zero {
		return
	}
	var square, numerator, denominator field.Element
	square.Square(&p.x)
	numerator.Double(&square).Add(&numerator, &square)
	l.collect(chord{p, p.x, numerator}, *denominator.Double(&p.y))
}

func (l *lockstep) collect(c chord, denominator field.Element) {
	l.sums, l.denominators = append(l.sums, c), append(l.denominators, denominator)
}

// run carries out the collected operations.
func (l *lockstep) run() {
	field.Invert(l.denominators)
	for i := range l.sums {
		c := &l.sums[i]
		p := c.to
		var slope, x field.Element
		slope.Mul(&c.numerator, &l.denominators[i])
		x.Square(&slope).Sub(&x, &p.x).Sub(&x, &c.x)
		p.x.Sub(&p.x, &x)
		slope.Mul(&slope, &p.x)
		p.y.Sub(&slope, &p.y)
		p.x = x
	}
	l.sums, l.denominators = l.sums[:0], l.denominators[:0]
}
