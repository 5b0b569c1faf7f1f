package ecdsa

import (
	"crypto/sha256"
	"errors"
	"math/big"
)

// errRejected says that a signature is not one of the message under the key.
var errRejected = errors.New("ecdsa: signature rejected")

// combiner is a group over a field, whose points can be added.
type combiner interface {
	// combine returns u·G + v·Q for the point Q = (x, y), or curve.ErrNotOnCurve.
	combine(u, v *[32]byte, x, y *big.Int) (rx, ry *big.Int, err error)
}

// verify returns nil if s is a signature of message under key (FIPS 186-5
// §6.4.2), otherwise errRejected, also for keys that are not on the curve.
func verify(g Group, key PublicKey, message []byte, s Signature) error {
	if !s.inRange() || key.X == nil || key.Y == nil {
		return errRejected
	}
	digest := sha256.Sum256(message)
	w := new(big.Int).ModInverse(s.S, order)
	u := new(big.Int).SetBytes(digest[:])
	u.Mul(u, w).Mod(u, order)
	v := new(big.Int).Mul(s.R, w)
	v.Mod(v, order)
	x, _, err := g.(combiner).combine(bytes32(u), bytes32(v), key.X, key.Y)
	if err != nil || x == nil || x.Mod(x, order).Cmp(s.R) != 0 {
		return errRejected
	}
	return nil
}

func (g overField[E, F]) combine(u, v *[32]byte, x, y *big.Int) (rx, ry *big.Int, err error) {
	q, err := g.Point(x, y)
	if err != nil {
		return nil, nil, err
	}
	first, _ := g.Multiply(u, g.Generator())
	second, _ := g.Multiply(v, q)
	rx, ry, _ = g.Affine(g.Add(first, second))
	return rx, ry, nil
}
