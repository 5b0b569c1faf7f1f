// Code generated from bn254/yardstick.go by bls12381/generate. DO NOT EDIT.

package bls12381

import (
	"crypto/sha256"
	"math/big"

	curve "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
)

// Yardstick returns one scalar multiplication as gnark-crypto does it, through
// the endomorphism, with a scalar of full length and nothing of this package
// around it: the unit in which benchmarks state times so that they compare
// across machines. Point and scalar are always the same, as in gnark-crypto's
// own benchmark: that is the fastest case (31 µs on BN254 against 40 µs with
// ever new points, whose branches a processor cannot learn).
func (g *Group) Yardstick() (mul func()) {
	digest := sha256.Sum256([]byte("yardstick"))
	var s fr.Element
	var k big.Int
	s.SetBytes(digest[:]).BigInt(&k)
	generator := g.Generator()
	base := affine(&generator)
	var p curve.G1Affine
	return func() { p.ScalarMultiplication(&base, &k) }
}
