package ps18

import (
	"fmt"
	"math/big"

	"github.com/zkatbench/zkatbench/scheme/ps18/curve"
)

// Method is a way to evaluate the verification equation.
type Method int

const (
	// Product tests e(σ₁, A)·e(-σ₂, g̃) = 1: two Miller loops and one final
	// exponentiation.
	Product Method = iota
	// Plain computes e(σ₁, A) and e(σ₂, g̃) and compares them, as the paper
	// writes it: two final exponentiations.
	Plain
)

// Phases of a verification, for curves that count.
const (
	phaseDecode   = "decode"
	phaseCombine  = "key combination"
	phasePairings = "pairings"
)

// Verify returns nil if s is a signature of messages, ErrMessages if they do not
// fit the key, and ErrRejected otherwise.
func (pk *PublicKey) Verify(messages []*big.Int, s *Signature, how Method) error {
	c := pk.curve
	if err := fits(c, messages, pk.messages()); err != nil {
		return err
	}
	if err := usable(c, s); err != nil {
		return err
	}
	a := pk.combine(c.Phase(phaseCombine), messages, s.Prime)
	c = c.Phase(phasePairings)
	var valid bool
	if how == Plain {
		valid = c.EqualGT(c.Pair(s.Sigma1, a), c.Pair(s.Sigma2, pk.generator))
	} else {
		valid = c.PairingIsOne([]curve.G1{s.Sigma1, c.NegG1(s.Sigma2)}, []curve.G2{a, pk.generator})
	}
	if !valid {
		return ErrRejected
	}
	return nil
}

// combine returns A = X̃ + Σ_{j≤r} mⱼ·Ỹⱼ + m'·Ỹ_{r+1}. The last term is added once
// and not in the sum over j.
func (pk *PublicKey) combine(c curve.Curve, messages []*big.Int, prime *big.Int) curve.G2 {
	scalars := make([]*big.Int, 0, len(pk.y))
	scalars = append(append(scalars, messages...), prime)
	return c.AddG2(pk.x, c.MSMG2(pk.y, scalars))
}

// usable rejects σ₁ = 0 and values that a decoder never returns. (m', 0, 0)
// satisfies the equation for all messages and keys.
func usable(c curve.Curve, s *Signature) error {
	switch {
	case s == nil || !s.Sigma1.IsValid() || !s.Sigma2.IsValid() || !isScalar(c, s.Prime):
		return fmt.Errorf("%w: it is incomplete", ErrRejected)
	case c.IsZeroG1(s.Sigma1):
		return fmt.Errorf("%w: σ₁ is 0", ErrRejected)
	}
	return nil
}

// Prepare returns the same key with window tables and line coefficients of its
// points, which make verifying cheaper on curves that have them.
func (pk *PublicKey) Prepare() *PublicKey {
	p := *pk
	p.generator, p.x = pk.curve.PrepareG2(pk.generator), pk.curve.PrepareG2(pk.x)
	p.y = make([]curve.G2, len(pk.y))
	for i, y := range pk.y {
		p.y[i] = pk.curve.PrepareG2(y)
	}
	return &p
}
