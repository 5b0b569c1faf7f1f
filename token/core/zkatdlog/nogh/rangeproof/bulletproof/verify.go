package bulletproof

import (
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// Verify implements rangeproof.System.
func (s *scheme) Verify(r round.Round, v group.Point, proof rangeproof.Proof) error {
	p, ok := proof.(*Proof)
	if !ok || len(p.L) != s.rounds {
		return rangeproof.ErrRejected
	}
	return s.equations.Wait(r, s.replay(r.Phase("replay"), v, p))
}

// claim is derived by a verifier from one proof: the parts of its equations.
type claim struct {
	v           group.Point
	p           *Proof
	y, x, z, x0 group.Scalar
	yInverse    group.Scalar
	rounds      [maxRounds]group.Scalar
	inverses    [maxRounds]group.Scalar // of the rounds
	k           group.Point             // K
}

// replay computes the challenges of a proof, and K.
func (s *scheme) replay(r round.Round, v group.Point, p *Proof) claim {
	m := round.NewMemory()
	defer m.Wipe()
	tr := s.transcripts.Get().(*transcript)
	defer s.transcripts.Put(tr)
	g, n, c := r.Group, s.N, claim{v: v, p: p}
	c.y, c.z = challengeYZ(tr.V1, p.C, p.D, v)
	c.x = challengePair(tr.V1, p.T1, p.T2)

	// H′ᵢ = y⁻ⁱ·Hᵢ, and the part of K over the table.
	yInv := m.Scalars(n)
	c.yInverse = r.Inverses(c.y)[0]
	g.Powers(yInv, c.yInverse)
	rows := s.appendPrimed(m.Rows(n + 3)[:0], yInv)
	points := m.Points(n + 3)
	copy(points, r.Fixed(s.Tables().Points, appendStatic(g, m, rows, p.Delta, c.z)...))
	c.k = r.Sums(s.termsOfK(g, m, p, c.x, c.z, points))[0]

	c.x0 = challengeX0(tr, g, points[:n], s.static, c.k, p.That)
	for j := range s.rounds {
		c.rounds[j] = challengePair(tr.V1, p.L[j], p.R[j])
	}
	return c
}

// hold checks both equations of all proofs in one sum, each multiplied by another
// weight w:
//
//	w₁·(t̂·g₁ + τ·h - x·T₁ - x²·T₂ - z²·V - p·g₁) = 0,  p = (z - z²)·Σ yⁱ - z³·(2ⁿ-1)
//	w₂·(K + x₀(t̂ - ab)·Q - a·Σ sᵢ·Gᵢ - b·Σ sᵢ⁻¹·H′ᵢ + Σ xⱼ²·Lⱼ + Σ xⱼ⁻²·Rⱼ) = 0
//
// where sᵢ = Πⱼ xⱼ^(±1), the sign the bit k-1-j of i (specification, sections
// 7.2 and 7.3).
//
// The weights absorb values that bind all of each proof: y binds C, D, V; x binds T₁,
// T₂; x₀ binds K, with it δ, and t̂; xⱼ binds Lⱼ, Rⱼ.
func (s *scheme) hold(g group.Group, claims []claim) bool {
	m := round.NewMemory()
	defer m.Wipe()
	weights := rangeproof.NewWeights(s.Group, m.Bytes((s.rounds+6)*group.ScalarLen*len(claims)))
	for i := range claims {
		c := &claims[i]
		weights.Scalars(c.rounds[:s.rounds])
		for _, bound := range [...]group.Scalar{c.y, c.x, c.x0, c.p.Tau, c.p.A, c.p.B} {
			weights.Scalar(bound)
		}
	}
	weights.Seal()
	s.invertRounds(g, m, claims)
	e := equation{scheme: s, Equation: rangeproof.NewEquation(m, atLeft+2*s.N, (4+2*s.rounds)*len(claims))}
	e.powers, e.signs, e.scaled = m.Scalars(s.N), m.Scalars(s.N), m.Scalars(s.N)
	for i := range claims {
		e.addPolynomial(g, &claims[i], weights.Next())
		e.addInnerProduct(g, &claims[i], weights.Next())
	}
	return e.Vanishes(g, s.Tables().Points)
}

// invertRounds inverts the challenges of the rounds of all proofs together.
func (s *scheme) invertRounds(g group.Group, m *round.Memory, claims []claim) {
	k, all := s.rounds, m.Scalars(s.rounds*len(claims))
	for i := range claims {
		copy(all[i*k:], claims[i].rounds[:k])
	}
	g.InvVec(all, all)
	for i := range claims {
		copy(claims[i].inverses[:k], all[i*k:])
	}
}

// equation is the sum of all equations, with scratch vectors.
type equation struct {
	*scheme
	rangeproof.Equation
	powers, signs, scaled []group.Scalar
}

// addPolynomial adds w₁ times the equation of t̂.
func (e *equation) addPolynomial(g group.Group, c *claim, w group.Scalar) {
	p := c.p
	g.Powers(e.powers, c.y)
	z2 := g.Mul(c.z, c.z)
	delta := g.Mul(g.Sub(c.z, z2), g.Inner(e.powers, e.Ones))
	delta = g.Sub(delta, g.Mul(g.Mul(z2, c.z), g.Uint64(^uint64(0)>>(64-e.N))))

	e.Fixed[atG1] = g.Add(e.Fixed[atG1], g.Mul(w, g.Sub(p.That, delta)))
	e.Fixed[atH] = g.Add(e.Fixed[atH], g.Mul(w, p.Tau))
	minus := g.Neg(w)
	e.Term(p.T1, g.Mul(minus, c.x))
	e.Term(p.T2, g.Mul(minus, g.Mul(c.x, c.x)))
	e.Term(c.v, g.Mul(minus, z2))
}

// addInnerProduct adds w₂ times the equation of the argument.
func (e *equation) addInnerProduct(g group.Group, c *claim, w group.Scalar) {
	p, n, signs := c.p, e.N, e.signs
	rounds, inverse := c.rounds[:e.rounds], c.inverses[:e.rounds]

	// sᵢ, doubling from the last round, whose bit is the lowest; sᵢ⁻¹ = s₍ₙ₋₁₋ᵢ₎.
	signs[0] = g.Uint64(1)
	for j := range inverse {
		signs[0] = g.Mul(signs[0], inverse[j])
	}
	for j, m := len(rounds)-1, 1; j >= 0; j, m = j-1, 2*m {
		g.ScaleVec(signs[m:2*m], signs[:m], g.Mul(rounds[j], rounds[j]))
	}
	left, right := e.Fixed[atLeft:atLeft+n], e.Fixed[atLeft+n:]
	g.ScaleVec(e.scaled, signs, g.Neg(g.Mul(w, p.A)))
	g.AddVec(left, left, e.scaled)
	for i := range n {
		e.scaled[i] = signs[n-1-i]
	}
	g.Powers(e.powers, c.yInverse)
	g.MulVec(e.scaled, e.scaled, e.powers)
	g.ScaleVec(e.scaled, e.scaled, g.Neg(g.Mul(w, p.B)))
	g.AddVec(right, right, e.scaled)

	inner := g.Mul(c.x0, g.Sub(p.That, g.Mul(p.A, p.B)))
	e.Fixed[atQ] = g.Add(e.Fixed[atQ], g.Mul(w, inner))
	e.Term(c.k, w)
	for j := range rounds {
		e.Term(p.L[j], g.Mul(w, g.Mul(rounds[j], rounds[j])))
		e.Term(p.R[j], g.Mul(w, g.Mul(inverse[j], inverse[j])))
	}
}
