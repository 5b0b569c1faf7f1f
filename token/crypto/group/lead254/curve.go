// Package bn254 is the native Group of the curve BN254, on gnark-crypto.
//
//	curve.go     what only this curve has
//	field.go     scalars
//	codec.go     encodings
//	points.go    points that are not known in advance
//	sums.go      many sums of affine points at once, with shared inversions
//	digits.go    scalars as odd signed digits
//	table.go     multiples of fixed points, and sums over them
//	msm.go       sums of multiples of other points
//	bits.go      choices by the bits of a value
//	prefetch.go  hints for look-ups in tables that no cache holds
//
// ../bls12381 is generated from this package (go generate); only curve.go is
// written by hand there. Points are affine, the identity is (0, 0), as in
// gnark-crypto; scalars and coordinates are in Montgomery form.
//
// Exceptional additions (equal points, opposite points, the identity) give the
// right result everywhere, since verifiers add what strangers send.
package lead254

import (
	curve "github.com/consensys/gnark-crypto/ecc/bn254"
	"github.com/consensys/gnark-crypto/ecc/bn254/fp"
	"github.com/consensys/gnark-crypto/ecc/bn254/fr"

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
	infinityTag = 0
	// defaultTableBytes holds windows of eight bits for 64-bit parameters.
	defaultTableBytes = group.DefaultTableBytes
)

// New returns the Group under the name and identifier of the wire format.
func New() group.Group { return newCurve("BN254", 1, hashToPoint) }

// hashToPoint is the construction "XMD:SHA-256, SVDW, RO" of RFC 9380 with an
// empty domain string.
func hashToPoint(msg []byte) affine {
	p, err := curve.HashToG1(msg, nil)
	if err != nil {
		panic("bn254: an empty domain string is short enough: " + err.Error())
	}
	return p
}

// inSubgroup is true for every point on the curve: its order is prime.
func inSubgroup(*affine) bool { return true }
