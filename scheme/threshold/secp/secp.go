// Package secp is the arithmetic on secp256k1 that the ECDSA protocols share, on
// top of github.com/decred/dcrd/dcrec/secp256k1.
//
// It has scalars and points with strict encodings, polynomials with interpolation of
// scalars and in the exponent, shares of a key from a dealer, the last round of
// signing as a party, rerandomisation of presignatures, and verification.
//
// Arithmetic is the library's, except for sums of several multiplications with shared
// doublings, and multiplications of one point by many scalars. Group operations are
// reported to package ops. Scalars are big-endian, 32 bytes, below the order;
// points are compressed, 33 bytes, and never the identity. Time varies with secrets.
package secp

import (
	"errors"
	"fmt"
	"io"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"

	"github.com/zkatbench/zkatbench/scheme/threshold/ops"
)

// Sizes of encodings in bytes.
const (
	ScalarLen = 32
	PointLen  = 33
)

// The errors of decoding, and of a source of randomness.
var (
	ErrScalar = errors.New("scalar is not below the order")
	ErrPoint  = errors.New("point is not on the curve, or not in its one encoding")
	ErrRandom = errors.New("secp: source of randomness failed")
)

// Scalar is an integer modulo the order.
type Scalar = secp256k1.ModNScalar

// Point is a point of the curve.
type Point struct{ j secp256k1.JacobianPoint }

// Int returns a small scalar.
func Int(v uint32) *Scalar { return new(Scalar).SetInt(v) }

// Add, Sub, Mul and Inv return new scalars.
func Add(a, b *Scalar) *Scalar { return new(Scalar).Add2(a, b) }
func Sub(a, b *Scalar) *Scalar { return new(Scalar).Add2(a, new(Scalar).NegateVal(b)) }
func Mul(a, b *Scalar) *Scalar { return new(Scalar).Mul2(a, b) }
func Inv(a *Scalar) *Scalar    { return new(Scalar).InverseValNonConst(a) }

// Encode returns the encoding of a scalar.
func Encode(s *Scalar) []byte { b := s.Bytes(); return b[:] }

// DecodeScalar reads 32 bytes of an integer below the order.
func DecodeScalar(b []byte) (*Scalar, error) {
	s := new(Scalar)
	if len(b) != ScalarLen || s.SetByteSlice(b) {
		return nil, ErrScalar
	}
	return s, nil
}

// shift is 2²⁵⁶ modulo the order.
var shift = func() *Scalar {
	s := Int(1)
	for range 256 {
		s.Add(s)
	}
	return s
}()

// Reduce returns a big-endian integer of at most 64 bytes modulo the order.
func Reduce(wide []byte) *Scalar {
	var padded [2 * ScalarLen]byte
	copy(padded[len(padded)-len(wide):], wide)
	high, low := new(Scalar), new(Scalar)
	high.SetByteSlice(padded[:ScalarLen]) // each is reduced
	low.SetByteSlice(padded[ScalarLen:])
	return low.Add(high.Mul(shift))
}

// Uniform draws a scalar from 64 bytes of randomness.
func Uniform(random io.Reader) (*Scalar, error) {
	var wide [64]byte
	if _, err := io.ReadFull(random, wide[:]); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRandom, err)
	}
	return Reduce(wide[:]), nil
}

// Base returns s·G.
func Base(s *Scalar) *Point {
	ops.Add(ops.BaseMul, 1)
	p := new(Point)
	secp256k1.ScalarBaseMultNonConst(s, &p.j)
	return p
}

// Times returns s·P.
func (p *Point) Times(s *Scalar) *Point {
	ops.Add(ops.Mul, 1)
	q := new(Point)
	secp256k1.ScalarMultNonConst(s, &p.j, &q.j)
	return q
}

// Plus returns P + Q.
func (p *Point) Plus(q *Point) *Point {
	ops.Add(ops.PointAdd, 1)
	return p.plus(q)
}

// plus returns P + Q without a report to package ops.
func (p *Point) plus(q *Point) *Point {
	r, a, b := new(Point), p.j, q.j // the library normalises its operands in place, and points are shared
	secp256k1.AddNonConst(&a, &b, &r.j)
	return r
}

// Neg returns -P.
func (p *Point) Neg() *Point {
	q := *p
	q.j.Y.Normalize().Negate(1).Normalize()
	return &q
}

// Minus returns P - Q.
func (p *Point) Minus(q *Point) *Point { return p.Plus(q.Neg()) }

// IsIdentity reports whether P is the identity.
func (p *Point) IsIdentity() bool {
	z := p.j.Z
	return z.Normalize().IsZero() || p.j.X.IsZero() && p.j.Y.IsZero()
}

// Equal reports whether both points are equal.
func (p *Point) Equal(q *Point) bool {
	if p.IsIdentity() || q.IsIdentity() {
		return p.IsIdentity() && q.IsIdentity()
	}
	a, b := p.j, q.j
	return a.EquivalentNonConst(&b)
}

// Encode returns the compressed encoding of a point other than the identity.
func (p *Point) Encode() []byte {
	if p.IsIdentity() {
		panic("secp: the identity has no encoding")
	}
	a := p.j
	a.ToAffine()
	return secp256k1.NewPublicKey(&a.X, &a.Y).SerializeCompressed()
}

// DecodePoint reads a compressed point.
func DecodePoint(b []byte) (*Point, error) {
	if len(b) != PointLen {
		return nil, ErrPoint
	}
	ops.Add(ops.Decode, 1)
	key, err := secp256k1.ParsePubKey(b)
	if err != nil {
		return nil, ErrPoint
	}
	p := new(Point)
	key.AsJacobian(&p.j)
	return p, nil
}

// X returns the first coordinate modulo the order, as in ECDSA.
func (p *Point) X() *Scalar {
	a := p.j
	a.ToAffine()
	b := a.X.Bytes()
	s := new(Scalar)
	s.SetByteSlice(b[:]) // reduces
	return s
}
