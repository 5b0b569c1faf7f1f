package csp

import (
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// Prove implements rangeproof.System (specification, section 8.3).
func (s *scheme) Prove(r round.Round, v group.Point, opening rangeproof.Witness, src nonce.Source) (rangeproof.Proof, error) {
	if s.N < maxBits && opening.Value>>s.N != 0 {
		return nil, rangeproof.ErrWitness
	}
	m := round.NewMemory()
	defer m.Wipe()
	tr := s.transcripts.Get().(*transcript)
	defer s.transcripts.Put(tr)
	k, err := s.draw(m, src)
	if err != nil {
		return nil, err
	}
	g, tables, p := r.Group, s.Tables(), s.newProof(r.Group)
	w := s.witness(g, m, opening, k.a0)
	vBlinding := w[s.atG1() : s.atH()+1] // v, γ

	// A = κv·g₁ + κr·h,  Pc = Σ aᵢ·Aᵢ + Σ bₖ·Bₖ + r·h; bits choose the other a's.
	commit := r.Phase("commit")
	sums := commit.Fixed(tables.Points,
		group.Row{First: s.atG1(), Scalars: vBlinding},
		group.Row{First: s.atG1(), Scalars: k.kappa},
		group.Row{Index: s.commit, Scalars: s.unchosen(m, w, k)})
	p.A, p.Pc = sums[1], commit.Group.AddPoints(sums[2], commit.Group.SumBits(tables.Bits, opening.Value))
	if !g.Equal(sums[0], v) {
		return nil, rangeproof.ErrWitness
	}

	// The Schnorr proof: ζv = κv + e·v, ζr = κr + e·γ.
	var ch challenges
	ch.e = tr.knowledge(s.header, v, p.A)
	g.FoldVec(p.Zeta[:], k.kappa, vBlinding, s.Ones[0], ch.e)

	// u = a(c), and the form f.
	ch.eta, ch.c = tr.commitment(p.Pc)
	g = r.Phase("polynomials").Group
	l := s.basis.newLagrange(m)
	s.basis.evaluate(g, &l, ch.c)
	p.U = g.Inner(w[:s.N+1], l.mu)
	ch.phi = tr.evaluation(p.U)
	f := m.Scalars(s.padded)
	lambda := s.form(g, f, &l, ch, p.U)

	// Sc = Σ sᵢ·Eᵢ, σ = ⟨f, s⟩, and η·V from its opening.
	mask := r.Phase("mask")
	g = mask.Group
	sums = mask.Fixed(tables.Points, s.maskRow(m, k.s, ch.eta), s.scaledRow(m, vBlinding, ch.eta))
	plus := m.Points(2) // in W
	p.Sc, plus[0], plus[1] = sums[0], sums[1], p.Pc
	p.Sigma = g.Inner(f[:s.width], k.s)
	ch.rho = tr.mask(p.Sc, p.Sigma)

	// w ← w + ρ·s, λ′ = λ + ρ·σ, W = Pc + η·V + ρ·Sc.
	s.maskWitness(g, w, k, ch)
	lambda = g.Add(lambda, g.Mul(ch.rho, p.Sigma))
	masked := term(m, p.Sc, ch.rho)
	masked.Plus = plus
	tr.argument(s.header, mask.Sums(masked)[0], f, lambda)

	a := s.newArgument(m, w, f, ch.eta)
	for j := range s.rounds {
		r := r.Phase("argument", roundPhase[j])
		left, right := a.rows(r.Group, j)
		message := a.message(r.Group, j, r.Fixed(tables.Points, left, right))
		p.setMessage(j, message)
		a.fold(r.Group, j, tr.round(message))
	}
	return p, nil
}

// nonces are the nonces of a proof.
type nonces struct {
	kappa []group.Scalar // κv, κr
	a0    group.Scalar
	s     []group.Scalar // the mask
	r     group.Scalar   // blinds Pc
}

// draw draws the nonces, in the order κv, κr, a₀, s₀, s₁, …, r.
//
// A proof with r = 0 has the form of the reference's proofs, and verifiers
// cannot distinguish them. Without r, guesses of the value could be tested
// against a proof: u and the guess give a₀, and therefore Pc
// (docs/protocol-v1-csp.md, "The blinding term r·h").
func (s *scheme) draw(m *round.Memory, src nonce.Source) (nonces, error) {
	all := m.Scalars(4 + s.width)
	err := src.Scalars(all)
	return nonces{kappa: all[:2], a0: all[2], s: all[3 : 3+s.width], r: all[3+s.width]}, err
}

// witness returns (a₀ … aₙ, b₀ … bₙ, v, γ) and zero padding, where aᵢ is bit i-1
// of v, b₀ = a₀(a₀-1) and bₖ = a(n+k)(a(n+k)-1).
func (s *scheme) witness(g group.Group, m *round.Memory, opening rangeproof.Witness, a0 group.Scalar) []group.Scalar {
	w := m.Scalars(s.padded)
	w[0] = a0
	for i := range s.N {
		w[1+i] = g.Uint64(opening.Value >> i & 1)
	}
	w[s.atG1()], w[s.atH()] = g.Uint64(opening.Value), opening.Blinding
	s.products(g, m, w)
	return w
}

// products fills the part of w for b from the part for a.
func (s *scheme) products(g group.Group, m *round.Memory, w []group.Scalar) {
	n := s.N
	a, b, scratch := w[:n+1], w[n+1:2*n+2], m.Scalars(n+1)
	b[0] = w[0]
	s.basis.extend(g, b[1:], a, scratch)
	g.MulVec(scratch, b, b)
	g.FoldVec(b, scratch, b, s.Ones[0], g.Neg(s.Ones[0]))
}

// unchosen returns the scalars of Pc without the part that the bits choose.
func (s *scheme) unchosen(m *round.Memory, w []group.Scalar, k nonces) []group.Scalar {
	n := s.N
	by := m.Scalars(n + 3)
	by[0], by[n+2] = k.a0, k.r
	copy(by[1:], w[n+1:2*n+2])
	return by
}

// maskRow is Σ sᵢ·Eᵢ.
func (s *scheme) maskRow(m *round.Memory, mask []group.Scalar, eta group.Scalar) group.Row {
	by := m.Scalars(s.width)
	copy(by, mask)
	s.Group.ScaleVec(by[s.atG1():], by[s.atG1():], eta)
	return group.Row{Scalars: by}
}

// scaledRow is η·(v·g₁ + γ·h).
func (s *scheme) scaledRow(m *round.Memory, opening []group.Scalar, eta group.Scalar) group.Row {
	by := m.Scalars(2)
	s.Group.ScaleVec(by, opening, eta)
	return group.Row{First: s.atG1(), Scalars: by}
}

// maskWitness sets w to w + ρ·s. As r·h is part of Pc, W opens to γ + r/η at η·h,
// where f is 0.
func (s *scheme) maskWitness(g group.Group, w []group.Scalar, k nonces, ch challenges) {
	w[s.atH()] = g.Add(w[s.atH()], g.Mul(k.r, g.Inv(ch.eta)))
	g.FoldVec(w[:s.width], w[:s.width], k.s, s.Ones[0], ch.rho)
}

// term is the sum c·p.
func term(m *round.Memory, p group.Point, c group.Scalar) group.Terms {
	points, scalars := m.Points(1), m.Scalars(1)
	points[0], scalars[0] = p, c
	return group.Terms{Points: points, Scalars: scalars}
}
