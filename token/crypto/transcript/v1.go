// Package transcript turns what prover and verifier have seen into challenges
// (the Fiat–Shamir transform).
//
//	v1.go     what the v1 wire format hashes, and what it forgets
//	chain.go  a chain of digests, each of which covers everything before
//	xmd.go    expand_message_xmd of RFC 9380
package transcript

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// V1 is the transcript of the v1 proofs: each challenge is
//
//	HashToZr(m) = SHA-256(m) as a big-endian integer mod q
//
// of only the bytes absorbed since the previous challenge (specification,
// sections 1 and 2.4). It has no domain, no labels and no memory: a challenge
// binds an earlier message only where the protocol absorbs it again. Section
// 21 of the specification lists what that leaves unbound; docs/security.md
// says what follows. Use it for v1 proofs and for nothing else.
type V1 struct {
	g      group.Group
	prefix [4]byte // length of a point, little-endian
	buf    []byte
	sum    [sha256.Size]byte
}

// NewV1 returns a transcript over g that expects messages of size bytes.
func NewV1(g group.Group, size int) *V1 {
	t := &V1{g: g, buf: make([]byte, 0, size)}
	binary.LittleEndian.PutUint32(t.prefix[:], uint32(g.PointLen()))
	return t
}

// Point absorbs LP(p): the length of the encoding and the encoding.
func (t *V1) Point(p group.Point) {
	t.buf = t.g.AppendPoint(append(t.buf, t.prefix[:]...), p)
}

// Points absorbs LP(p₀, p₁, …).
func (t *V1) Points(ps []group.Point) {
	t.buf = t.g.AppendPoints(t.buf, t.prefix[:], ps)
}

// Scalar absorbs Z(s), without a length.
func (t *V1) Scalar(s group.Scalar) { t.buf = t.g.AppendScalar(t.buf, s) }

// Raw absorbs b as it is.
func (t *V1) Raw(b []byte) { t.buf = append(t.buf, b...) }

// Preimage returns what the next challenge hashes, until the next call.
func (t *V1) Preimage() []byte { return t.buf }

// Challenge returns the challenge for what was absorbed and forgets it.
func (t *V1) Challenge() group.Scalar {
	t.sum = sha256.Sum256(t.buf)
	t.buf = t.buf[:0]
	return t.g.Reduce(t.sum[:])
}
