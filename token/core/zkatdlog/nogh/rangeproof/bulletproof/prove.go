package bulletproof

import (
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// ProveTeam implements rangeproof.Protocol.
func (s *shared) ProveTeam(g group.Group, dst []rangeproof.Proof, jobs []rangeproof.Job) (failed int, err error) {
	t := s.assemble(len(jobs))
	defer s.dismiss(t)
	for i, se := range t.Members {
		se.job, se.v, se.p = jobs[i], jobs[i].V, dst[i].(*Proof)
	}
	return t.Run(g, s.proving)
}

// The names of phases for groups that count.
const (
	phaseCommit       = "commit"
	phasePolynomials  = "polynomials"
	phaseInnerProduct = "inner product"
	phaseReplay       = "replay"
)

// provingSteps are the steps of a prover.
func provingSteps(rounds int) []step {
	steps := []step{
		{Then: (*session).begin},
		{Phases: []string{phaseCommit}, Ask: (*session).askCommitments, Then: (*session).takeCommitments},
		{Phases: []string{phasePolynomials}, Ask: (*session).askPolynomials, Then: (*session).takePolynomials},
		{Then: (*session).evaluate},
		{Phases: []string{phaseInnerProduct}, Ask: (*session).askStatic, Then: (*session).takeStatic},
		{Phases: []string{phaseInnerProduct}, Ask: (*session).askFolded, Then: (*session).takeFolded},
		{Phases: []string{phaseInnerProduct}, Then: (*session).beginArgument},
	}
	for j := range rounds {
		steps = append(steps, roundStep(j))
	}
	return append(steps, step{Then: (*session).endArgument})
}

// The nonces by their order of drawing.
func (se *session) rho() group.Scalar  { return se.nonces[0] }
func (se *session) eta() group.Scalar  { return se.nonces[1] }
func (se *session) tau1() group.Scalar { return se.nonces[2*se.N+2] }
func (se *session) tau2() group.Scalar { return se.nonces[2*se.N+3] }
func (se *session) sL() []group.Scalar { return se.d[1 : 1+se.N] }
func (se *session) sR() []group.Scalar { return se.d[1+se.N:] }

// begin draws the nonces, in the order ρ, η, sL₀, sR₀, sL₁, …, τ₁, τ₂, and puts
// them where sums want them.
func (se *session) begin(g group.Group, _ *rangeproof.Lockstep) error {
	w := se.job.Witness
	if se.N < 64 && w.Value>>se.N != 0 {
		return rangeproof.ErrWitness
	}
	if err := se.job.Nonces.Scalars(se.nonces); err != nil {
		return err
	}
	se.d[0] = se.eta()
	for i := range se.N {
		se.sL()[i], se.sR()[i] = se.nonces[2+2*i], se.nonces[3+2*i]
	}
	se.opening[0], se.opening[1] = g.Uint64(w.Value), w.Blinding
	return nil
}

// askCommitments asks for the commitment that the witness opens, and for the
// parts over the table of
//
//	C = Σ aᵢ·Gᵢ + Σ (aᵢ-1)·Hᵢ + ρ·P
//	D = Σ sLᵢ·Gᵢ + Σ sRᵢ·Hᵢ + η·P
func (se *session) askCommitments(_ group.Group, sums *rangeproof.Lockstep) {
	sums.Ask(group.Row{First: atG1, Scalars: se.opening})
	sums.Ask(group.Row{First: atP, Scalars: se.nonces[:1]})
	sums.Ask(group.Row{Index: se.dIndex, Scalars: se.d})
}

// takeCommitments adds to C the part that the bits of the value choose, and
// receives y and z. It fails if the witness does not open V.
func (se *session) takeCommitments(g group.Group, sums *rangeproof.Lockstep) error {
	var opened group.Point
	opened, se.p.C, se.p.D = sums.Next(), sums.Next(), sums.Next()
	se.p.C = g.AddPoints(g.SumBits(se.tables.Bits, se.job.Witness.Value), se.p.C)
	if !g.Equal(opened, se.v) {
		return rangeproof.ErrWitness
	}
	se.y, se.z = challengeYZ(se.tr, se.p.C, se.p.D, se.v)
	return nil
}

// polynomials fills l with lp and r with rp + zp, where
//
//	lpᵢ = aᵢ - z,  rpᵢ = yⁱ(aᵢ - 1 + z),  spᵢ = yⁱ·sRᵢ,  zpᵢ = z²·2ⁱ
//	t₁ = ⟨lp, sp⟩ + ⟨rp + zp, sL⟩,  t₂ = ⟨sL, sp⟩
//
// so that l(x) = lp + x·sL and r(x) = rp + zp + x·sp. It returns t₁ and t₂.
func (se *session) polynomials(g group.Group, value uint64) (t1, t2 group.Scalar) {
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
	g.ScaleVec(se.scaled, se.Pow2, g.Mul(z, z))
	g.AddVec(se.r, se.r, se.scaled)
	g.MulVec(se.sp, se.yPow, se.sR())
	t1 = g.Add(g.Inner(se.l, se.sp), g.Inner(se.r, se.sL()))
	return t1, g.Inner(se.sL(), se.sp)
}

// askPolynomials asks for Tᵢ = tᵢ·g₁ + τᵢ·h, and with them H′ᵢ = y⁻ⁱ·Hᵢ.
func (se *session) askPolynomials(g group.Group, sums *rangeproof.Lockstep) {
	t1, t2 := se.polynomials(g, se.job.Witness.Value)
	first, second := se.tOpenings[:2], se.tOpenings[2:]
	first[0], first[1] = t1, se.tau1()
	second[0], second[1] = t2, se.tau2()
	sums.Ask(group.Row{First: atG1, Scalars: first})
	sums.Ask(group.Row{First: atG1, Scalars: second})
	se.askPrimed(sums)
}

// takePolynomials receives x.
func (se *session) takePolynomials(_ group.Group, sums *rangeproof.Lockstep) error {
	se.p.T1, se.p.T2 = sums.Next(), sums.Next()
	se.takePrimed(sums)
	se.x = challengePair(se.tr, se.p.T1, se.p.T2)
	return nil
}

// evaluate computes l(x), r(x) and
//
//	τ = x·τ₁ + x²·τ₂ + z²·γ,  δ = ρ + x·η,  t̂ = ⟨l, r⟩
func (se *session) evaluate(g group.Group, _ *rangeproof.Lockstep) error {
	x, z := se.x, se.z
	g.ScaleVec(se.scaled, se.sL(), x)
	g.AddVec(se.l, se.l, se.scaled)
	g.ScaleVec(se.scaled, se.sp, x)
	g.AddVec(se.r, se.r, se.scaled)
	se.p.Tau = g.Mul(x, g.Add(se.tau1(), g.Mul(x, se.tau2())))
	se.p.Tau = g.Add(se.p.Tau, g.Mul(g.Mul(z, z), se.job.Witness.Blinding))
	se.p.Delta = g.Add(se.rho(), g.Mul(x, se.eta()))
	se.p.That = g.Inner(se.l, se.r)
	return nil
}
