package csp

import (
	"slices"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// Proof is one range proof. The slices have one entry for each round.
type Proof struct {
	g             group.Group
	Pc            group.Point     // commitment to a₀, the bits and b, blinded by r
	A             group.Point     // nonces of the Schnorr proof for V
	Zeta          [2]group.Scalar // (ζv, ζr), its responses
	U             group.Scalar    // a(c)
	Sc            group.Point     // commitment to the mask s
	Sigma         group.Scalar    // ⟨f, s⟩
	LeftC, RightC []group.Point   // Lcⱼ, Rcⱼ
	Left, Right   []group.Scalar  // ℓⱼ, rⱼ
	points        [2 * maxRounds]group.Point
	scalars       [2 * maxRounds]group.Scalar
}

// newProof returns a proof with room for all rounds.
func (s *scheme) newProof(g group.Group) *Proof {
	p, r := &Proof{g: g}, s.rounds
	p.LeftC, p.RightC = p.points[:r:r], p.points[maxRounds:maxRounds+r]
	p.Left, p.Right = p.scalars[:r:r], p.scalars[maxRounds:maxRounds+r]
	return p
}

// message returns the part of the proof for round j.
func (p *Proof) message(j int) message {
	return message{lc: p.LeftC[j], rc: p.RightC[j], l: p.Left[j], r: p.Right[j]}
}

func (p *Proof) setMessage(j int, m message) {
	p.LeftC[j], p.RightC[j] = m.lc, m.rc
	p.Left[j], p.Right[j] = m.l, m.r
}

// elementMargin is an upper bound of the framing of one element, or of one list
// entry, in bytes.
const elementMargin = 16

// Append appends Math(Pc, A, [ζv, ζr], u, Sc, σ, [Lc], [Rc], [ℓ], [r]).
func (p *Proof) Append(dst []byte) []byte {
	size := (2*len(p.LeftC)+5)*(p.g.PointLen()+elementMargin) +
		(2*len(p.Left)+8)*(group.ScalarLen+elementMargin)
	w := wire.NewWriter(p.g, slices.Grow(dst, size))
	w.Point(p.Pc)
	w.Point(p.A)
	w.Scalars(p.Zeta[:])
	w.Scalar(p.U)
	w.Point(p.Sc)
	w.Scalar(p.Sigma)
	w.Points(p.LeftC)
	w.Points(p.RightC)
	w.Scalars(p.Left)
	w.Scalars(p.Right)
	return w.Done()
}

// Decode implements rangeproof.System. The points must not be the identity, which
// an honest prover sends only with negligible probability. Errors are
// *wire.DecodeError.
func (s *scheme) Decode(ps *wire.Points, b []byte) (rangeproof.Proof, error) {
	p, rounds := s.newProof(ps.Group()), s.rounds
	r := wire.NewReader("CSP range proof", ps, b)
	r.NonIdentity("Pc", &p.Pc)
	r.NonIdentity("A", &p.A)
	r.Scalars("zeta", p.Zeta[:], len(p.Zeta))
	p.U = r.Scalar("u")
	r.NonIdentity("Sc", &p.Sc)
	p.Sigma = r.Scalar("sigma")
	p.LeftC = r.NonIdentities("Lc", p.LeftC, rounds)
	p.RightC = r.NonIdentities("Rc", p.RightC, rounds)
	p.Left = r.Scalars("l", p.Left, rounds)
	p.Right = r.Scalars("r", p.Right, rounds)
	if err := r.Done(); err != nil {
		return nil, err
	}
	return p, nil
}
