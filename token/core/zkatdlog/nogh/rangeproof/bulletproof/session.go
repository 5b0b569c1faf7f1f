package bulletproof

import (
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// session is one proof being made or checked, with its memory.
type session struct {
	*shared
	*workspace
	tables      tables
	p           *Proof
	x, y, z, x0 group.Scalar
	k           group.Point // K, once computed
	t1, t2      group.Scalar
}

// team is sessions in lockstep.
type team struct{ rangeproof.Team[session] }

// assemble returns a team of n sessions, at most MaxLockstep; give it back with
// dismiss.
func (s *shared) assemble(n int) *team {
	t, tables := s.teams.Get().(*team), s.tables()
	for range n {
		t.Join(session{shared: s, workspace: s.take(), tables: tables})
	}
	return t
}

func (s *shared) dismiss(t *team) {
	t.Leave(func(se *session) { s.put(se.workspace) })
	s.teams.Put(t)
}

// table is the one that all sums are over.
func (t *team) table() group.Table { return t.Members[0].tables.points }

// foldedCommitments computes, from the H′ᵢ = y⁻ⁱ·Hᵢ in primed,
//
//	K = C + x·D - z·Σ Gᵢ + Σ (z·yⁱ + z²·2ⁱ)·H′ᵢ - δ·P
//	  = C + x·D + z²·Σ 2ⁱ·H′ᵢ - δ·P - z·Σ Gᵢ + z·Σ Hᵢ
//
// which the honest prover could also compute as ⟨l, G⟩ + ⟨r, H′⟩, with 2n
// multiplications where this needs two and n doublings.
func (t *team) foldedCommitments(g group.Group) {
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
	static[0], static[1], static[2] = se.g().Neg(se.p.Delta), se.g().Neg(se.z), se.z
	for i := range static {
		sums.Ask(group.Row{First: atP + i, Scalars: static[i : i+1]})
	}
}

func (se *session) takeStatic(sums *rangeproof.Lockstep) {
	for i := range se.static() {
		se.parts[i] = sums.Next()
	}
}

// static is the part of K over the table.
func (se *session) static() []group.Point { return se.parts[:3] }

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

func (se *session) g() group.Group { return se.config.Group }
