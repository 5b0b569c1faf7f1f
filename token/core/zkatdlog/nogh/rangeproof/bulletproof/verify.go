package bulletproof

import (
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// replay is what a verifier derives from one item: the challenges and K.
type replay struct {
	y, x, z, x0 group.Scalar
	yInverse    group.Scalar
	rounds      [maxRounds]group.Scalar
	inverses    [maxRounds]group.Scalar // of the rounds
	k           group.Point
}

// Holds implements rangeproof.Protocol. It checks both equations of all items in
// one sum, each multiplied by another weight w:
//
//	w₁·(t̂·g₁ + τ·h - x·T₁ - x²·T₂ - z²·V - p·g₁) = 0,  p = (z - z²)·Σ yⁱ - z³·(2ⁿ-1)
//	w₂·(K + x₀(t̂ - ab)·Q - a·Σ sᵢ·Gᵢ - b·Σ sᵢ⁻¹·H′ᵢ + Σ xⱼ²·Lⱼ + Σ xⱼ⁻²·Rⱼ) = 0
//
// where sᵢ = Πⱼ xⱼ^(±1), the sign the bit k-1-j of i (specification, sections
// 7.2 and 7.3).
func (s *shared) Holds(g group.Group, items []rangeproof.Item, aside *rangeproof.Aside) bool {
	ws := s.Take()
	defer s.Put(ws)
	ws.replays = ws.replays[:0]
	ws.weights.Reset()
	for i := 0; i < len(items); i += rangeproof.MaxLockstep {
		if !s.replay(g, ws, items[i:min(i+rangeproof.MaxLockstep, len(items))], aside) {
			return false
		}
	}
	ws.weights.Seal()
	s.invertRounds(g, ws)
	ws.sum.Reset()
	for i, it := range items {
		p := it.Proof.(*Proof)
		s.addPolynomial(g, ws, it.V, p, &ws.replays[i])
		s.addInnerProduct(g, ws, p, &ws.replays[i])
	}
	return ws.sum.Vanishes(g, s.Tables().Points)
}

// invertRounds inverts the challenges of the rounds of all proofs together.
func (s *shared) invertRounds(g group.Group, ws *workspace) {
	ws.inverses = ws.inverses[:0]
	for i := range ws.replays {
		ws.inverses = append(ws.inverses, ws.replays[i].rounds[:s.rounds]...)
	}
	g.InvVec(ws.inverses, ws.inverses)
	for i := range ws.replays {
		copy(ws.replays[i].inverses[:], ws.inverses[i*s.rounds:][:s.rounds])
	}
}

// replay computes the challenges of the proofs and absorbs into the weights
// what they do not bind: y binds C, D, V; x binds T₁, T₂; x₀ binds K, with it
// δ, and t̂; xⱼ binds Lⱼ, Rⱼ. It returns false if one is no proof of s.
func (s *shared) replay(g group.Group, ws *workspace, items []rangeproof.Item, aside *rangeproof.Aside) bool {
	t := s.assemble(len(items))
	defer s.dismiss(t)
	t.Aside = aside
	for i, se := range t.Members {
		p, ok := items[i].Proof.(*Proof)
		if !ok || len(p.L) != s.rounds {
			return false
		}
		se.p, se.v = p, items[i].V
	}
	if _, err := t.Run(g, s.replaying); err != nil {
		return false
	}
	for _, se := range t.Members {
		ws.replays = append(ws.replays, se.challenges(group.Phase(g, phaseReplay), ws.weights))
	}
	return true
}

// replayingSteps are the steps of a verifier up to K.
func replayingSteps() []step {
	phases := []string{phaseReplay}
	return []step{
		{Phases: phases, Ask: (*session).askReplay, Then: (*session).takeReplay},
		{Phases: phases, Ask: (*session).askFolded, Then: (*session).takeFolded},
	}
}

// askReplay computes the challenges before K, and asks for H′ and the part of K
// over the table.
func (se *session) askReplay(g group.Group, sums *rangeproof.Lockstep) {
	p := se.p
	se.y, se.z = challengeYZ(se.tr, p.C, p.D, se.v)
	se.x = challengePair(se.tr, p.T1, p.T2)
	se.yInverse = g.Inv(se.y)
	g.Powers(se.yInv, se.yInverse)
	se.askPrimed(sums)
	se.askStatic(g, sums)
}

func (se *session) takeReplay(g group.Group, sums *rangeproof.Lockstep) error {
	se.takePrimed(sums)
	return se.takeStatic(g, sums)
}

// challenges returns all challenges, once K is known.
func (se *session) challenges(g group.Group, weights *rangeproof.Weights) replay {
	p := se.p
	c := replay{x: se.x, y: se.y, yInverse: se.yInverse, z: se.z, k: se.k}
	c.x0 = challengeX0(se.workspace, g, se.static, c.k, p.That)
	for j := range p.L {
		c.rounds[j] = challengePair(se.tr, p.L[j], p.R[j])
		weights.Scalar(c.rounds[j])
	}
	weights.Scalar(c.y)
	weights.Scalar(c.x)
	weights.Scalar(c.x0)
	weights.Scalar(p.Tau)
	weights.Scalar(p.A)
	weights.Scalar(p.B)
	return c
}

// addPolynomial adds w₁ times the equation of t̂.
func (s *shared) addPolynomial(g group.Group, ws *workspace, v group.Point, p *Proof, c *replay) {
	w := ws.weights.Next()
	g.Powers(ws.yPow, c.y)
	z2 := g.Mul(c.z, c.z)
	delta := g.Mul(g.Sub(c.z, z2), g.Inner(ws.yPow, s.Ones))
	delta = g.Sub(delta, g.Mul(g.Mul(z2, c.z), g.Uint64(^uint64(0)>>(64-s.N))))

	ws.sum.Fixed[atG1] = g.Add(ws.sum.Fixed[atG1], g.Mul(w, g.Sub(p.That, delta)))
	ws.sum.Fixed[atH] = g.Add(ws.sum.Fixed[atH], g.Mul(w, p.Tau))
	minus := g.Neg(w)
	ws.sum.Term(p.T1, g.Mul(minus, c.x))
	ws.sum.Term(p.T2, g.Mul(minus, g.Mul(c.x, c.x)))
	ws.sum.Term(v, g.Mul(minus, z2))
}

// addInnerProduct adds w₂ times the equation of the argument.
func (s *shared) addInnerProduct(g group.Group, ws *workspace, p *Proof, c *replay) {
	w, n := ws.weights.Next(), s.N
	rounds := c.rounds[:s.rounds]
	inverse := c.inverses[:s.rounds]

	// sᵢ, doubling from the last round, whose bit is the lowest; sᵢ⁻¹ = s₍ₙ₋₁₋ᵢ₎.
	signs := ws.gs
	signs[0] = g.Uint64(1)
	for j := range inverse {
		signs[0] = g.Mul(signs[0], inverse[j])
	}
	for j, m := len(rounds)-1, 1; j >= 0; j, m = j-1, 2*m {
		g.ScaleVec(signs[m:2*m], signs[:m], g.Mul(rounds[j], rounds[j]))
	}
	left, right := ws.sum.Fixed[atLeft:atLeft+n], ws.sum.Fixed[atLeft+n:]
	g.ScaleVec(ws.hs, signs, g.Neg(g.Mul(w, p.A)))
	g.AddVec(left, left, ws.hs)
	for i := range n {
		ws.hs[i] = signs[n-1-i]
	}
	g.Powers(ws.yInv, c.yInverse)
	g.MulVec(ws.hs, ws.hs, ws.yInv)
	g.ScaleVec(ws.hs, ws.hs, g.Neg(g.Mul(w, p.B)))
	g.AddVec(right, right, ws.hs)

	inner := g.Mul(c.x0, g.Sub(p.That, g.Mul(p.A, p.B)))
	ws.sum.Fixed[atQ] = g.Add(ws.sum.Fixed[atQ], g.Mul(w, inner))
	ws.sum.Term(c.k, w)
	for j := range rounds {
		ws.sum.Term(p.L[j], g.Mul(w, g.Mul(rounds[j], rounds[j])))
		ws.sum.Term(p.R[j], g.Mul(w, g.Mul(inverse[j], inverse[j])))
	}
}
