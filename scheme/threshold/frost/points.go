package frost

import (
	"bytes"
	"errors"
	"math/big"
	"slices"

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

// eighth is 8⁻¹ modulo ℓ.
var eighth = func() *edwards25519.Scalar {
	order, _ := new(big.Int).SetString("27742317777372353535851937790883648493", 10)
	order.Add(order, new(big.Int).Lsh(big.NewInt(1), 252))
	b := new(big.Int).ModInverse(big.NewInt(8), order).FillBytes(make([]byte, 32))
	slices.Reverse(b)
	s, err := decodeScalar(b)
	if err != nil {
		panic("frost: an inverse is below the order: " + err.Error())
	}
	return s
}()

// decodePoint reads the one encoding of a point of prime order. The library
// accepts other encodings of some points, so the point is encoded again; the
// order is prime if (8⁻¹ mod ℓ)·(8·P) = P.
func decodePoint(b []byte) (*edwards25519.Point, error) {
	ops.Add(ops.Decode, 1)
	p, err := new(edwards25519.Point).SetBytes(b)
	if err != nil || !bytes.Equal(p.Bytes(), b) {
		return nil, ErrPoint
	}
	ops.Add(ops.Mul, 1)
	cleared := new(edwards25519.Point).MultByCofactor(p)
	again := new(edwards25519.Point).VarTimeDoubleScalarBaseMult(eighth, cleared, edwards25519.NewScalar())
	if again.Equal(p) != 1 || p.Equal(edwards25519.NewIdentityPoint()) == 1 {
		return nil, ErrSubgroup
	}
	return p, nil
}
