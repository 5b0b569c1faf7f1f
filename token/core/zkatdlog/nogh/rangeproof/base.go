package rangeproof

import (
	"sync"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Tables are precomputed multiples of public generators.
type Tables struct {
	Points group.Table
	Bits   group.BitTable // chosen by the bits of a value
}

// Base is the common part of every System: constants, and tables that are built on first
// use.
type Base struct {
	Group  group.Group
	N      int            // the bit length
	Pow2   []group.Scalar // 2ⁱ, i < n
	Ones   []group.Scalar
	Tables func() Tables // builds them on the first call

	proofLen int
}

// NewBase returns a Base for n bits, with that many ones. build makes the tables.
func NewBase(g group.Group, n, ones int, build func() Tables) Base {
	b := Base{Group: g, N: n, Pow2: make([]group.Scalar, n), Ones: make([]group.Scalar, ones),
		Tables: sync.OnceValue(build)}
	g.Powers(b.Pow2, g.Uint64(2))
	g.Powers(b.Ones, g.Uint64(1))
	return b
}

// SetProofLen sets the length of every encoded proof to the encoded length of p.
func (b *Base) SetProofLen(p Proof) { b.proofLen = len(p.Append(nil)) }

// Bits is n.
func (b *Base) Bits() int { return b.N }

// ProofLen is the length of every encoded proof, which depends on the curve and
// the bit length only.
func (b *Base) ProofLen() int { return b.proofLen }

// Table returns the multiples for sums over the generators.
func (b *Base) Table() group.Table { return b.Tables().Points }

// Precompute builds the tables and returns their size in bytes.
func (b *Base) Precompute() int {
	t := b.Tables()
	return t.Points.Bytes() + t.Bits.Bytes()
}
