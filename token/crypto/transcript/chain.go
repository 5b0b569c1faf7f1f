package transcript

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Chain is a transcript of SHA-256 digests; each one covers the previous
// one:
//
//	τ′ = SHA-256(LP(label) ‖ τ ‖ body),   LP(b) = BE32(len b) ‖ b
//
// A challenge therefore binds everything absorbed before it. The caller must
// ensure that the lengths of bodies are determined by earlier links.
type Chain struct {
	buf   []byte
	state [sha256.Size]byte
	begun bool
	// Blocks is the number of blocks of 64 bytes that were hashed.
	Blocks int
	wide   [scalarBytes * maxChallenges]byte // hashed, before reduction
}

// Reset begins a new transcript and reuses the memory.
func (c *Chain) Reset() {
	*c = Chain{buf: c.buf[:0]}
}

// Begin starts a link. The caller appends the body to the returned slice and
// passes it to End.
func (c *Chain) Begin(label string) []byte {
	b := AppendLabel(c.buf[:0], label)
	if c.begun {
		b = append(b, c.state[:]...)
	}
	return b
}

// End finishes the link with the bytes of Begin.
func (c *Chain) End(link []byte) {
	c.buf = link
	c.state = sha256.Sum256(link)
	c.begun = true
	c.Blocks += Blocks(len(link))
}

// Link absorbs one body.
func (c *Chain) Link(label string, body []byte) { c.End(append(c.Begin(label), body...)) }

// State returns the digest of the last link.
func (c *Chain) State() [sha256.Size]byte { return c.state }

// AppendLabel appends LP(label).
func AppendLabel(dst []byte, label string) []byte {
	return append(binary.BigEndian.AppendUint32(dst, uint32(len(label))), label...)
}

// scalarBytes is L of hash_to_field for fields of at most 256 bits at a security
// of 128 bits (RFC 9380, section 5.1).
const scalarBytes = 48

// maxChallenges is the greatest number of challenges from one digest.
const maxChallenges = 5

// Challenges fills dst, at most five scalars, with hash_to_field (RFC 9380,
// section 5.2) of the last digest under a domain.
func (c *Chain) Challenges(g group.Field, dst []group.Scalar, domain string) {
	bytes := c.wide[:scalarBytes*len(dst)]
	c.Blocks += ExpandXMD(bytes, c.state[:], domain)
	for i := range dst {
		dst[i] = g.Reduce(bytes[i*scalarBytes:][:scalarBytes])
	}
}
