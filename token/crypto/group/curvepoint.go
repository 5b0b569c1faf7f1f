package group

import "github.com/zkatbench/zkatbench/token/crypto/group/internal/rep"

// CurvePoint is a point known to be on the curve, in any subgroup:
// P + T for a P of the group and a T in the torsion of the cofactor. Where the
// cofactor is 1, and on backends that decode strictly, T is the identity. A
// CurvePoint is not a Point, so that it can neither be stored as a token nor
// reach code that relies on the prime order.
type CurvePoint = rep.CurvePoint

// CurvePoints is arithmetic on points of the whole curve, for verifiers that
// decide equations up to torsion. Sums are right for every point of the curve,
// also where multiples of a point of small order are the identity, except that
// a product with a scalar is defined up to torsion: scalars are integers
// modulo q, which is not the order of a point outside the group.
type CurvePoints interface {
	// DecodeCurvePoint reads exactly one point of the curve: ErrLength,
	// ErrNotCanonical or ErrNotOnCurve, and ErrNotInSubgroup from backends that
	// decode strictly. The identity is a point.
	DecodeCurvePoint(b []byte) (CurvePoint, error)
	// CurveSum returns, up to torsion, the sum that row describes over the
	// points of t plus Σ ss[i]·ps[i]. The lengths of ps and ss are equal.
	CurveSum(t Table, row Row, ps []CurvePoint, ss []Scalar) CurvePoint
	// IsTorsion reports whether p is the identity up to torsion: whether
	// clearing the cofactor gives the identity.
	IsTorsion(p CurvePoint) bool
}

// AppendCurvePoint appends the encoding of p, that of AppendPoint.
func AppendCurvePoint(g Codec, dst []byte, p CurvePoint) []byte {
	return g.AppendPoint(dst, *rep.Coordinates(&p))
}

// OnCurve returns p as a point of the curve.
func OnCurve(p Point) (q CurvePoint) {
	*rep.Coordinates(&q) = p
	return q
}
