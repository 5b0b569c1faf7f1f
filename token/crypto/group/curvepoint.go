package group

import "github.com/zkatbench/zkatbench/token/crypto/group/internal/rep"

// CurvePoint is a point known to be on the curve, in any subgroup:
// P + T for a P of the group and a T in the torsion of the cofactor. Where the
// cofactor is 1, and on backends that decode strictly, T is the identity. A
// CurvePoint is not a Point, so that it can neither be stored as a token nor
// reach code that relies on the prime order.
type CurvePoint = rep.CurvePoint

// AppendCurvePoint appends the encoding of p, as AppendPoint does.
func AppendCurvePoint(g Codec, dst []byte, p CurvePoint) []byte {
	return g.AppendPoint(dst, *rep.Coordinates(&p))
}

// OnCurve returns p as a point of the curve.
func OnCurve(p Point) (q CurvePoint) {
	*rep.Coordinates(&q) = p
	return q
}
