// Package transcript derives challenges from the messages of a protocol (the
// Fiat–Shamir transform).
//
// It has the challenges of the v1 wire format with their scope, a chain of
// digests in which each covers everything before, and expand_message_xmd of RFC
// 9380.
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
// over only the bytes absorbed since the previous challenge (specification,
// sections 1 and 2.4). V1 is without domain separation and labels, and does not
// keep earlier messages: a challenge binds an earlier message only if the
// protocol absorbs it again. Section 21 of the specification lists the values
// that remain unbound; docs/security.md explains the consequences. Use V1 only
// for v1 proofs.
type V1 struct {
	g      group.Group
	prefix [4]byte // length of a point, little-endian
	buf    []byte
	sum    [sha256.Size]byte
}

// NewV1 returns a transcript over g that expects messages of size bytes.
func NewV1(g group.Group, size int) *V1 {
	t := &V1{buf: make([]byte, 0, size)}
	t.Reset(g)
	return t
}

// Reset makes t an empty transcript over g, in the same memory.
func (t *V1) Reset(g group.Group) {
	t.g, t.buf = g, t.buf[:0]
	binary.LittleEndian.PutUint32(t.prefix[:], uint32(g.PointLen()))
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

// Raw absorbs b without framing.
func (t *V1) Raw(b []byte) { t.buf = append(t.buf, b...) }

// preimage returns the input of the next challenge; it is valid until the next
// call.
func (t *V1) preimage() []byte { return t.buf }

// Challenge returns the challenge for the absorbed bytes and discards them.
func (t *V1) Challenge() group.Scalar {
	t.sum = sha256.Sum256(t.buf)
	t.buf = t.buf[:0]
	return t.g.Reduce(t.sum[:])
}
