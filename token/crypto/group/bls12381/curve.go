// Package bls12381 is the native Group of BLS12-381, on gnark-crypto's field
// arithmetic.
//
// The package has its own curve parameters, encodings, membership of the group
// and square roots, the last two eight at a time.
//
// All else is generated from package bn254.
package bls12381

//go:generate go run ./generate

import (
	"encoding/binary"
	"math/bits"

	curve "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/hash_to_curve"
	"golang.org/x/crypto/blake2b"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// New returns the Group under the wire identifier id, or nil without a
// name of this curve. Encodings and hashes of 6, 7 and 8 are equal, and so are
// images of 3 and 5.
func New(id int) *Group {
	switch id {
	case 3:
		return &Group{name: "BLS12_381", id: id, hash: hashToG1}
	case 5:
		return &Group{name: "BLS12_381_GURVY", id: id, hash: hashToG1}
	case 6:
		return &Group{name: "BLS12_381_BBS", id: id, hash: hashToG1BBS}
	case 7:
		return &Group{name: "BLS12_381_BBS_GURVY", id: id, hash: hashToG1BBS}
	case 8:
		return &Group{name: "BLS12_381_BBS_GURVY_FAST_RNG", id: id, hash: hashToG1BBS}
	}
	return nil
}

// lambda is the eigenvalue of φ(x, y) = (βx, y) on the group: x² - 1 for the
// curve parameter x = -0xd201000000010000, a cube root of 1 modulo q.
const lambda = "228988810152649578064853576960394133503"

// coeffB is b in y² = x³ + b.
var coeffB = fp.NewElement(4)

// fieldP is the order of the base field.
var fieldP = fieldOrder()

// negateIf sets z to -y if minus is 1 and to y if it is 0, without a branch.
// y is not 0.
func negateIf(z, y *fp.Element, minus uint64) {
	mask := -minus
	d0, b := bits.Sub64(fieldP[0], y[0], 0)
	d1, b := bits.Sub64(fieldP[1], y[1], b)
	d2, b := bits.Sub64(fieldP[2], y[2], b)
	d3, b := bits.Sub64(fieldP[3], y[3], b)
	d4, b := bits.Sub64(fieldP[4], y[4], b)
	d5, _ := bits.Sub64(fieldP[5], y[5], b)
	z[0] = y[0] ^ mask&(y[0]^d0)
	z[1] = y[1] ^ mask&(y[1]^d1)
	z[2] = y[2] ^ mask&(y[2]^d2)
	z[3] = y[3] ^ mask&(y[3]^d3)
	z[4] = y[4] ^ mask&(y[4]^d4)
	z[5] = y[5] ^ mask&(y[5]^d5)
}

// infinity starts the encoding of the identity, which zeros follow.
const infinity = 0x40

// hashToG1 is RFC 9380 "XMD:SHA-256, SSWU, RO" with an empty domain string
// (specification, section 2.5).
func hashToG1(msg []byte) curve.G1Affine {
	p, err := curve.HashToG1(msg, nil)
	if err != nil {
		panic(err) // only for a domain string of more than 255 bytes
	}
	return p
}

// hashToG1BBS is the same with BLAKE2b-512, and the sign of an element decided
// by its size and not by its parity. The two points are added on the isogenous
// curve, with another formula for doubling: that they are equal has the
// probability of a collision of the hash.
func hashToG1BBS(msg []byte) curve.G1Affine { return hashToG1BBSDomain(msg, "") }

// hashToG1BBSDomain is hashToG1BBS with a domain string of at most 255 bytes.
func hashToG1BBSDomain(msg []byte, domain string) curve.G1Affine {
	b := expand(msg, domain)
	var sum curve.G1Jac
	for i := range 2 {
		var u fp.Element
		u.SetBytes(b[i*fieldBytes : (i+1)*fieldBytes])
		p := curve.MapToCurve1(&u)
		if u.LexicographicallyLargest() != p.Y.LexicographicallyLargest() {
			p.Y.Neg(&p.Y)
		}
		sum.AddMixed(&p)
	}
	var p curve.G1Affine
	p.FromJacobian(&sum)
	hash_to_curve.G1Isogeny(&p.X, &p.Y)
	p.ClearCofactor(&p)
	return p
}

// fieldBytes is how many bytes of a hash make an element of the field, L in
// RFC 9380, section 5.1.
const fieldBytes = 64

// expand is expand_message_xmd of RFC 9380, section 5.3.1, with BLAKE2b-512
// and a domain string, for two elements of the field.
func expand(msg []byte, domain string) (out [2 * fieldBytes]byte) {
	suffix := append([]byte(domain), byte(len(domain)))
	h, err := blake2b.New512(nil)
	if err != nil {
		panic(err) // only for a long key
	}
	h.Write(make([]byte, h.BlockSize()))
	h.Write(msg)
	h.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(out))), 0))
	h.Write(suffix)
	first := h.Sum(nil)
	block := make([]byte, len(first))
	for i := 0; i*len(first) < len(out); i++ {
		for k := range block {
			block[k] ^= first[k]
		}
		h.Reset()
		h.Write(append(block, byte(i+1)))
		h.Write(suffix)
		block = h.Sum(block[:0])
		copy(out[i*len(first):], block)
	}
	return out
}

// effectiveCofactor is invertible modulo q and takes every
// point of the curve into the group: 1 - x for the curve parameter x (RFC 9380,
// section 8.8.1; El Housni, Guillevic, Piellard, ePrint 2022/352).
const effectiveCofactor uint64 = 0xd201000000010001

// HashToPointBBS is the hash to the group of BBS+ signatures, with a domain
// string of at most 255 bytes; HashToPoint of curves 6 to 8 is the same with an
// empty one.
func (g *Group) HashToPointBBS(msg []byte, domain string) group.Point {
	a := hashToG1BBSDomain(msg, domain)
	return point(&a)
}

// lines are the line coefficients of a point of the second group.
type lines = [2][len(curve.LoopCounter) - 1]curve.LineEvaluationAff

var _ group.Group = (*Group)(nil)

// ladderFrom is the least number of sums where affine doublings of all of them, with
// one inversion, cost less than a Jacobian doubling of each.
const ladderFrom = 48
