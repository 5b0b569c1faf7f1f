package csp

import (
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// Prove implements rangeproof.System (specification, section 8.3).
func (s *scheme) Prove(r round.Round, v group.Point, opening rangeproof.Witness,
	src nonce.Source) (rangeproof.Proof, error) {
	if !opening.InRange(s.N) {
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
	pr := prover{scheme: s, m: m, tr: tr, k: k, p: s.newProof(r.Group)}
	return pr.run(r, v, s.witness(r.Group, m, opening, k.a0), opening.Value)
}

// prover makes one proof. Each step uses the challenges of the steps before it.
type prover struct {
	*scheme
	m  *round.Memory
	tr *transcript
	k  nonces
	ch challenges
	p  *Proof
}

// run makes the proof for a witness w, in the order of the specification.
func (pr *prover) run(r round.Round, v group.Point, w []group.Scalar, value uint64) (rangeproof.Proof,
	error) {
	if !r.Group.Equal(pr.commit(r.Phase("commit"), w, value), v) {
		return nil, rangeproof.ErrWitness
	}
	pr.respond(r.Group, v, w)
	f, lambda := pr.linearForm(r.Phase("polynomials").Group, w)
	mask := r.Phase("mask")
	etaV := pr.commitMask(mask, w, f)
	W, lambda := pr.applyMask(mask, w, lambda, etaV)
	pr.compress(r, W, lambda, w, f)
	return pr.p, nil
}

// commit sets the commitments of steps 2 and 4, and returns v·g₁ + γ·h:
//
//	A = κv·g₁ + κr·h,  Pc = Σ aᵢ·Aᵢ + Σ bₖ·Bₖ + r·h
//
// where bits choose all aᵢ except a₀.
func (pr *prover) commit(r round.Round, w []group.Scalar, value uint64) group.Point {
	g, tables := r.Group, pr.Tables()
	p, k := pr.p, pr.k
	sums := r.Fixed(tables.Points,
		group.Row{First: pr.atG1(), Scalars: pr.opening(w)},
		group.Row{First: pr.atG1(), Scalars: k.kappa},
		group.Row{Index: pr.ofPc, Scalars: pr.unchosen(pr.m, w, k)})
	p.A, p.Pc = sums[1], g.AddPoints(sums[2], g.SumBits(tables.Bits, value))
	return sums[0]
}

// respond ends the Schnorr proof of step 2: ζv = κv + e·v, ζr = κr + e·γ.
func (pr *prover) respond(g group.Group, v group.Point, w []group.Scalar) {
	p, ch := pr.p, &pr.ch
	ch.e = pr.tr.knowledge(pr.header, v, p.A)
	g.FoldVec(p.Zeta[:], pr.k.kappa, pr.opening(w), g.Uint64(1), ch.e)
}

// linearForm sets u = a(c) and returns the form f and λ (steps 4 to 6).
func (pr *prover) linearForm(g group.Group, w []group.Scalar) (f []group.Scalar, lambda group.Scalar) {
	m, tr := pr.m, pr.tr
	p, ch := pr.p, &pr.ch
	ch.eta, ch.c = tr.commitment(p.Pc)
	l := pr.basis.newLagrange(m)
	pr.basis.evaluate(g, &l, ch.c)
	p.U = g.Inner(w[:pr.N+1], l.mu)
	ch.phi = tr.evaluation(p.U)
	f = m.Scalars(pr.padded)
	return f, pr.form(g, f, &l, *ch, p.U)
}

// commitMask sets Sc = Σ sᵢ·Eᵢ and σ = ⟨f, s⟩ (step 7), and returns η·V, computed
// from its opening.
func (pr *prover) commitMask(r round.Round, w, f []group.Scalar) (etaV group.Point) {
	m, p := pr.m, pr.p
	k, ch := pr.k, &pr.ch
	sums := r.Fixed(pr.Table(), pr.maskRow(m, k.s, ch.eta), pr.scaledRow(m, pr.opening(w), ch.eta))
	p.Sc, etaV = sums[0], sums[1]
	p.Sigma = r.Group.Inner(f[:len(k.s)], k.s)
	ch.rho = pr.tr.mask(p.Sc, p.Sigma)
	return etaV
}

// applyMask sets w to w + ρ·s, and returns W and λ′ (step 8):
//
//	W = Pc + η·V + ρ·Sc,  λ′ = λ + ρ·σ
func (pr *prover) applyMask(r round.Round, w []group.Scalar, lambda group.Scalar,
	etaV group.Point) (W group.Point, masked group.Scalar) {
	g, m := r.Group, pr.m
	p, rho := pr.p, pr.ch.rho
	pr.maskWitness(g, w, pr.k, pr.ch)
	sum := term(m, p.Sc, rho)
	sum.Plus = m.Points(2)
	sum.Plus[0], sum.Plus[1] = etaV, p.Pc
	return r.Sums(sum)[0], g.Add(lambda, g.Mul(rho, p.Sigma))
}

// compress sets the messages of the inner proof (steps 9 and 10).
func (pr *prover) compress(r round.Round, W group.Point, lambda group.Scalar, w, f []group.Scalar) {
	tr, p := pr.tr, pr.p
	tr.argument(pr.header, W, f, lambda)
	a := pr.newArgument(pr.m, w, f, pr.ch.eta)
	for j := range pr.rounds {
		r := r.Phase("argument", roundPhase[j])
		left, right := a.rows(r.Group, j)
		message := a.message(r.Group, j, r.Fixed(pr.Table(), left, right))
		p.setMessage(j, message)
		a.fold(r.Group, j, tr.round(message))
	}
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
func (s *scheme) witness(g group.Group, m *round.Memory, opening rangeproof.Witness,
	a0 group.Scalar) []group.Scalar {
	w := m.Scalars(s.padded)
	w[0] = a0
	for i := range s.N {
		w[1+i] = g.Uint64(opening.Value >> i & 1)
	}
	w[s.atG1()], w[s.atH()] = g.Uint64(opening.Value), opening.Blinding
	s.products(g, m, w)
	return w
}

// opening returns v, γ of w.
func (s *scheme) opening(w []group.Scalar) []group.Scalar { return w[s.atG1() : s.atH()+1] }

// products fills the part of w for b from the part for a.
func (s *scheme) products(g group.Group, m *round.Memory, w []group.Scalar) {
	n := s.N
	a, b, scratch := w[:n+1], w[n+1:2*n+2], m.Scalars(n+1)
	b[0] = w[0]
	s.basis.extend(g, b[1:], a, scratch)
	g.MulVec(scratch, b, b)
	one := g.Uint64(1)
	g.FoldVec(b, scratch, b, one, g.Neg(one))
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
	g.FoldVec(w[:s.width], w[:s.width], k.s, g.Uint64(1), ch.rho)
}

// term is the sum c·p.
func term(m *round.Memory, p group.Point, c group.Scalar) group.Terms {
	points, scalars := m.Points(1), m.Scalars(1)
	points[0], scalars[0] = p, c
	return group.Terms{Points: points, Scalars: scalars}
}
