// Package group is the one algebra interface of the module: a group of prime
// order with its scalar field, at the level of vectors.
//
// The backends are bn254 and bls12381, native and on gnark-crypto, and mathlib,
// which has every curve of IBM/mathlib, plain and slow. Package curves has all
// curves by name, and only it knows all backends. A Group of package opcount
// counts, unitcost measures the costs of operations, and grouptest has the
// conformance suite that every backend passes.
//
// Notation is additive: s·P is scalar multiplication, Σ sᵢ·Pᵢ a multi-scalar
// multiplication (MSM), q the order. A Scalar or Point that exists is valid, and
// decoding is where validity is decided. In every group the zero value, and no
// other, is 0 or the identity. Values of two groups must not be mixed. This is
// not checked, because a proof, its parameters and its decoder share one Group.
//
// Groups are safe for concurrent use. The package does not claim constant time.
package group

import (
	"math/big"

	"github.com/zkatbench/zkatbench/token/crypto/group/internal/rep"
)

// Scalar is an integer modulo the order of a Group. It is opaque and
// comparable: two Scalars of one Group are equal exactly if s == t.
type Scalar = rep.Scalar

// Point is an element of a Group, opaque. Compare with Group.Equal.
type Point = rep.Point

// IsIdentity reports whether p is the identity.
func IsIdentity(p Point) bool { return p == Point{} }

// ScalarLen is the length of every encoded scalar in bytes.
const ScalarLen = 32

// Group is a group of prime order q together with its field of scalars.
type Group interface {
	// Name is the name of the curve in flags and files, "BN254".
	Name() string
	// ID is the curve identifier on the wire (mathlib's numbering).
	ID() int
	Field
	Codec
	Curve
	Fixed
	Digits

	// Arithmetic on points of the whole curve, for verifiers that decide equations
	// up to torsion. Sums are right for every point of the curve, also where
	// multiples of a point of small order are the identity, except that a product
	// with a scalar is defined up to torsion: scalars are integers modulo q, which
	// is not the order of a point outside the group.

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

// Field is arithmetic modulo the order. Vector methods write dst; its length
// is the length of the operands; dst may be one of the operands.
type Field interface {
	// Order returns a copy of q.
	Order() *big.Int
	// Uint64 returns v mod q.
	Uint64(v uint64) Scalar
	// Reduce returns the big-endian integer b mod q. len(b) is at most 64.
	Reduce(b []byte) Scalar

	Add(a, b Scalar) Scalar
	Sub(a, b Scalar) Scalar
	Mul(a, b Scalar) Scalar
	Neg(a Scalar) Scalar
	// Inv returns 1/a, and 0 for 0.
	Inv(a Scalar) Scalar

	// AddVec sets dstᵢ = aᵢ + bᵢ.
	AddVec(dst, a, b []Scalar)
	// MulVec sets dstᵢ = aᵢ·bᵢ (the Hadamard product).
	MulVec(dst, a, b []Scalar)
	// ScaleVec sets dstᵢ = c·aᵢ.
	ScaleVec(dst, a []Scalar, c Scalar)
	// FoldVec sets dstᵢ = x·aᵢ + y·bᵢ.
	FoldVec(dst, a, b []Scalar, x, y Scalar)
	// InvVec sets dstᵢ = 1/aᵢ, and 0 for 0.
	InvVec(dst, a []Scalar)
	// Powers sets dstᵢ = xⁱ, i from 0.
	Powers(dst []Scalar, x Scalar)
	// Inner returns ⟨a, b⟩ = Σ aᵢ·bᵢ.
	Inner(a, b []Scalar) Scalar
}

// Codec is bytes ↔ values: one encoding per value, fixed lengths.
type Codec interface {
	// PointLen is the length of an encoded point in bytes: uncompressed, as
	// `G(P)` of the v1 specification, section 2.2.
	PointLen() int
	AppendPoint(dst []byte, p Point) []byte
	// AppendPoints appends each point after prefix, so that a transcript can
	// frame them in one call.
	AppendPoints(dst, prefix []byte, ps []Point) []byte
	// DecodePoint reads exactly one point: ErrLength, ErrNotCanonical,
	// ErrNotOnCurve or ErrNotInSubgroup. The identity is a point.
	DecodePoint(b []byte) (Point, error)
	// DecodePoints sets dst[i] to the point that bs[i] encodes, for less than
	// decoding one by one. It returns the index of the first encoding that
	// DecodePoint refuses and its error, or len(bs). The lengths are equal.
	DecodePoints(dst []Point, bs [][]byte) (int, error)
	AppendScalar(dst []byte, s Scalar) []byte
	// DecodeScalar reads exactly ScalarLen big-endian bytes of an integer
	// below q: ErrLength, ErrNotCanonical.
	DecodeScalar(b []byte) (Scalar, error)
	// HashToPoint is mathlib's HashToG1 with an empty domain string
	// (specification, section 2.5).
	HashToPoint(msg []byte) Point
}

// Curve is arithmetic on points that are not known in advance.
type Curve interface {
	// Generator is the curve's standard generator (mathlib's GenG1).
	Generator() Point
	Equal(p, q Point) bool
	// AddPoints returns p + q. It is right for every point of the curve.
	AddPoints(p, q Point) Point
	SubPoints(p, q Point) Point
	// SubPointVec sets dstᵢ = Pᵢ - Qᵢ. The lengths are equal; dst may be one of
	// the operands.
	SubPointVec(dst, ps, qs []Point)
	// MSMs sets dst[k] to the sum that rows[k] describes. Many short sums cost
	// less together than one by one.
	MSMs(dst []Point, rows []Terms)
}
