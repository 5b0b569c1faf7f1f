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
type team struct {
	sessions [rangeproof.MaxLockstep]session
	list     []*session
	sums     rangeproof.Lockstep
	terms    []group.Terms
	results  []group.Point
}

// assemble returns a team of n sessions, at most MaxLockstep; give it back with
// dismiss.
func (s *shared) assemble(n int) *team {
	t := s.teams.Get().(*team)
	tables := s.tables()
	for i := range n {
		t.sessions[i] = session{shared: s, workspace: s.take(), tables: tables}
		t.list = append(t.list, &t.sessions[i])
	}
	return t
}

func (s *shared) dismiss(t *team) {
	for i := range t.list {
		s.put(t.sessions[i].workspace)
		t.sessions[i] = session{}
	}
	t.list = t.list[:0]
	s.teams.Put(t)
}

// compute has every session ask for sums over the table, and take them.
func (t *team) compute(g group.Group, ask func(*session, *rangeproof.Lockstep), take func(*session, *rangeproof.Lockstep)) {
	for _, se := range t.list {
		ask(se, &t.sums)
	}
	t.sums.Compute(g, t.list[0].tables.points)
	for _, se := range t.list {
		take(se, &t.sums)
	}
}

// foldedCommitments computes, from the H′ᵢ = y⁻ⁱ·Hᵢ in primed,
//
//	K = C + x·D - z·Σ Gᵢ + Σ (z·yⁱ + z²·2ⁱ)·H′ᵢ - δ·P
//	  = C + x·D + z²·Σ 2ⁱ·H′ᵢ - δ·P - z·Σ Gᵢ + z·Σ Hᵢ
//
// which the honest prover could also compute as ⟨l, G⟩ + ⟨r, H′⟩, with 2n
// multiplications where this needs two and n doublings.
func (t *team) foldedCommitments(g group.Group) {
	t.terms, t.results = t.terms[:0], t.results[:0]
	for _, se := range t.list {
		se.pair[0], se.pair[1] = se.p.D, g.SumPow2(se.primed)
		se.few[0], se.few[1] = se.x, g.Mul(se.z, se.z)
		t.terms = append(t.terms, group.Terms{Points: se.pair, Scalars: se.few[:2]})
		t.results = append(t.results, group.Point{})
	}
	g.MSMs(t.results, t.terms)
	for i, se := range t.list {
		se.parts[0], se.parts[1], se.parts[2] = se.p.C, se.k, t.results[i]
		se.k = g.Sum(se.parts)
	}
}

// askStatic asks for -δ·P - z·Σ Gᵢ + z·Σ Hᵢ, the part of K over the table.
func (se *session) askStatic(sums *rangeproof.Lockstep) {
	se.few[2], se.few[3], se.few[4] = se.g().Neg(se.p.Delta), se.g().Neg(se.z), se.z
	sums.Ask(group.Row{First: atP, Scalars: se.few[2:5]})
}

func (se *session) takeStatic(sums *rangeproof.Lockstep) { se.k = sums.Next() }

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
