package bls12381

import (
	curve "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// CompressedLen is the length of a compressed point in bytes.
const CompressedLen = fp.Bytes

// The three flags in the first byte of a compressed point: it is compressed, it
// is the identity, y is the larger one of y and -y.
const (
	flagCompressed = 0x80
	flagInfinity   = 0x40
	flagLargest    = 0x20
)

// DecodeCurvePoints reads points of the curve in any subgroup, compressed ones of
// CompressedLen bytes and uncompressed ones. Error i comes from DecodeCurvePoint
// for bs[i], or nil. The identity is a point.
func (g *Group) DecodeCurvePoints(dst []group.CurvePoint, bs [][]byte) []error {
	ws := g.take()
	defer ws.put()
	errs, points := make([]error, len(bs)), make([]curve.G1Affine, len(bs))
	var compressed []int
	var squares []fp.Element
	for i, b := range bs {
		if len(b) != CompressedLen {
			points[i], errs[i] = decodeAffine(b)
			continue
		}
		points[i].X, errs[i] = abscissa(b)
		if errs[i] == nil && b[0]&flagInfinity == 0 {
			compressed, squares = append(compressed, i), append(squares, ySquare(&points[i].X))
		}
	}
	for k, root := range ws.squareRoots(squares) {
		i, y := compressed[k], &points[compressed[k]].Y
		if !y.Square(&root).Equal(&squares[k]) {
			errs[i] = group.ErrNotOnCurve
			continue
		}
		*y = root
		if y.LexicographicallyLargest() != (bs[i][0]&flagLargest != 0) {
			y.Neg(y)
		}
	}
	for i := range points {
		if errs[i] == nil {
			dst[i] = curvePoint(&points[i])
		}
	}
	return errs
}

// abscissa reads x of a compressed point, 0 for the identity.
func abscissa(b []byte) (e fp.Element, err error) {
	x := [fp.Bytes]byte(b)
	flags := x[0] & (flagCompressed | flagInfinity | flagLargest)
	x[0] ^= flags
	switch {
	case flags == flagCompressed|flagInfinity && x == [fp.Bytes]byte{}:
		return e, nil
	case flags&^flagLargest != flagCompressed:
		return e, group.ErrNotCanonical
	}
	e, err = fp.BigEndian.Element(&x)
	if err != nil {
		return e, group.ErrNotCanonical
	}
	return e, nil
}

// ySquare returns x³ + b, which is y² for points of the curve.
func ySquare(x *fp.Element) (y2 fp.Element) {
	y2.Square(x).Mul(&y2, x).Add(&y2, &coeffB)
	return y2
}

// InGroup sets dst[i] to ps[i] for the points that are in the group, up to the
// first bad one. It returns the index of this one, or the number of points.
func (g *Group) InGroup(dst []group.Point, ps []group.CurvePoint) int {
	ws := g.take()
	defer ws.put()
	points := grow(&ws.bases, len(ps))
	for i := range ps {
		points[i] = onAffine(&ps[i])
	}
	n := ws.firstOutside(points)
	for i := range n {
		dst[i] = point(&points[i])
	}
	return n
}
