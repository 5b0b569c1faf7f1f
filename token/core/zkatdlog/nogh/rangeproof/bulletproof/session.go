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
	p           *Proof
	x, y, z, x0 group.Scalar
	k           group.Point // K, once computed
	t1, t2      group.Scalar
}

// team is sessions in lockstep.
type team = rangeproof.Team[session]

// assemble returns a team of n sessions; give it back with dismiss.
func (s *shared) assemble(n int) *team {
	tables := s.Tables()
	return s.Assemble(n, func(ws *workspace) session { return session{shared: s, workspace: ws, tables: tables} })
}

func (s *shared) dismiss(t *team) {
	s.Dismiss(t, func(se *session) *workspace { return se.workspace })
}

// foldedCommitments computes, from the H′ᵢ = y⁻ⁱ·Hᵢ in primed,
//
//	K = C + x·D - z·Σ Gᵢ + Σ (z·yⁱ + z²·2ⁱ)·H′ᵢ - δ·P
//	  = C + x·D + z²·Σ 2ⁱ·H′ᵢ - δ·P - z·Σ Gᵢ + z·Σ Hᵢ
//
// which the honest prover could also compute as ⟨l, G⟩ + ⟨r, H′⟩, with 2n
// multiplications where this needs two and n doublings.
func foldedCommitments(t *team, g group.Group) {
	for _, se := range t.Members {
		se.pair[0], se.pair[1] = se.p.D, g.SumPow2(se.primed)
		se.few[0], se.few[1] = se.x, g.Mul(se.z, se.z)
		t.Want(group.Terms{Points: se.pair, Scalars: se.few[:2]})
	}
	for i, sum := range t.Variable(g) {
		se := t.Members[i]
		se.parts[3], se.parts[4] = se.p.C, sum
		se.k = g.Sum(se.parts)
	}
}

// askStatic asks for -δ·P, -z·Σ Gᵢ and z·Σ Hᵢ, the part of K over the table:
// one by one, as long as the rows of H′.
func (se *session) askStatic(sums *rangeproof.Lockstep) {
	static := se.few[2:5]
	static[0], static[1], static[2] = se.Group.Neg(se.p.Delta), se.Group.Neg(se.z), se.z
	for i := range static {
		sums.Ask(group.Row{First: atP + i, Scalars: static[i : i+1]})
	}
}

func (se *session) takeStatic(sums *rangeproof.Lockstep) {
	for i := range se.fixedParts() {
		se.parts[i] = sums.Next()
	}
}

// fixedParts is the part of K over the table.
func (se *session) fixedParts() []group.Point { return se.parts[:3] }

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
