package bulletproof

import (
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// foldedCommitment returns, from the H′ᵢ = y⁻ⁱ·Hᵢ in ws.primed,
//
//	K = C + x·D - z·Σ Gᵢ + Σ (z·yⁱ + z²·2ⁱ)·H′ᵢ - δ·P
//	  = C + x·D + z²·Σ 2ⁱ·H′ᵢ - δ·P - z·Σ Gᵢ + z·Σ Hᵢ
//
// which the honest prover could also compute as ⟨l, G⟩ + ⟨r, H′⟩, with 2n
// multiplications where this needs two and n doublings.
func (ws *workspace) foldedCommitment(g group.Group, t tables, p *Proof, x, z group.Scalar) group.Point {
	ws.few[0], ws.few[1], ws.few[2] = g.Neg(p.Delta), g.Neg(z), z
	ws.rows[0] = group.Row{First: atP, Scalars: ws.few[:3]}
	g.FixedMSM(ws.sums[:1], t.points, ws.rows[:1])
	ws.sums[2], ws.sums[3] = p.D, g.SumPow2(ws.primed)
	ws.few[3], ws.few[4] = x, g.Mul(z, z)
	ws.sums[1] = g.MSM(ws.sums[2:4], ws.few[3:5])
	ws.sums[2] = p.C
	return g.Sum(ws.sums[:3])
}

// argue is the inner-product argument for K = ⟨l, G⟩ + ⟨r, H′⟩ and t̂ = ⟨l, r⟩
// (specification, section 7.3). Generators are not folded: cG and cH keep, for
// each original generator, the product of the challenges that folding would
// have multiplied it by, so that every L and R is a sum over the table.
func (pr *prover) argue(g group.Group, x, z group.Scalar) {
	ws, p := pr.workspace, pr.p
	k := ws.foldedCommitment(g, pr.tables, p, x, z)
	x0 := challengeX0(ws, g, pr.tables.static, k, p.That)
	copy(ws.cG, pr.ones)
	copy(ws.cH, ws.yInv)
	for j := range p.L {
		pr.round(group.Phase(g, roundPhase[j]), j, x0)
	}
	p.A, p.B = ws.l[0], ws.r[0]
}

// roundPhase names the rounds for groups that count.
var roundPhase = [maxRounds]string{"round 0", "round 1", "round 2", "round 3", "round 4", "round 5"}

// round commits to the cross terms of the current vectors a, b of length 2w,
//
//	L = Σ aᵢ·G₍w₊ᵢ₎ + Σ b₍w₊ᵢ₎·Hᵢ + (Σ aᵢ·b₍w₊ᵢ₎)·U
//	R = Σ a₍w₊ᵢ₎·Gᵢ + Σ bᵢ·H₍w₊ᵢ₎ + (Σ a₍w₊ᵢ₎·bᵢ)·U     with U = x₀·Q,
//
// and folds them with x = H(L, R):
//
//	a ← x·a₀ + x⁻¹·a₁,  b ← x⁻¹·b₀ + x·b₁,  G ← x⁻¹·G₀ + x·G₁,  H ← x·H₀ + x⁻¹·H₁
func (pr *prover) round(g group.Group, j int, x0 group.Scalar) {
	ws := pr.workspace
	w := pr.n >> (j + 1)
	a0, a1, b0, b1 := ws.l[:w], ws.l[w:2*w], ws.r[:w], ws.r[w:2*w]

	exchange(ws.flip, ws.l[:2*w])
	g.MulVec(ws.gs, ws.cG, ws.flip)
	exchange(ws.flip, ws.r[:2*w])
	g.MulVec(ws.hs, ws.cH, ws.flip)
	for i := range pr.n {
		if i&w != 0 {
			ws.left[i], ws.right[i] = ws.gs[i], ws.hs[i]
		} else {
			ws.left[i], ws.right[i] = ws.hs[i], ws.gs[i]
		}
	}
	ws.left[pr.n] = g.Mul(x0, g.Inner(a0, b1))
	ws.right[pr.n] = g.Mul(x0, g.Inner(a1, b0))
	ws.rows[0] = group.Row{Index: pr.split[j][0], Scalars: ws.left}
	ws.rows[1] = group.Row{Index: pr.split[j][1], Scalars: ws.right}
	g.FixedMSM(ws.sums[:2], pr.tables.points, ws.rows[:2])
	pr.p.L[j], pr.p.R[j] = ws.sums[0], ws.sums[1]

	x := challengePair(ws.tr, ws.sums[0], ws.sums[1])
	xInv := g.Inv(x)
	g.FoldVec(a0, a0, a1, x, xInv)
	g.FoldVec(b0, b0, b1, xInv, x)
	alternate(ws.flip, w, xInv, x)
	g.MulVec(ws.cG, ws.cG, ws.flip)
	alternate(ws.flip, w, x, xInv)
	g.MulVec(ws.cH, ws.cH, ws.flip)
}

// exchange fills dst with copies of v whose halves are exchanged.
func exchange(dst, v []group.Scalar) {
	w := len(v) / 2
	for i := 0; i < len(dst); i += len(v) {
		copy(dst[i:], v[w:])
		copy(dst[i+w:], v[:w])
	}
}

// alternate fills dst with runs of w times low and w times high.
func alternate(dst []group.Scalar, w int, low, high group.Scalar) {
	for i := range dst {
		dst[i] = low
		if i&w != 0 {
			dst[i] = high
		}
	}
}
