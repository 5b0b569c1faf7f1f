// Package bn254 is the native Group of BN254, on gnark-crypto's field
// arithmetic.
//
// Everything is built on one kernel on vectors of affine points, which is
// portable, on gnark-crypto, or on AVX-512 IFMA, with assembly by
// internal/kernels. Above it are sums over fixed-base tables, sums over few
// variable points in lockstep (Straus), and sums over many in buckets
// (Pippenger). Scalars are cut in two halves through the endomorphism and
// recoded into signed odd digits. Scratch memory is wiped after each use. The
// package also has the second group, and products of pairings.
//
// Most of package bls12381 is generated from this one.
package bn254

//go:generate go -C ../internal/kernels run .

import (
	"math/bits"

	curve "github.com/consensys/gnark-crypto/ecc/bn254"
	"github.com/consensys/gnark-crypto/ecc/bn254/fp"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// New returns the Group of BN254.
func New() *Group { return &Group{name: "BN254", id: 1, hash: hashToG1} }

// lambda is the eigenvalue of φ(x, y) = (βx, y) on the group: 36x³+18x²+6x+1
// for the curve parameter x = 4965661367192848881, a cube root of 1 modulo q.
const lambda = "4407920970296243842393367215006156084916469457145843978461"

// coeffB is b in y² = x³ + b.
var coeffB = fp.NewElement(3)

// hashToG1 is RFC 9380 "XMD:SHA-256, SVDW, RO" with an empty domain string
// (specification, section 2.5).
func hashToG1(msg []byte) curve.G1Affine {
	p, err := curve.HashToG1(msg, nil)
	if err != nil {
		panic(err) // only for a domain string of more than 255 bytes
	}
	return p
}

// fieldP is the order of the base field.
var fieldP = fieldOrder()

// negateIf sets z to -y if minus is 1 and to y if it is 0, without a branch.
// y is not 0.
func negateIf(z, y *fp.Element, minus uint64) {
	mask := -minus
	d0, b := bits.Sub64(fieldP[0], y[0], 0)
	d1, b := bits.Sub64(fieldP[1], y[1], b)
	d2, b := bits.Sub64(fieldP[2], y[2], b)
	d3, _ := bits.Sub64(fieldP[3], y[3], b)
	z[0] = y[0] ^ mask&(y[0]^d0)
	z[1] = y[1] ^ mask&(y[1]^d1)
	z[2] = y[2] ^ mask&(y[2]^d2)
	z[3] = y[3] ^ mask&(y[3]^d3)
}

// infinity starts the encoding of the identity, which zeros follow.
const infinity = 0

// inSubgroup reports whether p, on the curve, is in the group: always, since
// the curve has prime order.
func inSubgroup(*curve.G1Affine) bool { return true }

// firstOutside returns the index of the first point outside the group, or
// their number.
func (*workspace) firstOutside(ps []curve.G1Affine) int { return len(ps) }

// effectiveCofactor is invertible modulo q and takes every
// point of the curve into the group: 1, since the curve has prime order.
const effectiveCofactor uint64 = 1

// lines are the line coefficients of a point of the second group.
type lines = [2][len(curve.LoopCounter)]curve.LineEvaluationAff

var _ group.Group = (*Group)(nil)

// ladderFrom is the least number of sums where affine doublings of all of them, with
// one inversion, cost less than a Jacobian doubling of each.
const ladderFrom = 48
