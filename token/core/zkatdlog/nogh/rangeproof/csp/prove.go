package csp

import (
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
)

// Prove returns a proof that V = w.Value·g₁ + w.Blinding·h with w.Value < 2ⁿ.
// Nonces are drawn in the order κv, κr, a₀, s₀, s₁, …, r.
//
// The reference's prover has no r, which is ours with r = 0. Verifiers cannot
// tell them apart, but everybody can test guesses of the value against a proof
// without r: u and the guess give a₀, and with it all of Pc
// (docs/protocol-v1-csp.md, "What r is for").
func (s *System) Prove(v group.Point, w rangeproof.Witness, src nonce.Source) (rangeproof.Proof, error) {
	if s.shared.n < maxBits && w.Value>>s.shared.n != 0 {
		return nil, rangeproof.ErrWitness
	}
	ws := s.shared.take()
	defer s.shared.put(ws)
	if err := src.Scalars(ws.nonces); err != nil {
		return nil, err
	}
	pr := prover{shared: s.shared, workspace: ws, tables: s.shared.tables(), p: s.newProof(), v: v}
	pr.witness(s.g, w)
	opened := pr.commit(group.Phase(s.g, "commit"), w.Value)
	if !s.g.Equal(opened, v) {
		return nil, rangeproof.ErrWitness
	}
	pr.respond(s.g)
	pr.evaluate(group.Phase(s.g, "polynomials"))
	pr.mask(group.Phase(s.g, "mask"))
	pr.join(group.Phase(s.g, "mask"))
	pr.argue(group.Phase(s.g, "argument"))
	return pr.p, nil
}

// prover is one proof in the making.
type prover struct {
	*shared
	*workspace
	tables tables
	p      *Proof
	v      group.Point
	ch     challenges
	lambda group.Scalar // λ, then λ′
}

// The nonces by their order of drawing.
func (pr *prover) kappa() []group.Scalar { return pr.nonces[:2] }
func (pr *prover) a0() group.Scalar      { return pr.nonces[2] }
func (pr *prover) s() []group.Scalar     { return pr.nonces[3 : 3+pr.width] }
func (pr *prover) r() group.Scalar       { return pr.nonces[3+pr.width] }

// witness fills w with (a₀ … aₙ, b₀ … bₙ, v, γ) and zero padding, where aᵢ is
// bit i-1 of v, b₀ = a₀(a₀-1) and bₖ = a(n+k)(a(n+k)-1).
func (pr *prover) witness(g group.Group, w rangeproof.Witness) {
	n := pr.n
	clear(pr.w)
	pr.w[0] = pr.a0()
	for i := range n {
		pr.w[1+i] = g.Uint64(w.Value >> i & 1)
	}
	pr.w[pr.atG1()], pr.w[pr.atH()] = g.Uint64(w.Value), w.Blinding
	pr.products(g)
}

// products fills the part of w that belongs to b from the part of a.
func (pr *prover) products(g group.Group) {
	n := pr.n
	a, b := pr.w[:n+1], pr.w[n+1:2*n+2]
	b[0] = pr.w[0]
	pr.basis.extend(g, b[1:], a, pr.scratch[:n+1])
	squares := pr.scratch[:n+1]
	g.MulVec(squares, b, b)
	g.FoldVec(b, squares, b, pr.ones[0], g.Neg(pr.ones[0]))
}

// commit computes
//
//	A  = κv·g₁ + κr·h
//	Pc = Σ aᵢ·Aᵢ + Σ bₖ·Bₖ + r·h
//
// and returns v·g₁ + γ·h.
func (pr *prover) commit(g group.Group, value uint64) (opened group.Point) {
	n := pr.n
	secret := pr.scratch[:n+3]
	secret[0], secret[n+2] = pr.a0(), pr.r()
	copy(secret[1:], pr.w[n+1:2*n+2])
	pr.rows[0] = group.Row{First: pr.atG1(), Scalars: pr.w[pr.atG1() : pr.atH()+1]}
	pr.rows[1] = group.Row{First: pr.atG1(), Scalars: pr.kappa()}
	pr.rows[2] = group.Row{Index: pr.shared.commit, Scalars: secret}
	g.FixedMSM(pr.sums[:3], pr.tables.points, pr.rows[:3])
	pr.p.A = pr.sums[1]
	pr.p.Pc = g.AddPoints(pr.sums[2], g.SumBits(pr.tables.bits, value))
	return pr.sums[0]
}

