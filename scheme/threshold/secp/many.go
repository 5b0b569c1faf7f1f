package secp

import (
	"github.com/zkatbench/zkatbench/scheme/threshold/ops"
	"github.com/zkatbench/zkatbench/scheme/threshold/secp/field"
)

// EncodeAll returns the encodings of points with one inversion for all. None may be
// the identity.
func EncodeAll(points []*Point) [][]byte {
	encoded := make([][]byte, len(points))
	for i, p := range affines(points) {
		if p.zero {
			panic("secp: the identity has no encoding")
		}
		x := p.x.Bytes()
		encoded[i] = append([]byte{evenTag}, x[:]...)
		if p.y.IsOdd() {
			encoded[i][0] = oddTag
		}
	}
	return encoded
}

// First bytes of compressed points.
const (
	evenTag = 2
	oddTag  = 3
)

// DecodeAll reads compressed points as DecodePoint does. It returns the error of the
// first wrong one.
func DecodeAll(encoded [][]byte) ([]*Point, error) {
	ops.Add(ops.Decode, len(encoded))
	all := make([]affine, len(encoded))
	for i, b := range encoded {
		if !all[i].decode(b) {
			return nil, ErrPoint
		}
	}
	return points(all), nil
}

// decode reads y² = x³ + 7.
func (p *affine) decode(b []byte) bool {
	if len(b) != PointLen || b[0] != evenTag && b[0] != oddTag || !p.x.SetBytes((*[32]byte)(b[1:])) {
		return false
	}
	var y2 field.Element
	y2.Square(&p.x).Mul(&y2, &p.x).Add(&y2, &field.Element{7})
	if !p.y.Sqrt(&y2) {
		return false
	}
	if p.y.IsOdd() != (b[0] == oddTag) {
		p.y.Neg(&p.y)
	}
	return true
}

// PlusAll returns Pᵢ + Qᵢ for all i.
func PlusAll(p, q []*Point) []*Point {
	ops.Add(ops.PointAdd, len(p))
	var l lockstep
	sums, terms := affines(p), affines(q)
	for i := range sums {
		l.add(&sums[i], &terms[i])
	}
	l.run()
	return points(sums)
}

// oddWindow is the width of signed digits in TimesAll.
const oddWindow = 5

// TimesAll returns sᵢ·Pᵢ for all i. It is fast for hundreds of points, in particular
// if consecutive scalars are the same one.
func TimesAll(all []*Point, scalars []*Scalar) []*Point {
	ops.Add(ops.Mul, len(all))
	var l lockstep
	tables := l.oddMultiples(affines(all))
	halves := make([]*[2]half, len(scalars))
	longest := 0
	for i, s := range scalars {
		if i > 0 && s == scalars[i-1] {
			halves[i] = halves[i-1]
			continue
		}
		h := split(s, oddWindow)
		halves[i] = &h
		longest = max(longest, len(h[0].digits), len(h[1].digits))
	}
	sums := make([]affine, len(all))
	for i := range sums {
		sums[i].zero = true
	}
	for bit := longest - 1; bit >= 0; bit-- {
		for i := range sums {
			l.double(&sums[i])
		}
		l.run()
		for k := range 2 {
			for i := range sums {
				h := &halves[i][k]
				if bit >= len(h.digits) || h.digits[bit] == 0 {
					continue
				}
				d := h.digits[bit]
				term := tables[i][max(d, -d)/2]
				if k == 1 {
					term.x.Mul(&term.x, &beta)
				}
				if (d < 0) != h.negative {
					term = term.neg()
				}
				l.add(&sums[i], &term)
			}
			l.run()
		}
	}
	return points(sums)
}

// oddMultiples returns P, 3·P, 5·P, … of each point.
func (l *lockstep) oddMultiples(all []affine) [][1 << (oddWindow - 2)]affine {
	tables := make([][1 << (oddWindow - 2)]affine, len(all))
	doubles := make([]affine, len(all))
	copy(doubles, all)
	for i := range doubles {
		l.double(&doubles[i])
	}
	l.run()
	for k := range tables[0] {
		for i := range tables {
			if k == 0 {
				tables[i][0] = all[i]
			} else {
				tables[i][k] = tables[i][k-1]
				l.add(&tables[i][k], &doubles[i])
			}
		}
		l.run()
	}
	return tables
}
