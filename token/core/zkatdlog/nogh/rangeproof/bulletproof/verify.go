package bulletproof

import (
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Verify returns nil if every item is right, or a *rangeproof.RejectedError
// for the first wrong one. Proofs of another system are wrong.
func (s *System) Verify(items []rangeproof.Item) error {
	return rangeproof.VerifyBatch(items, s.holds)
}

// replay is what a verifier derives from one item: the challenges and K.
type replay struct {
	y, z, x, x0 group.Scalar
	rounds      [maxRounds]group.Scalar
	k           group.Point
}

// holds checks both equations of all items in one sum, each multiplied by a
// weight w of its own:
//
//	w₁·(t̂·g₁ + τ·h - x·T₁ - x²·T₂ - z²·V - p·g₁) = 0,  p = (z - z²)·Σ yⁱ - z³·(2ⁿ-1)
//	w₂·(K + x₀(t̂ - ab)·Q - a·Σ sᵢ·Gᵢ - b·Σ sᵢ⁻¹·H′ᵢ + Σ xⱼ²·Lⱼ + Σ xⱼ⁻²·Rⱼ) = 0
//
// where sᵢ = Πⱼ xⱼ^(±1), the sign the bit k-1-j of i (specification, sections
// 7.2 and 7.3).
func (s *System) holds(items []rangeproof.Item) bool {
	ws := s.shared.take()
	defer s.shared.put(ws)
	ws.replays = ws.replays[:0]
	ws.weights.Reset()
	for _, it := range items {
		p, ok := it.Proof.(*Proof)
		if !ok || len(p.L) != s.shared.rounds {
			return false
		}
		ws.replays = append(ws.replays, s.replay(ws, it.V, p))
	}
	ws.weights.Seal()
	ws.points, ws.scalarOf = ws.points[:0], ws.scalarOf[:0]
	clear(ws.fixed)
	for i, it := range items {
		p := it.Proof.(*Proof)
		s.addPolynomial(ws, it.V, p, &ws.replays[i])
		s.addInnerProduct(ws, p, &ws.replays[i])
	}
	return s.vanishes(ws)
}

// replay computes the challenges of one proof and absorbs into the weights
// what they do not bind: y binds C, D, V; x binds T₁, T₂; x₀ binds K, with it
// δ, and t̂; xⱼ binds Lⱼ, Rⱼ.
func (s *System) replay(ws *workspace, v group.Point, p *Proof) (c replay) {
	g := group.Phase(s.g, "replay")
	t := s.shared.tables()
	c.y, c.z = challengeYZ(ws.tr, p.C, p.D, v)
	c.x = challengePair(ws.tr, p.T1, p.T2)
	g.Powers(ws.yInv, g.Inv(c.y))
	g.FixedMSM(ws.primed, t.points, ws.primeRows)
	c.k = ws.foldedCommitment(g, t, p, c.x, c.z)
	c.x0 = challengeX0(ws, g, t.static, c.k, p.That)
	for j := range p.L {
		c.rounds[j] = challengePair(ws.tr, p.L[j], p.R[j])
		ws.weights.Scalar(c.rounds[j])
	}
	ws.weights.Scalar(c.y)
	ws.weights.Scalar(c.x)
	ws.weights.Scalar(c.x0)
	ws.weights.Scalar(p.Tau)
	ws.weights.Scalar(p.A)
	ws.weights.Scalar(p.B)
	return c
}

// addPolynomial adds w₁ times the equation of t̂.
func (s *System) addPolynomial(ws *workspace, v group.Point, p *Proof, c *replay) {
	g, w := s.g, ws.weights.Next()
	g.Powers(ws.y, c.y)
	z2 := g.Mul(c.z, c.z)
	delta := g.Mul(g.Sub(c.z, z2), g.Inner(ws.y, s.shared.ones))
	delta = g.Sub(delta, g.Mul(g.Mul(z2, c.z), g.Uint64(^uint64(0)>>(64-s.shared.n))))

	ws.fixed[atG1] = g.Add(ws.fixed[atG1], g.Mul(w, g.Sub(p.That, delta)))
	ws.fixed[atH] = g.Add(ws.fixed[atH], g.Mul(w, p.Tau))
	minus := g.Neg(w)
	ws.term(p.T1, g.Mul(minus, c.x))
	ws.term(p.T2, g.Mul(minus, g.Mul(c.x, c.x)))
	ws.term(v, g.Mul(minus, z2))
}

// addInnerProduct adds w₂ times the equation of the argument.
func (s *System) addInnerProduct(ws *workspace, p *Proof, c *replay) {
	g, w, n := s.g, ws.weights.Next(), s.shared.n
	rounds := c.rounds[:s.shared.rounds]
	inverse := ws.few[:len(rounds)]
	g.InvVec(inverse, rounds)

	// sᵢ, doubling from the last round, whose bit is the lowest; sᵢ⁻¹ = s₍ₙ₋₁₋ᵢ₎.
	signs := ws.gs
	signs[0] = g.Uint64(1)
	for j := range inverse {
		signs[0] = g.Mul(signs[0], inverse[j])
	}
	for j, m := len(rounds)-1, 1; j >= 0; j, m = j-1, 2*m {
		g.ScaleVec(signs[m:2*m], signs[:m], g.Mul(rounds[j], rounds[j]))
	}
	left, right := ws.fixed[atLeft:atLeft+n], ws.fixed[atLeft+n:]
	g.ScaleVec(ws.hs, signs, g.Neg(g.Mul(w, p.A)))
	g.AddVec(left, left, ws.hs)
	for i := range n {
		ws.hs[i] = signs[n-1-i]
	}
	g.Powers(ws.yInv, g.Inv(c.y))
	g.MulVec(ws.hs, ws.hs, ws.yInv)
	g.ScaleVec(ws.hs, ws.hs, g.Neg(g.Mul(w, p.B)))
	g.AddVec(right, right, ws.hs)

	inner := g.Mul(c.x0, g.Sub(p.That, g.Mul(p.A, p.B)))
	ws.fixed[atQ] = g.Add(ws.fixed[atQ], g.Mul(w, inner))
	ws.term(c.k, w)
	for j := range rounds {
		ws.term(p.L[j], g.Mul(w, g.Mul(rounds[j], rounds[j])))
		ws.term(p.R[j], g.Mul(w, g.Mul(inverse[j], inverse[j])))
	}
}

// term adds s·p to the sum.
func (ws *workspace) term(p group.Point, s group.Scalar) {
	ws.points = append(ws.points, p)
	ws.scalarOf = append(ws.scalarOf, s)
}

// vanishes reports whether the collected sum is the identity.
func (s *System) vanishes(ws *workspace) bool {
	g := group.Phase(s.g, "equation")
	ws.rows[0] = group.Row{First: 0, Scalars: ws.fixed}
	g.FixedMSM(ws.sums[:1], s.shared.tables().points, ws.rows[:1])
	return g.IsIdentity(g.AddPoints(ws.sums[0], g.MSM(ws.points, ws.scalarOf)))
}