// respond ends the Schnorr proof: ζv = κv + e·v, ζr = κr + e·γ.
func (pr *prover) respond(g group.Group) {
	pr.ch.e = pr.tr.knowledge(pr.header, pr.v, pr.p.A)
	g.FoldVec(pr.p.Zeta[:], pr.kappa(), pr.w[pr.atG1():pr.atH()+1], pr.ones[0], pr.ch.e)
}

// evaluate sends u = a(c) and fills f.
func (pr *prover) evaluate(g group.Group) {
	pr.ch.eta, pr.ch.c = pr.tr.commitment(pr.p.Pc)
	pr.basis.evaluate(g, &pr.lagrange, pr.ch.c)
	pr.p.U = g.Inner(pr.w[:pr.n+1], pr.lagrange.mu)
	pr.ch.phi = pr.tr.evaluation(pr.p.U)
	pr.lambda = pr.form(g, pr.f, &pr.lagrange, pr.ch, pr.p.U)
}

// mask sends Sc = Σ sᵢ·Eᵢ and σ = ⟨f, s⟩.
func (pr *prover) mask(g group.Group) {
	m := pr.width
	scaled := pr.scratch[:m]
	copy(scaled, pr.s())
	g.ScaleVec(scaled[m-2:], scaled[m-2:], pr.ch.eta)
	pr.rows[0] = group.Row{Scalars: scaled}
	g.FixedMSM(pr.sums[:1], pr.tables.points, pr.rows[:1])
	pr.p.Sc = pr.sums[0]
	pr.p.Sigma = g.Inner(pr.f[:m], pr.s())
}

// join replaces
//
//	w ← w + ρ·s,  W = Pc + η·V + ρ·Sc,  λ′ = λ + ρ·σ
//
// where W is left in the sums, and η·V is made from its opening. As r·h is
// part of Pc, W opens to γ + r/η at η·h, where f is 0.
func (pr *prover) join(g group.Group) {
	m := pr.width
	blinds := pr.scratch[:2]
	g.ScaleVec(blinds, pr.w[m-2:m], pr.ch.eta)
	pr.rows[0] = group.Row{First: pr.atG1(), Scalars: blinds}
	g.FixedMSM(pr.sums[1:2], pr.tables.points, pr.rows[:1])
	pr.w[pr.atH()] = g.Add(pr.w[pr.atH()], g.Mul(pr.r(), g.Inv(pr.ch.eta)))

	pr.ch.rho = pr.tr.mask(pr.p.Sc, pr.p.Sigma)
	g.FoldVec(pr.w[:m], pr.w[:m], pr.s(), pr.ones[0], pr.ch.rho)
	pr.lambda = g.Add(pr.lambda, g.Mul(pr.ch.rho, pr.p.Sigma))
	pr.sums[0], pr.few[0] = pr.p.Sc, pr.ch.rho
	pr.sums[0] = g.MSM(pr.sums[:1], pr.few[:1]) // on no heap, unlike MulPoint
	pr.sums[2] = pr.p.Pc
	pr.sums[0] = g.Sum(pr.sums[:3])
}

// ProveAll does many jobs.
func (s *System) ProveAll(dst []rangeproof.Proof, jobs []rangeproof.Job) error {
	for i, j := range jobs {
		var err error
		if dst[i], err = s.Prove(j.V, j.Witness, j.Nonces); err != nil {
			return &rangeproof.JobError{Index: i, Err: err}
		}
	}
	return nil
}
