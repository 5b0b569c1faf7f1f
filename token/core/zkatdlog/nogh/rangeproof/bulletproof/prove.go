package bulletproof

import (
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// ProveTeam implements rangeproof.Protocol. Nonces are drawn in the order ρ, η,
// sL₀, sR₀, sL₁, …, τ₁, τ₂.
func (s *shared) ProveTeam(g group.Group, dst []rangeproof.Proof, jobs []rangeproof.Job) (failed int, err error) {
	t := s.assemble(len(jobs))
	defer s.dismiss(t)
	for i, se := range t.Members {
		se.p = s.newProof(g)
		dst[i] = se.p
		if err := se.begin(jobs[i]); err != nil {
			return i, err
		}
	}
	commit := group.Phase(g, "commit")
	t.Compute(commit, (*session).askCommitments, (*session).takeCommitments)
	polynomials := group.Phase(g, "polynomials")
	for i, se := range t.Members {
		if !se.opens(commit, jobs[i]) {
			return i, rangeproof.ErrWitness
		}
		se.y, se.z = challengeYZ(se.tr, se.p.C, se.p.D, jobs[i].V)
		se.polynomials(polynomials, jobs[i].Witness.Value)
	}
	t.Compute(polynomials, (*session).askPolynomials, (*session).takePolynomials)
	for i, se := range t.Members {
		se.x = challengePair(se.tr, se.p.T1, se.p.T2)
		se.evaluate(g, jobs[i].Witness.Blinding)
	}
	argue(t, group.Phase(g, "inner product"))
	return 0, nil
}

// The nonces by their order of drawing.
func (se *session) rho() group.Scalar  { return se.nonces[0] }
func (se *session) eta() group.Scalar  { return se.nonces[1] }
func (se *session) tau1() group.Scalar { return se.nonces[2*se.N+2] }
func (se *session) tau2() group.Scalar { return se.nonces[2*se.N+3] }
func (se *session) sL() []group.Scalar { return se.d[1 : 1+se.N] }
func (se *session) sR() []group.Scalar { return se.d[1+se.N:] }

// begin draws the nonces and puts them where sums want them.
func (se *session) begin(job rangeproof.Job) error {
	if se.N < 64 && job.Witness.Value>>se.N != 0 {
		return rangeproof.ErrWitness
	}
	if err := job.Nonces.Scalars(se.nonces); err != nil {
		return err
	}
	se.d[0] = se.eta()
	for i := range se.N {
		se.sL()[i], se.sR()[i] = se.nonces[2+2*i], se.nonces[3+2*i]
	}
	se.few[0], se.few[1] = se.Group.Uint64(job.Witness.Value), job.Witness.Blinding
	return nil
}

// askCommitments asks for what the witness opens, and for what is over the
// table of
//
//	C = Σ aᵢ·Gᵢ + Σ (aᵢ-1)·Hᵢ + ρ·P
//	D = Σ sLᵢ·Gᵢ + Σ sRᵢ·Hᵢ + η·P
func (se *session) askCommitments(sums *rangeproof.Lockstep) {
	sums.Ask(group.Row{First: atG1, Scalars: se.few[:2]})
	sums.Ask(group.Row{First: atP, Scalars: se.nonces[:1]})
	sums.Ask(group.Row{Index: se.dIndex, Scalars: se.d})
}

func (se *session) takeCommitments(sums *rangeproof.Lockstep) {
	se.k, se.p.C, se.p.D = sums.Next(), sums.Next(), sums.Next()
}

// opens ends C by its part that the bits of the value choose, and reports
// whether the witness opens V.
func (se *session) opens(g group.Group, job rangeproof.Job) bool {
	se.p.C = g.AddPoints(g.SumBits(se.tables.Bits, job.Witness.Value), se.p.C)
	return g.Equal(se.k, job.V)
}

// polynomials fills l with lp and r with rp + zp, where
//
//	lpᵢ = aᵢ - z,  rpᵢ = yⁱ(aᵢ - 1 + z),  spᵢ = yⁱ·sRᵢ,  zpᵢ = z²·2ⁱ
//	t₁ = ⟨lp, sp⟩ + ⟨rp + zp, sL⟩,  t₂ = ⟨sL, sp⟩
//
// so that l(x) = lp + x·sL and r(x) = rp + zp + x·sp.
func (se *session) polynomials(g group.Group, value uint64) {
	y, z := se.y, se.z
	g.Powers(se.yPow, y)
	g.Powers(se.yInv, g.Inv(y))
	one := g.Uint64(1)
	ifSet := [2]group.Scalar{g.Sub(one, z), z}
	ifClear := [2]group.Scalar{g.Neg(z), g.Sub(z, one)}
	for i := range se.N {
		// Both are read whatever the bit is; the choice is still a branch.
		lr := ifClear
		if value>>i&1 == 1 {
			lr = ifSet
		}
		se.l[i], se.r[i] = lr[0], lr[1]
	}
	g.MulVec(se.r, se.r, se.yPow)
	g.ScaleVec(se.flip, se.Pow2, g.Mul(z, z))
	g.AddVec(se.r, se.r, se.flip)
	g.MulVec(se.sp, se.yPow, se.sR())
	se.t1 = g.Add(g.Inner(se.l, se.sp), g.Inner(se.r, se.sL()))
	se.t2 = g.Inner(se.sL(), se.sp)
}

// askPolynomials asks for Tᵢ = tᵢ·g₁ + τᵢ·h, and with them H′ᵢ = y⁻ⁱ·Hᵢ.
func (se *session) askPolynomials(sums *rangeproof.Lockstep) {
	se.few[0], se.few[1], se.few[2], se.few[3] = se.t1, se.tau1(), se.t2, se.tau2()
	sums.Ask(group.Row{First: atG1, Scalars: se.few[0:2]})
	sums.Ask(group.Row{First: atG1, Scalars: se.few[2:4]})
	se.askPrimed(sums)
}

func (se *session) takePolynomials(sums *rangeproof.Lockstep) {
	se.p.T1, se.p.T2 = sums.Next(), sums.Next()
	se.takePrimed(sums)
}

// evaluate computes l(x), r(x) and
//
//	τ = x·τ₁ + x²·τ₂ + z²·γ,  δ = ρ + x·η,  t̂ = ⟨l, r⟩
func (se *session) evaluate(g group.Group, blinding group.Scalar) {
	x, z := se.x, se.z
	g.ScaleVec(se.flip, se.sL(), x)
	g.AddVec(se.l, se.l, se.flip)
	g.ScaleVec(se.flip, se.sp, x)
	g.AddVec(se.r, se.r, se.flip)
	se.p.Tau = g.Mul(x, g.Add(se.tau1(), g.Mul(x, se.tau2())))
	se.p.Tau = g.Add(se.p.Tau, g.Mul(g.Mul(z, z), blinding))
	se.p.Delta = g.Add(se.rho(), g.Mul(x, se.eta()))
	se.p.That = g.Inner(se.l, se.r)
}
