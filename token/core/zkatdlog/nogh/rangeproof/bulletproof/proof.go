package bulletproof

import (
	"slices"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// Proof is one range proof. L and R hold one point for each round.
type Proof struct {
	g                group.Group
	T1, T2, C, D     group.Point
	Tau, Delta, That group.Scalar
	A, B             group.Scalar
	L, R             []group.Point
	rounds           [2 * maxRounds]group.Point // memory of L and R
	length           int                        // of the encoding
}

// newProof returns a proof with room for all rounds.
func (s *scheme) newProof(g group.Group) *Proof {
	p, k := &Proof{g: g, length: s.ProofLen()}, s.rounds
	p.L, p.R = p.rounds[:k:k], p.rounds[maxRounds:maxRounds+k]
	return p
}

// Append appends Cont(Math(T₁, T₂, τ, C, D, δ, t̂), Math(a, b, [L], [R])).
func (p *Proof) Append(dst []byte) []byte {
	start := len(dst)
	dst = slices.Grow(dst, p.length)
	dst = wire.WrapOctets(p.appendOuter(dst), start)
	inner := len(dst)
	dst = wire.WrapOctets(p.appendInner(dst), inner)
	return wire.WrapContainer(dst, start)
}

func (p *Proof) appendOuter(dst []byte) []byte {
	w := wire.NewWriter(p.g, dst)
	w.Point(p.T1)
	w.Point(p.T2)
	w.Scalar(p.Tau)
	w.Point(p.C)
	w.Point(p.D)
	w.Scalar(p.Delta)
	w.Scalar(p.That)
	return w.Done()
}

func (p *Proof) appendInner(dst []byte) []byte {
	w := wire.NewWriter(p.g, dst)
	w.Scalar(p.A)
	w.Scalar(p.B)
	w.Points(p.L)
	w.Points(p.R)
	return w.Done()
}

// Decode implements rangeproof.System. The points must not be the identity, which
// an honest prover sends with negligible probability. Errors are
// *wire.DecodeError.
func (s *scheme) Decode(ps *wire.Points, b []byte) (rangeproof.Proof, error) {
	const messageName = "bulletproof"
	var room [2][]byte
	parts, err := wire.ContainerInto(room[:0], messageName, b, 2, 2)
	if err != nil {
		return nil, err
	}
	p := s.newProof(ps.Group())
	outer := wire.NewReader(messageName, ps, parts[0])
	outer.NonIdentity("T1", &p.T1)
	outer.NonIdentity("T2", &p.T2)
	p.Tau = outer.Scalar("tau")
	outer.NonIdentity("C", &p.C)
	outer.NonIdentity("D", &p.D)
	p.Delta, p.That = outer.Scalar("delta"), outer.Scalar("t")
	if err := outer.Done(); err != nil {
		return nil, err
	}
	inner := wire.NewReader(messageName, ps, parts[1])
	p.A, p.B = inner.Scalar("a"), inner.Scalar("b")
	p.L = inner.NonIdentities("L", p.L, s.rounds)
	p.R = inner.NonIdentities("R", p.R, s.rounds)
	if err := inner.Done(); err != nil {
		return nil, err
	}
	return p, nil
}
