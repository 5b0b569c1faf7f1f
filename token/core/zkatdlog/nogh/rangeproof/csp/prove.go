package csp

import (
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// ProveTeam implements rangeproof.Protocol.
func (s *shared) ProveTeam(g group.Group, dst []rangeproof.Proof, jobs []rangeproof.Job) (failed int, err error) {
	t := s.assemble(len(jobs))
	defer s.dismiss(t)
	for i, pr := range t.Members {
		pr.job, pr.v, pr.p = jobs[i], jobs[i].V, dst[i].(*Proof)
	}
	return t.Run(g, s.proving)
}

// The names of phases for groups that count.
const (
	phaseCommit      = "commit"
	phasePolynomials = "polynomials"
	phaseMask        = "mask"
	phaseArgument    = "argument"
)

// provingSteps are the steps of a prover.
func provingSteps(rounds int) []step {
	steps := []step{
		{Then: (*prover).begin},
		{Phases: []string{phaseCommit}, Ask: (*prover).askCommitments, Then: (*prover).takeCommitments},
		{Then: (*prover).respond},
		{Phases: []string{phasePolynomials}, Then: (*prover).evaluate},
		{Phases: []string{phaseMask}, Ask: (*prover).askMask, Then: (*prover).takeMask},
		{Phases: []string{phaseMask}, Ask: (*prover).askMasked, Then: (*prover).takeMasked},
		{Phases: []string{phaseArgument}, Then: (*prover).beginArgument},
	}
	for j := range rounds {
		steps = append(steps, roundStep(j))
	}
	return steps
}

// prover is the state of one proof.
type prover struct {
	*shared
	*workspace
	tables  rangeproof.Tables
	job     rangeproof.Job
	p       *Proof
	v       group.Point
	ch      challenges
	lambda  group.Scalar // λ
	scaledV group.Point  // η·V
	masked  masked
}

// masked is the statement that the argument is about.
type masked struct {
	w      group.Point  // W
	lambda group.Scalar // λ′
}

// team is provers in lockstep, step one of their steps.
type (
	team = rangeproof.Team[prover]
	step = rangeproof.Step[prover]
)

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

// begin draws the nonces, in the order κv, κr, a₀, s₀, s₁, …, r, and fills w.
//
// A proof with r = 0 has the form of the reference's proofs, and verifiers
// cannot distinguish them. Without r, guesses of the value could be tested
// against a proof: u and the guess give a₀, and therefore Pc
// (docs/protocol-v1-csp.md, "What r is for").
func (pr *prover) begin(g group.Group, _ *rangeproof.Lockstep) error {
	if pr.N < maxBits && pr.job.Witness.Value>>pr.N != 0 {
		return rangeproof.ErrWitness
	}
	if err := pr.job.Nonces.Scalars(pr.nonces); err != nil {
		return err
	}
	pr.witness(g, pr.job.Witness)
	return nil
}

// askCommitments asks for v·g₁ + γ·h, which the witness opens, and for
//
//	A  = κv·g₁ + κr·h
//	Pc = Σ aᵢ·Aᵢ + Σ bₖ·Bₖ + r·h
//
// without the part of Pc that the bits choose.
func (pr *prover) askCommitments(_ group.Group, sums *rangeproof.Lockstep) {
	n := pr.N
	pr.unchosen[0], pr.unchosen[n+2] = pr.a0(), pr.r()
	copy(pr.unchosen[1:], pr.w[n+1:2*n+2])
	sums.Ask(group.Row{First: pr.atG1(), Scalars: pr.w[pr.atG1() : pr.atH()+1]})
	sums.Ask(group.Row{First: pr.atG1(), Scalars: pr.kappa()})
	sums.Ask(group.Row{Index: pr.shared.commit, Scalars: pr.unchosen})
}

// takeCommitments adds to Pc the part that the bits choose. It fails if the
// witness does not open V.
func (pr *prover) takeCommitments(g group.Group, sums *rangeproof.Lockstep) error {
	var opened group.Point
	opened, pr.p.A, pr.p.Pc = sums.Next(), sums.Next(), sums.Next()
	pr.p.Pc = g.AddPoints(pr.p.Pc, g.SumBits(pr.tables.Bits, pr.job.Witness.Value))
	if !g.Equal(opened, pr.v) {
		return rangeproof.ErrWitness
	}
	return nil
}

// respond ends the Schnorr proof: ζv = κv + e·v, ζr = κr + e·γ.
func (pr *prover) respond(g group.Group, _ *rangeproof.Lockstep) error {
	pr.ch.e = pr.tr.knowledge(pr.header, pr.v, pr.p.A)
	g.FoldVec(pr.p.Zeta[:], pr.kappa(), pr.w[pr.atG1():pr.atH()+1], pr.Ones[0], pr.ch.e)
	return nil
}

// evaluate sends u = a(c) and fills f.
func (pr *prover) evaluate(g group.Group, _ *rangeproof.Lockstep) error {
	pr.ch.eta, pr.ch.c = pr.tr.commitment(pr.p.Pc)
	pr.basis.evaluate(g, &pr.lagrange, pr.ch.c)
	pr.p.U = g.Inner(pr.w[:pr.N+1], pr.lagrange.mu)
	pr.ch.phi = pr.tr.evaluation(pr.p.U)
	pr.lambda = pr.form(g, pr.f, &pr.lagrange, pr.ch, pr.p.U)
	return nil
}

// askMask asks for Sc = Σ sᵢ·Eᵢ and for η·V, made from its opening.
func (pr *prover) askMask(_ group.Group, sums *rangeproof.Lockstep) {
	g, m := pr.Group, pr.width
	copy(pr.maskBy, pr.s())
	g.ScaleVec(pr.maskBy[m-2:], pr.maskBy[m-2:], pr.ch.eta)
	g.ScaleVec(pr.scaledOpening, pr.w[m-2:m], pr.ch.eta)
	sums.Ask(group.Row{Scalars: pr.maskBy})
	sums.Ask(group.Row{First: pr.atG1(), Scalars: pr.scaledOpening})
}

// takeMask sends Sc and σ = ⟨f, s⟩.
func (pr *prover) takeMask(g group.Group, sums *rangeproof.Lockstep) error {
	pr.p.Sc, pr.scaledV = sums.Next(), sums.Next()
	pr.p.Sigma = g.Inner(pr.f[:pr.width], pr.s())
	pr.applyMask(g)
	return nil
}

// applyMask receives ρ and masks the witness:
//
//	w ← w + ρ·s,  λ′ = λ + ρ·σ
//
// As r·h is part of Pc, W opens to γ + r/η at η·h, where f is 0.
func (pr *prover) applyMask(g group.Group) {
	m := pr.width
	pr.w[pr.atH()] = g.Add(pr.w[pr.atH()], g.Mul(pr.r(), g.Inv(pr.ch.eta)))
	pr.ch.rho = pr.tr.mask(pr.p.Sc, pr.p.Sigma)
	g.FoldVec(pr.w[:m], pr.w[:m], pr.s(), pr.Ones[0], pr.ch.rho)
	pr.masked.lambda = g.Add(pr.lambda, g.Mul(pr.ch.rho, pr.p.Sigma))
}

// askMasked asks for ρ·Sc.
func (pr *prover) askMasked(_ group.Group, sums *rangeproof.Lockstep) {
	pr.variable[0], pr.variableBy[0] = pr.p.Sc, pr.ch.rho
	sums.AskTerms(group.Terms{Points: pr.variable[:1], Scalars: pr.variableBy[:1]})
}

// takeMasked computes W = Pc + η·V + ρ·Sc.
func (pr *prover) takeMasked(g group.Group, sums *rangeproof.Lockstep) error {
	pr.summands[0], pr.summands[1], pr.summands[2] = sums.NextTerms(), pr.scaledV, pr.p.Pc
	pr.masked.w = g.Sum(pr.summands)
	return nil
}
