package grouptest

import (
	"math/big"

	"github.com/zkatbench/zkatbench/internal/bindtest"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Spy is a Group that records the scalars that a verifier makes of hashes, and can hold them. It
// is for one goroutine.
type Spy struct {
	group.Group
	WeightLen int // the length in bytes of the hashes that become weights
	held      []bindtest.Draw
	draws     []bindtest.Draw
}

// Watch runs verify and returns its draws. The first scalars are held.
func (s *Spy) Watch(held []bindtest.Draw, verify func()) []bindtest.Draw {
	s.held, s.draws = held, nil
	verify()
	return s.draws
}

// Reduce records the scalar of a hash.
func (s *Spy) Reduce(b []byte) group.Scalar {
	scalar := s.Group.Reduce(b)
	if n := len(s.draws); n < len(s.held) {
		scalar = Scalar(s.Group, s.held[n].Number)
	}
	s.draws = append(s.draws, bindtest.Draw{Weight: len(b) == s.WeightLen, Number: Number(s.Group, scalar)})
	return scalar
}

// Number returns s as an integer.
func Number(g group.Codec, s group.Scalar) *big.Int {
	return new(big.Int).SetBytes(g.AppendScalar(nil, s))
}

// Scalar returns n modulo the order, for n below 2²⁵⁶.
func Scalar(g group.Field, n *big.Int) group.Scalar { return g.Reduce(n.FillBytes(make([]byte, 32))) }
