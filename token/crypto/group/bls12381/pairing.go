// Code generated from bn254/pairing.go by bls12381/generate. DO NOT EDIT.

package bls12381

import curve "github.com/consensys/gnark-crypto/ecc/bls12-381"

// GeneratorG2 returns the uncompressed encoding of the standard generator of
// the second group of the pairing: X.A1 ‖ X.A0 ‖ Y.A1 ‖ Y.A0.
func (g *Group) GeneratorG2() []byte {
	_, _, _, g2 := curve.Generators()
	b := g2.RawBytes()
	return b[:]
}
