package bn254

import curve "github.com/consensys/gnark-crypto/ecc/bn254"

// GeneratorG2 returns the uncompressed encoding of the standard generator of
// the second group of the pairing: X.A1 ‖ X.A0 ‖ Y.A1 ‖ Y.A0.
func (g *Group) GeneratorG2() []byte {
	_, _, _, g2 := curve.Generators()
	b := g2.RawBytes()
	return b[:]
}
