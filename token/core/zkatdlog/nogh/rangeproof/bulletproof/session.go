package bulletproof

import (
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// session is one proof being made or checked, with its memory.
type session struct {
	*shared
	*workspace
	tables      rangeproof.Tables
	job         rangeproof.Job // of a prover
	v           group.Point
	p           *Proof
	x, y, z, x0 group.Scalar
	yInverse    group.Scalar // of a verifier
	k           group.Point  // K
}

// team is sessions in lockstep, step one of their steps.
type (
	team = rangeproof.Team[session]
	step = rangeproof.Step[session]
)

// assemble returns a team of n sessions; give it back with dismiss.
func (s *shared) assemble(n int) *team {
	tables := s.Tables()
	return s.Assemble(n, func(ws *workspace) session { return session{shared: s, workspace: ws, tables: tables} })
}

func (s *shared) dismiss(t *team) {
	s.Dismiss(t, func(se *session) *workspace { return se.workspace })
}

// askFolded asks for K, given its part over the table and the H′ᵢ = y⁻ⁱ·Hᵢ in
// primed:
//
//	K = C + x·D - z·Σ Gᵢ + Σ (z·yⁱ + z²·2ⁱ)·H′ᵢ - δ·P
//	  = C + x·D + z²·Σ 2ⁱ·H′ᵢ - δ·P - z·Σ Gᵢ + z·Σ Hᵢ
//
// The honest prover could also compute it as ⟨l, G⟩ + ⟨r, H′⟩, with 2n
// multiplications instead of two and n doublings.
func (se *session) askFolded(g group.Group, sums *rangeproof.Lockstep) {
	se.folded[0], se.folded[1] = se.p.D, g.SumPow2(se.primed)
	se.foldedBy[0], se.foldedBy[1] = se.x, g.Mul(se.z, se.z)
	se.summands[len(se.staticBy)] = se.p.C
	sums.AskTerms(group.Terms{Points: se.folded, Scalars: se.foldedBy, Plus: se.summands})
}

// takeFolded takes K.
func (se *session) takeFolded(_ group.Group, sums *rangeproof.Lockstep) error {
	se.k = sums.NextTerms()
	return nil
}

// askStatic asks for -δ·P, -z·Σ Gᵢ and z·Σ Hᵢ, the part of K over the table:
// one by one, as long as the rows of H′.
func (se *session) askStatic(g group.Group, sums *rangeproof.Lockstep) {
	by := se.staticBy
	by[0], by[1], by[2] = g.Neg(se.p.Delta), g.Neg(se.z), se.z
	for i := range by {
		sums.Ask(group.Row{First: atP + i, Scalars: by[i : i+1]})
	}
}

func (se *session) takeStatic(_ group.Group, sums *rangeproof.Lockstep) error {
	for i := range se.staticBy {
		se.summands[i] = sums.Next()
	}
	return nil
}

// askPrimed asks for the H′ᵢ.
func (se *session) askPrimed(sums *rangeproof.Lockstep) {
	for _, row := range se.primeRows {
		sums.Ask(row)
	}
}

func (se *session) takePrimed(sums *rangeproof.Lockstep) {
	for i := range se.primed {
		se.primed[i] = sums.Next()
	}
}
