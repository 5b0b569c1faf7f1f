package bulletproof

import (
	"slices"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// Verify implements rangeproof.System.
func (s *scheme) Verify(r round.Round, items []rangeproof.Item) []error {
	var errs []error
	claims := make([]claim, 0, len(items))
	for i, item := range items {
		if p, ok := item.Proof.(*Proof); ok && len(p.L) == s.rounds && len(p.R) == s.rounds {
			claims = append(claims, claim{v: item.V, p: p})
			continue
		}
		if errs == nil {
			errs = make([]error, len(items))
		}
		errs[i] = rangeproof.ErrRejected
	}
	for some := range slices.Chunk(claims, maxReplayed) {
		s.replay(r.Phase("replay"), some)
	}
	return round.Fill(errs, s.equations.WaitAll(r, claims))
}

// maxReplayed is how many proofs are replayed together. Sums hardly get cheaper
// beyond it, while the scratch memory of n points for each proof grows.
const maxReplayed = 64

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

// replay computes the challenges of proofs, and K.
func (s *scheme) replay(r round.Round, claims []claim) {
	m := round.NewMemory()
	defer m.Wipe()
	tr := s.transcripts.Get().(*transcript)
	defer s.transcripts.Put(tr)
	for i := range claims {
		claims[i].replayOuter(tr)
	}
	n, points := s.N+3, s.statements(r, m, claims)
	for i := range claims {
		claims[i].replayInner(tr, r.Group, points[i*n:][:s.N], s)
	}
}

// replayOuter computes y, z and x.
func (c *claim) replayOuter(tr *transcript) {
	p := c.p
	c.y, c.z = challengeYZ(tr.V1, p.C, p.D, c.v)
	c.x = challengePair(tr.V1, p.T1, p.T2)
}

// replayInner computes the challenges of the argument for K.
func (c *claim) replayInner(tr *transcript, g group.Group, primed []group.Point, s *scheme) {
	p := c.p
	c.x0 = challengeX0(tr, g, primed, s.static, c.k, p.That)
	for j := range s.rounds {
		c.rounds[j] = challengePair(tr.V1, p.L[j], p.R[j])
	}
}

// statements sets K of all claims. It returns for each claim H′ᵢ = y⁻ⁱ·Hᵢ, and three
// points of its K.
func (s *scheme) statements(r round.Round, m *round.Memory, claims []claim) []group.Point {
	g, n, k := r.Group, s.N, len(claims)
	ys, rows := m.Scalars(k), m.Rows(k * (n + 3))[:0]
	for i := range claims {
		ys[i] = claims[i].y
	}
	for i, yInverse := range r.Inverses(ys...) {
		yInv := m.Scalars(n)
		claims[i].yInverse = yInverse
		g.Powers(yInv, yInverse)
		rows = appendStatic(g, m, s.appendPrimed(rows, yInv), claims[i].p.Delta, claims[i].z)
	}
	points, sums := m.Points(len(rows)), m.Terms(k)
	copy(points, r.Fixed(s.Table(), rows...))
	for i := range claims {
		own := points[i*(n+3):][:n+3]
		sums[i] = claims[i].termsOfK(g, m, own[:n], own[n:])
	}
	for i, K := range r.Sums(sums...) {
		claims[i].k = K
	}
	return points
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
	weights := rangeproof.NewWeights(s.Group, m.Bytes((s.rounds+boundScalars)*group.ScalarLen*len(claims)))
	for i := range claims {
		c := &claims[i]
		weights.Scalars(c.rounds[:s.rounds])
		for _, bound := range [...]group.Scalar{c.y, c.x, c.x0, c.p.Tau, c.p.A, c.p.B} {
			weights.Scalar(bound)
		}
	}
	weights.Seal()
	s.invertRounds(g, m, claims)
	e := equation{scheme: s,
		Equation: rangeproof.NewEquation(m, atLeft+2*s.N, (claimTerms+roundTerms*s.rounds)*len(claims))}
	e.powers, e.signs, e.scaled = m.Scalars(s.N), m.Scalars(s.N), m.Scalars(s.N)
	for i := range claims {
		e.addPolynomial(g, &claims[i], weights.Next())
		e.addInnerProduct(g, &claims[i], weights.Next())
	}
	return e.Vanishes(g, s.Table())
}

// The memory for the equations of a claim: the scalars that weights absorb besides the
// rounds, and the terms, also of each round.
const (
	boundScalars = 6
	claimTerms   = 4
	roundTerms   = 2
)

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

	// sᵢ, doubling from the last round, which has the lowest bit; sᵢ⁻¹ = s₍ₙ₋₁₋ᵢ₎.
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
