package csp

import (
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// ProveTeam implements rangeproof.Protocol. Nonces are drawn in the order κv,
// κr, a₀, s₀, s₁, …, r.
//
// A proof with r = 0 has the form of the reference's proofs, and verifiers
// cannot distinguish them. Without r, guesses of the value could be tested
// against a proof: u and the guess give a₀, and therefore Pc
// (docs/protocol-v1-csp.md, "What r is for").
func (s *shared) ProveTeam(g group.Group, dst []rangeproof.Proof, jobs []rangeproof.Job) (failed int, err error) {
	t := s.assemble(len(jobs))
	defer s.dismiss(t)
	for i, pr := range t.Members {
		pr.p, pr.v = s.newProof(g), jobs[i].V
		dst[i] = pr.p
		if err := pr.begin(g, jobs[i]); err != nil {
			return i, err
		}
	}
	commit := group.Phase(g, "commit")
	t.Compute(commit, (*prover).askCommitments, (*prover).takeCommitments)
	for i, pr := range t.Members {
		pr.p.Pc = commit.AddPoints(pr.p.Pc, commit.SumBits(pr.tables.Bits, jobs[i].Witness.Value))
		if !g.Equal(pr.joined, pr.v) {
			return i, rangeproof.ErrWitness
		}
		pr.respond(g)
		pr.evaluate(group.Phase(g, "polynomials"))
	}
	mask(t, group.Phase(g, "mask"))
	argue(t, group.Phase(g, "argument"))
	return 0, nil
}

// prover is the state of one proof.
type prover struct {
	*shared
	*workspace
	tables rangeproof.Tables
	p      *Proof
	v      group.Point
	ch     challenges
	lambda group.Scalar // λ, then λ′
	joined group.Point  // the opening of the witness, then η·V, then W
}

// team is provers in lockstep.
type team = rangeproof.Team[prover]

// assemble returns a team of n provers; release it with dismiss.
func (s *shared) assemble(n int) *team {
	tables := s.Tables()
	return s.Assemble(n, func(ws *workspace) prover { return prover{shared: s, workspace: ws, tables: tables} })
}

func (s *shared) dismiss(t *team) {
	s.Dismiss(t, func(pr *prover) *workspace { return pr.workspace })
}

// The nonces in the order in which they are drawn.
func (pr *prover) kappa() []group.Scalar { return pr.nonces[:2] }
func (pr *prover) a0() group.Scalar      { return pr.nonces[2] }
func (pr *prover) s() []group.Scalar     { return pr.nonces[3 : 3+pr.width] }
func (pr *prover) r() group.Scalar       { return pr.nonces[3+pr.width] }

// witness fills w with (a₀ … aₙ, b₀ … bₙ, v, γ) and zero padding, where aᵢ is
// bit i-1 of v, b₀ = a₀(a₀-1) and bₖ = a(n+k)(a(n+k)-1).
func (pr *prover) witness(g group.Group, w rangeproof.Witness) {
	n := pr.N
	clear(pr.w)
	pr.w[0] = pr.a0()
	for i := range n {
		pr.w[1+i] = g.Uint64(w.Value >> i & 1)
	}
	pr.w[pr.atG1()], pr.w[pr.atH()] = g.Uint64(w.Value), w.Blinding
	pr.products(g)
}

// products fills the part of w for b from the part for a.
func (pr *prover) products(g group.Group) {
	n := pr.N
	a, b := pr.w[:n+1], pr.w[n+1:2*n+2]
	b[0] = pr.w[0]
	pr.basis.extend(g, b[1:], a, pr.scratch[:n+1])
	squares := pr.scratch[:n+1]
	g.MulVec(squares, b, b)
	g.FoldVec(b, squares, b, pr.Ones[0], g.Neg(pr.Ones[0]))
}

// begin draws the nonces and fills w.
func (pr *prover) begin(g group.Group, job rangeproof.Job) error {
	if pr.N < maxBits && job.Witness.Value>>pr.N != 0 {
		return rangeproof.ErrWitness
	}
	if err := job.Nonces.Scalars(pr.nonces); err != nil {
		return err
	}
	pr.witness(g, job.Witness)
	return nil
}

// askCommitments requests v·g₁ + γ·h,
//
//	A  = κv·g₁ + κr·h
//	Pc = Σ aᵢ·Aᵢ + Σ bₖ·Bₖ + r·h
//
// and the part of Pc that does not depend on the bits.
func (pr *prover) askCommitments(sums *rangeproof.Lockstep) {
	n := pr.N
	secret := pr.scratch[:n+3]
	secret[0], secret[n+2] = pr.a0(), pr.r()
	copy(secret[1:], pr.w[n+1:2*n+2])
	sums.Ask(group.Row{First: pr.atG1(), Scalars: pr.w[pr.atG1() : pr.atH()+1]})
	sums.Ask(group.Row{First: pr.atG1(), Scalars: pr.kappa()})
	sums.Ask(group.Row{Index: pr.shared.commit, Scalars: secret})
}

func (pr *prover) takeCommitments(sums *rangeproof.Lockstep) {
	pr.joined, pr.p.A, pr.p.Pc = sums.Next(), sums.Next(), sums.Next()
}

// respond completes the Schnorr proof: ζv = κv + e·v, ζr = κr + e·γ.
func (pr *prover) respond(g group.Group) {
	pr.ch.e = pr.tr.knowledge(pr.header, pr.v, pr.p.A)
	g.FoldVec(pr.p.Zeta[:], pr.kappa(), pr.w[pr.atG1():pr.atH()+1], pr.Ones[0], pr.ch.e)
}

// evaluate sends u = a(c) and fills f.
func (pr *prover) evaluate(g group.Group) {
	pr.ch.eta, pr.ch.c = pr.tr.commitment(pr.p.Pc)
	pr.basis.evaluate(g, &pr.lagrange, pr.ch.c)
	pr.p.U = g.Inner(pr.w[:pr.N+1], pr.lagrange.mu)
	pr.ch.phi = pr.tr.evaluation(pr.p.U)
	pr.lambda = pr.form(g, pr.f, &pr.lagrange, pr.ch, pr.p.U)
}

// mask sends Sc = Σ sᵢ·Eᵢ and σ = ⟨f, s⟩, and replaces
//
//	w ← w + ρ·s,  W = Pc + η·V + ρ·Sc,  λ′ = λ + ρ·σ
//
// where η·V is computed from its opening.
func mask(t *team, g group.Group) {
	t.Compute(g, (*prover).askMask, (*prover).takeMask)
	for _, pr := range t.Members {
		pr.p.Sigma = g.Inner(pr.f[:pr.width], pr.s())
		pr.join(g)
		pr.few[0] = pr.ch.rho
		pr.parts[0] = pr.p.Sc
		t.Want(group.Terms{Points: pr.parts[:1], Scalars: pr.few[:1]})
	}
	for i, sum := range t.Variable(g) {
		pr := t.Members[i]
		pr.parts[0], pr.parts[1], pr.parts[2] = sum, pr.joined, pr.p.Pc
		pr.joined = g.Sum(pr.parts)
	}
}

// askMask requests Sc and η·V.
func (pr *prover) askMask(sums *rangeproof.Lockstep) {
	g, m := pr.Group, pr.width
	scaled, blinds := pr.scratch[:m], pr.few[:2]
	copy(scaled, pr.s())
	g.ScaleVec(scaled[m-2:], scaled[m-2:], pr.ch.eta)
	g.ScaleVec(blinds, pr.w[m-2:m], pr.ch.eta)
	sums.Ask(group.Row{Scalars: scaled})
	sums.Ask(group.Row{First: pr.atG1(), Scalars: blinds})
}

func (pr *prover) takeMask(sums *rangeproof.Lockstep) {
	pr.p.Sc, pr.joined = sums.Next(), sums.Next()
}

// join updates the scalars after Sc and σ are known. Since r·h is part of Pc, W
// opens to γ + r/η at η·h, where f is 0.
func (pr *prover) join(g group.Group) {
	m := pr.width
	pr.w[pr.atH()] = g.Add(pr.w[pr.atH()], g.Mul(pr.r(), g.Inv(pr.ch.eta)))
	pr.ch.rho = pr.tr.mask(pr.p.Sc, pr.p.Sigma)
	g.FoldVec(pr.w[:m], pr.w[:m], pr.s(), pr.Ones[0], pr.ch.rho)
	pr.lambda = g.Add(pr.lambda, g.Mul(pr.ch.rho, pr.p.Sigma))
}
