// Package bls12381 is the native Group of the curve BLS12-381, on gnark-crypto.
//
// curve.go is what only this curve has; the other files are generated from
// ../bn254, whose package comment is their map.
package lead381

import (
	curve "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

type (
	element  = fp.Element
	elements = fp.Vector
	affine   = curve.G1Affine
	jacobian = curve.G1Jac
)

const (
	scalarBits = fr.Bits
	// infinityTag is the first byte of the identity's encoding; the rest is 0.
	infinityTag = 0x40
	// defaultTableBytes holds windows of eight bits for 64-bit parameters.
	defaultTableBytes = group.DefaultTableBytes / 2 * 3
)

// New returns the Group under a name and identifier of the wire format: several
// of these share the curve and differ in how they hash to it. hash returns the
// encoding of HashToG1 of the message.
func New(name string, id int, hash func(msg []byte) []byte) group.Group {
	return newCurve(name, id, func(msg []byte) affine {
		var p affine
		b := hash(msg)
		if p.X.SetBytesCanonical(b[:fp.Bytes]) != nil || p.Y.SetBytesCanonical(b[fp.Bytes:]) != nil {
			panic("bls12381: the hash to the curve is not an encoded point")
		}
		return p
	})
}

// inSubgroup is the endomorphism test of gnark-crypto (Scott, eprint 2021/1130).
func inSubgroup(p *affine) bool { return p.IsInSubGroup() }
