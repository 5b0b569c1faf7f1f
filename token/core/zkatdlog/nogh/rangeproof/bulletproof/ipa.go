package bulletproof

import (
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// beginArgument starts the inner-product argument for K = ⟨l, G⟩ + ⟨r, H′⟩ and
// t̂ = ⟨l, r⟩ (specification, section 7.3). Generators are not folded: cG and cH
// keep, for each original generator, the product of the challenges that folding
// would have multiplied it by, so that every L and R is a sum over the table.
func (se *session) beginArgument(g group.Group, _ *rangeproof.Lockstep) error {
	se.x0 = challengeX0(se.workspace, g, se.static, se.k, se.p.That)
	copy(se.cG, se.Ones)
	copy(se.cH, se.yInv)
	return nil
}

// endArgument sends the last a and b.
func (se *session) endArgument(group.Group, *rangeproof.Lockstep) error {
	se.p.A, se.p.B = se.l[0], se.r[0]
	return nil
}

// roundPhase names the rounds for groups that count.
var roundPhase = [maxRounds]string{"round 0", "round 1", "round 2", "round 3", "round 4", "round 5"}

// roundStep commits to the cross terms of the current vectors a, b of length 2w,
//
//	L = Σ aᵢ·G₍w₊ᵢ₎ + Σ b₍w₊ᵢ₎·Hᵢ + (Σ aᵢ·b₍w₊ᵢ₎)·U
//	R = Σ a₍w₊ᵢ₎·Gᵢ + Σ bᵢ·H₍w₊ᵢ₎ + (Σ a₍w₊ᵢ₎·bᵢ)·U     with U = x₀·Q,
//
// and folds them with x = H(L, R):
//
//	a ← x·a₀ + x⁻¹·a₁,  b ← x⁻¹·b₀ + x·b₁,  G ← x⁻¹·G₀ + x·G₁,  H ← x·H₀ + x⁻¹·H₁
func roundStep(j int) step {
	return step{
		Phases: []string{phaseInnerProduct, roundPhase[j]},
		Ask: func(se *session, g group.Group, sums *rangeproof.Lockstep) {
			se.cross(g, j)
			sums.Ask(group.Row{Index: se.split[j][0], Scalars: se.left})
			sums.Ask(group.Row{Index: se.split[j][1], Scalars: se.right})
		},
		Then: func(se *session, g group.Group, sums *rangeproof.Lockstep) error {
			se.p.L[j], se.p.R[j] = sums.Next(), sums.Next()
			se.fold(g, j, challengePair(se.tr, se.p.L[j], se.p.R[j]))
			return nil
		},
	}
}

// cross fills left and right with the scalars of L and R.
func (se *session) cross(g group.Group, j int) {
	w := se.N >> (j + 1)
	exchange(se.crossed, se.l[:2*w])
	g.MulVec(se.gs, se.cG, se.crossed)
	exchange(se.crossed, se.r[:2*w])
	g.MulVec(se.hs, se.cH, se.crossed)
	for i := range se.N {
		if i&w != 0 {
			se.left[i], se.right[i] = se.gs[i], se.hs[i]
		} else {
			se.left[i], se.right[i] = se.hs[i], se.gs[i]
		}
	}
	se.left[se.N] = g.Mul(se.x0, g.Inner(se.l[:w], se.r[w:2*w]))
	se.right[se.N] = g.Mul(se.x0, g.Inner(se.l[w:2*w], se.r[:w]))
}

// fold halves the vectors by the challenge x of round j.
func (se *session) fold(g group.Group, j int, x group.Scalar) {
	w, xInv := se.N>>(j+1), g.Inv(x)
	g.FoldVec(se.l[:w], se.l[:w], se.l[w:2*w], x, xInv)
	g.FoldVec(se.r[:w], se.r[:w], se.r[w:2*w], xInv, x)
	alternate(se.byPlace, w, xInv, x)
	g.MulVec(se.cG, se.cG, se.byPlace)
	alternate(se.byPlace, w, x, xInv)
	g.MulVec(se.cH, se.cH, se.byPlace)
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
