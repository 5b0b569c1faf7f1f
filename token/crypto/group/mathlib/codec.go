package mathlib

import (
	"bytes"
	"math/big"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// uncompressedTag is the first byte of a point on the AMCL curves.
const uncompressedTag = 4

// PointLen is the length of an uncompressed point in bytes.
func (c *Curve) PointLen() int { return c.pointLen }

// AppendPoint appends the uncompressed encoding of p.
func (c *Curve) AppendPoint(dst []byte, p group.Point) []byte {
	if group.IsIdentity(p) {
		return append(dst, c.infinity...)
	}
	return append(dst, c.g1(p).Bytes()...)
}

// AppendPoints appends prefix and encoding of each point.
func (c *Curve) AppendPoints(dst, prefix []byte, ps []group.Point) []byte {
	for _, p := range ps {
		dst = c.AppendPoint(append(dst, prefix...), p)
	}
	return dst
}

// DecodePoint decodes one uncompressed point. mathlib's decoders are lenient
// about compressed points, trailing bytes and, on the AMCL curves, points off
// the curve, which become the identity. Encoding the point again and comparing
// refuses all of these (specification, section 2.3).
func (c *Curve) DecodePoint(b []byte) (group.Point, error) {
	if len(b) != c.pointLen {
		return group.Point{}, group.ErrLength
	}
	if bytes.Equal(b, c.infinity) {
		return group.Point{}, nil
	}
	p, err := c.curve.NewG1FromBytes(b)
	if err != nil {
		return group.Point{}, c.whyNot(b)
	}
	if !bytes.Equal(p.Bytes(), b) {
		return group.Point{}, c.whyNot(b)
	}
	return wrap(p), nil
}

// DecodePoints decodes the points one by one.
func (c *Curve) DecodePoints(dst []group.Point, bs [][]byte) (int, error) {
	return group.DecodeEach(dst, bs, c.DecodePoint)
}

// whyNot returns the reason for which b, of the right length, is not a point.
func (c *Curve) whyNot(b []byte) error {
	x, y := c.coordinates(b)
	if x.Cmp(c.p) >= 0 || y.Cmp(c.p) >= 0 || c.pointLen > 2*c.wide && b[0] != uncompressedTag {
		return group.ErrNotCanonical
	}
	if c.offset(x, y).Cmp(c.b) != 0 {
		return group.ErrNotOnCurve
	}
	return group.ErrNotInSubgroup
}

// coordinates splits an encoding into its two integers.
func (c *Curve) coordinates(b []byte) (x, y *big.Int) {
	b = b[len(b)-2*c.wide:]
	return new(big.Int).SetBytes(b[:c.wide]), new(big.Int).SetBytes(b[c.wide:])
}

// offset returns y² - x³ mod p, the constant b of the curve equation for every
// point on the curve.
func (c *Curve) offset(x, y *big.Int) *big.Int {
	x3 := new(big.Int).Exp(x, big.NewInt(3), c.p)
	v := new(big.Int).Mul(y, y)
	return v.Mod(v.Sub(v, x3), c.p)
}

// AppendScalar appends the 32-byte encoding of s.
func (c *Curve) AppendScalar(dst []byte, s group.Scalar) []byte {
	var b [group.ScalarLen]byte
	put(&b, s)
	return append(dst, b[:]...)
}

// DecodeScalar reads exactly 32 bytes of a reduced integer.
func (c *Curve) DecodeScalar(b []byte) (group.Scalar, error) {
	if len(b) != group.ScalarLen {
		return group.Scalar{}, group.ErrLength
	}
	v := new(big.Int).SetBytes(b)
	if v.Cmp(c.order) >= 0 {
		return group.Scalar{}, group.ErrNotCanonical
	}
	return fromBig(v), nil
}

// HashToPoint returns mathlib's HashToG1.
func (c *Curve) HashToPoint(msg []byte) group.Point { return wrap(c.curve.HashToG1(msg)) }
