package bulletproof

import (
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
)

// Prove returns a proof that V = w.Value·g₁ + w.Blinding·h with w.Value < 2ⁿ.
// Nonces are drawn in the order ρ, η, sL₀, sR₀, sL₁, …, τ₁, τ₂.
func (s *System) Prove(v group.Point, w rangeproof.Witness, src nonce.Source) (rangeproof.Proof, error) {
	ws := s.shared.take()
	defer s.shared.put(ws)
	pr := prover{shared: s.shared, workspace: ws, tables: s.shared.tables(), p: s.newProof()}
	if pr.n < 64 && w.Value>>pr.n != 0 {
		return nil, rangeproof.ErrWitness
	}
	if err := src.Scalars(ws.nonces); err != nil {
		return nil, err
	}
	if opened := pr.commit(group.Phase(s.g, "commit"), w); !s.g.Equal(opened, v) {
		return nil, rangeproof.ErrWitness
	}
	y, z := challengeYZ(ws.tr, pr.p.C, pr.p.D, v)
	pr.polynomials(group.Phase(s.g, "polynomials"), w.Value, y, z)
	pr.commitPolynomials(group.Phase(s.g, "polynomials"))
	x := challengePair(ws.tr, pr.p.T1, pr.p.T2)
	pr.evaluate(s.g, w.Blinding, x, z)
	pr.argue(group.Phase(s.g, "inner product"), x, z)
	return pr.p, nil
}

// prover is one proof in the making.
type prover struct {
	*shared
	*workspace
	tables tables
	p      *Proof
	t1, t2 group.Scalar
}

// The nonces by their order of drawing.
func (pr *prover) rho() group.Scalar  { return pr.nonces[0] }
func (pr *prover) eta() group.Scalar  { return pr.nonces[1] }
func (pr *prover) tau1() group.Scalar { return pr.nonces[2*pr.n+2] }
func (pr *prover) tau2() group.Scalar { return pr.nonces[2*pr.n+3] }
func (pr *prover) sL() []group.Scalar { return pr.d[1 : 1+pr.n] }
func (pr *prover) sR() []group.Scalar { return pr.d[1+pr.n:] }

// commit computes
//
//	C = Σ aᵢ·Gᵢ + Σ (aᵢ-1)·Hᵢ + ρ·P
//	D = Σ sLᵢ·Gᵢ + Σ sRᵢ·Hᵢ + η·P
//
// and returns what w opens. Sums that are known together are asked for
// together, since the group shares work between them.
func (pr *prover) commit(g group.Group, w rangeproof.Witness) group.Point {
	pr.d[0] = pr.eta()
	for i := range pr.n {
		pr.sL()[i], pr.sR()[i] = pr.nonces[2+2*i], pr.nonces[3+2*i]
	}
	pr.rows[0] = group.Row{First: atP, Scalars: pr.nonces[:1]}
	pr.rows[1] = group.Row{Index: pr.dIndex, Scalars: pr.d}
	pr.few[0], pr.few[1] = g.Uint64(w.Value), w.Blinding
	pr.rows[2] = group.Row{First: atG1, Scalars: pr.few[:2]}
	g.FixedMSM(pr.sums[:3], pr.tables.points, pr.rows[:3])
	pr.p.C = g.AddPoints(g.SumBits(pr.tables.bits, w.Value), pr.sums[0])
	pr.p.D = pr.sums[1]
	return pr.sums[2]
}

// polynomials fills l with lp and r with rp + zp, where
//
//	lpᵢ = aᵢ - z,  rpᵢ = yⁱ(aᵢ - 1 + z),  spᵢ = yⁱ·sRᵢ,  zpᵢ = z²·2ⁱ
//	t₁ = ⟨lp, sp⟩ + ⟨rp + zp, sL⟩,  t₂ = ⟨sL, sp⟩
//
// so that l(x) = lp + x·sL and r(x) = rp + zp + x·sp.
func (pr *prover) polynomials(g group.Group, value uint64, y, z group.Scalar) {
	g.Powers(pr.y, y)
	g.Powers(pr.yInv, g.Inv(y))
	one := g.Uint64(1)
	ifSet := [2]group.Scalar{g.Sub(one, z), z}
	ifClear := [2]group.Scalar{g.Neg(z), g.Sub(z, one)}
	for i := range pr.n {
		// Both are read whatever the bit is; the choice is still a branch.
		lr := ifClear
		if value>>i&1 == 1 {
			lr = ifSet
		}
		pr.l[i], pr.r[i] = lr[0], lr[1]
	}
	g.MulVec(pr.r, pr.r, pr.y)
	g.ScaleVec(pr.flip, pr.pow2, g.Mul(z, z))
	g.AddVec(pr.r, pr.r, pr.flip)
	g.MulVec(pr.sp, pr.y, pr.sR())
	pr.t1 = g.Add(g.Inner(pr.l, pr.sp), g.Inner(pr.r, pr.sL()))
	pr.t2 = g.Inner(pr.sL(), pr.sp)
}

// commitPolynomials computes Tᵢ = tᵢ·g₁ + τᵢ·h, and with them H′ᵢ = y⁻ⁱ·Hᵢ.
func (pr *prover) commitPolynomials(g group.Group) {
	pr.few[0], pr.few[1], pr.few[2], pr.few[3] = pr.t1, pr.tau1(), pr.t2, pr.tau2()
	pr.afterYRows[0] = group.Row{First: atG1, Scalars: pr.few[0:2]}
	pr.afterYRows[1] = group.Row{First: atG1, Scalars: pr.few[2:4]}
	g.FixedMSM(pr.afterY, pr.tables.points, pr.afterYRows)
	pr.p.T1, pr.p.T2 = pr.afterY[0], pr.afterY[1]
}

// evaluate computes l(x), r(x) and
//
//	τ = x·τ₁ + x²·τ₂ + z²·γ,  δ = ρ + x·η,  t̂ = ⟨l, r⟩
func (pr *prover) evaluate(g group.Group, blinding, x, z group.Scalar) {
	g.ScaleVec(pr.flip, pr.sL(), x)
	g.AddVec(pr.l, pr.l, pr.flip)
	g.ScaleVec(pr.flip, pr.sp, x)
	g.AddVec(pr.r, pr.r, pr.flip)
	pr.p.Tau = g.Mul(x, g.Add(pr.tau1(), g.Mul(x, pr.tau2())))
	pr.p.Tau = g.Add(pr.p.Tau, g.Mul(g.Mul(z, z), blinding))
	pr.p.Delta = g.Add(pr.rho(), g.Mul(x, pr.eta()))
	pr.p.That = g.Inner(pr.l, pr.r)
}
