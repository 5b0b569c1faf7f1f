package frost

import (
	"bytes"
	"errors"

	"filippo.io/edwards25519"

	"github.com/zkatbench/zkatbench/scheme/threshold/ops"
)

// Why an encoding is refused.
var (
	ErrScalar   = errors.New("scalar is not below the order")
	ErrPoint    = errors.New("point is not on the curve, or not in its one encoding")
	ErrSubgroup = errors.New("point is the identity, or not of prime order")
)

// decodeScalar reads 32 little-endian bytes of an integer below ℓ.
func decodeScalar(b []byte) (*edwards25519.Scalar, error) {
	s, err := edwards25519.NewScalar().SetCanonicalBytes(b)
	if err != nil {
		return nil, ErrScalar
	}
	return s, nil
}

// prime is 2²⁵⁵ - 19 in little-endian bytes.
var prime = append(append([]byte{0xed}, bytes.Repeat([]byte{0xff}, 30)...), 0x7f)

// reduced reports whether the coordinate y of an encoding is below the prime. The
// library accepts others.
func reduced(b []byte) bool {
	for i := len(prime) - 1; i >= 0; i-- {
		digit := b[i]
		if i == len(prime)-1 {
			digit &= 0x7f // without the sign of x
		}
		if digit != prime[i] {
			return digit < prime[i]
		}
	}
	return false
}

// decodePoint reads the only encoding of a point of prime order. Two encodings with a
// reduced y are not canonical: x = 0 and a sign. They are refused as points of order 1
// and 2.
func decodePoint(b []byte) (*edwards25519.Point, error) {
	ops.Add(ops.Decode, 1)
	p, err := new(edwards25519.Point).SetBytes(b)
	if err != nil || !reduced(b) {
		return nil, ErrPoint
	}
	if !inSubgroup(p) {
		return nil, ErrSubgroup
	}
	return p, nil
}
