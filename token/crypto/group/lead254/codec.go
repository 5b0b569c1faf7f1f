package lead254

import (
	"bytes"

	"github.com/consensys/gnark-crypto/ecc/bn254/fp"
	"github.com/consensys/gnark-crypto/ecc/bn254/fr"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

const pointLen = 2 * fp.Bytes

// infinity is the encoding of the identity.
var infinity = func() (b [pointLen]byte) {
	b[0] = infinityTag
	return b
}()

// PointLen is the length of an encoded point in bytes.
func (*native) PointLen() int { return pointLen }

// AppendPoint appends X ‖ Y.
func (*native) AppendPoint(dst []byte, p group.Point) []byte { return appendAffine(dst, point(&p)) }

func appendAffine(dst []byte, p *affine) []byte {
	if p.IsInfinity() {
		return append(dst, infinity[:]...)
	}
	x, y := p.X.Bytes(), p.Y.Bytes()
	return append(append(dst, x[:]...), y[:]...)
}

// AppendPoints appends prefix and encoding of each point.
func (*native) AppendPoints(dst, prefix []byte, ps []group.Point) []byte {
	for i := range ps {
		dst = appendAffine(append(dst, prefix...), point(&ps[i]))
	}
	return dst
}

// DecodePoint reads one uncompressed point.
func (*native) DecodePoint(b []byte) (group.Point, error) {
	if len(b) != pointLen {
		return group.Point{}, group.ErrLength
	}
	if bytes.Equal(b, infinity[:]) {
		return group.Point{}, nil
	}
	var p affine
	if p.X.SetBytesCanonical(b[:fp.Bytes]) != nil || p.Y.SetBytesCanonical(b[fp.Bytes:]) != nil {
		return group.Point{}, group.ErrNotCanonical
	}
	if p.IsInfinity() { // (0, 0) where that is not how the identity is written
		return group.Point{}, group.ErrNotCanonical
	}
	if !p.IsOnCurve() {
		return group.Point{}, group.ErrNotOnCurve
	}
	if !inSubgroup(&p) {
		return group.Point{}, group.ErrNotInSubgroup
	}
	return wrap(&p), nil
}

// AppendScalar appends the 32-byte encoding of s.
func (*native) AppendScalar(dst []byte, s group.Scalar) []byte {
	b := in(&s).Bytes()
	return append(dst, b[:]...)
}

// DecodeScalar reads exactly 32 bytes of a reduced integer.
func (*native) DecodeScalar(b []byte) (group.Scalar, error) {
	if len(b) != fr.Bytes {
		return group.Scalar{}, group.ErrLength
	}
	var e fr.Element
	if e.SetBytesCanonical(b) != nil {
		return group.Scalar{}, group.ErrNotCanonical
	}
	return out(&e), nil
}

// HashToPoint hashes to the curve with an empty domain string.
func (n *native) HashToPoint(msg []byte) group.Point {
	p := n.hash(msg)
	return wrap(&p)
}
