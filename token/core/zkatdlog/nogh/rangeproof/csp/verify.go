package csp

import (
	"crypto/sha256"
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
		if p, ok := item.Proof.(*Proof); ok && s.fits(p) {
			claims = append(claims, claim{v: item.V, p: p})
			continue
		}
		if errs == nil {
			errs = make([]error, len(items))
		}
		errs[i] = rangeproof.ErrRejected
	}
	s.replay(r.Phase("replay"), claims)
	return round.Fill(errs, s.equations.WaitAll(r, claims))
}

// claim is derived by a verifier from one proof: the parts of its equations.
type claim struct {
	challenges
	v      group.Point
	p      *Proof
	rounds [maxRounds]group.Scalar
	w      group.Point  // W
	lambda group.Scalar // λ′
	f      group.Scalar // f*
}

// vacuous reports whether a part of the equations is multiplied by 0. f* = 0 and
// challenges that are 0 are refused, which the specification does not ask for: W*
// would not be checked at all, or not the value that the challenge multiplies. An honest
// prover meets one with probability at most (2R+6)/q.
func (c *claim) vacuous(rounds int) bool {
	var zero group.Scalar
	outer := []group.Scalar{c.e, c.eta, c.c, c.phi, c.rho, c.f}
	return slices.Contains(outer, zero) || slices.Contains(c.rounds[:rounds], zero)
}

// fits reports whether p has the number of rounds of s.
func (s *scheme) fits(p *Proof) bool {
	r := s.rounds
	return len(p.LeftC) == r && len(p.RightC) == r && len(p.Left) == r && len(p.Right) == r
}

// replay computes the challenges of proofs, with W = Pc + η·V + ρ·Sc.
func (s *scheme) replay(r round.Round, claims []claim) {
	m := round.NewMemory()
	defer m.Wipe()
	tr := s.transcripts.Get().(*transcript)
	defer s.transcripts.Put(tr)
	sums := m.Terms(len(claims))
	for i := range claims {
		sums[i] = claims[i].replayOuter(m, tr, s.header)
	}
	l, f := s.basis.newLagrange(m), m.Scalars(s.padded)
	for i, w := range r.Sums(sums...) {
		claims[i].w = w
		s.replayInner(r.Group, &claims[i], tr, &l, f)
	}
}

// replayOuter computes e, η, c, φ and ρ, and returns the terms of W.
func (c *claim) replayOuter(m *round.Memory, tr *transcript, header [sha256.Size]byte) group.Terms {
	p := c.p
	c.e = tr.knowledge(header, c.v, p.A)
	c.eta, c.c = tr.commitment(p.Pc)
	c.phi = tr.evaluation(p.U)
	c.rho = tr.mask(p.Sc, p.Sigma)
	points, by := m.Points(3), m.Scalars(2)
	points[0], points[1], points[2] = c.v, p.Sc, p.Pc
	by[0], by[1] = c.eta, c.rho
	return group.Terms{Points: points[:2], Scalars: by, Plus: points[2:]}
}

// replayInner computes λ′, the challenges of the rounds and f*, with scratch l and f.
func (s *scheme) replayInner(g group.Group, c *claim, tr *transcript, l *lagrange, f []group.Scalar) {
	p := c.p
	s.basis.evaluate(g, l, c.c)
	c.lambda = s.form(g, f, l, c.challenges, p.U)
	c.lambda = g.Add(c.lambda, g.Mul(c.rho, p.Sigma))
	tr.argument(s.header, c.w, f, c.lambda)
	for j := range s.rounds {
		c.rounds[j] = tr.round(p.message(j))
	}
	c.f = s.folded(g, f, c.rounds[:s.rounds])
}

// hold checks both equations of all proofs in one sum, each multiplied by another
// weight:
//
//	ζv·g₁ + ζr·h - A - e·V = 0
//	f*·W* - λ*·E* = 0
//
// where W* and λ* are W and λ′ after all rounds, E* = Σ tᵢ·Eᵢ, f* = Σ tᵢ·fᵢ and
// tᵢ = Π cⱼ over the bits R-1-j of i that are set (specification, section 8.5).
//
// The weights absorb values that bind all of each proof: ρ binds the parameters, V and
// every message before the rounds, the last cⱼ binds the rounds, and (ζv, ζr)
// enter no challenge.
func (s *scheme) hold(g group.Group, claims []claim) bool {
	for i := range claims {
		if claims[i].vacuous(s.rounds) {
			return false
		}
	}
	m := round.NewMemory()
	defer m.Wipe()
	weights := rangeproof.NewWeights(s.Group, m.Bytes(boundScalars*group.ScalarLen*len(claims)))
	for i := range claims {
		c := &claims[i]
		weights.Scalar(c.rho)
		weights.Scalar(c.rounds[s.rounds-1])
		weights.Scalars(c.p.Zeta[:])
	}
	weights.Seal()
	sum, scratch := rangeproof.NewEquation(m, s.width+1, (claimTerms+roundTerms*s.rounds)*len(claims)),
		m.Scalars(s.padded)
	for i := range claims {
		s.addKnowledge(g, &sum, &claims[i], weights.Next())
		s.addArgument(g, &sum, &claims[i], weights.Next(), scratch)
	}
	return sum.Vanishes(g, s.Table())
}

// The memory for the equations of a claim: the scalars that weights absorb, and the
// terms, also of each round.
const (
	boundScalars = 4
	claimTerms   = 3
	roundTerms   = 2
)

// addKnowledge adds a weight times the equation of the Schnorr proof.
func (s *scheme) addKnowledge(g group.Group, sum *rangeproof.Equation, c *claim, weight group.Scalar) {
	blinds := sum.Fixed[s.atG1() : s.atH()+1]
	g.FoldVec(blinds, blinds, c.p.Zeta[:], g.Uint64(1), weight)
	minus := g.Neg(weight)
	sum.Term(c.p.A, minus)
	sum.Term(c.v, g.Mul(minus, c.e))
}

// addArgument adds a weight times the equation of the argument, where
//
//	W* = Π cⱼ·W + Σ (Π cᵢ, i > j)·(Lcⱼ + cⱼ²·Rcⱼ)
//
// and λ* is made from λ′, ℓⱼ, rⱼ in the same way.
func (s *scheme) addArgument(g group.Group, sum *rangeproof.Equation, c *claim, weight group.Scalar,
	t []group.Scalar) {
	left, lambda := g.Mul(weight, c.f), group.Scalar{}
	after, p := g.Uint64(1), c.p
	for j := s.rounds - 1; j >= 0; j-- {
		x := c.rounds[j]
		square := g.Mul(x, x)
		sum.Term(p.LeftC[j], g.Mul(left, after))
		sum.Term(p.RightC[j], g.Mul(left, g.Mul(after, square)))
		lambda = g.Add(lambda, g.Mul(after, g.Add(p.Left[j], g.Mul(square, p.Right[j]))))
		after = g.Mul(after, x)
	}
	sum.Term(c.w, g.Mul(left, after))
	lambda = g.Add(lambda, g.Mul(after, c.lambda))

	minus := g.Neg(g.Mul(weight, lambda))
	rounds, m := c.rounds[:s.rounds], s.width
	tensor(g, t[:m], minus, rounds)
	if m < s.padded {
		t[m] = g.Mul(minus, tail(g, rounds, m))
	}
	g.ScaleVec(t[m-2:m], t[m-2:m], c.eta)
	places := min(m+1, s.padded)
	g.AddVec(sum.Fixed[:places], sum.Fixed[:places], t[:places])
}

// folded returns the only element of f after all rounds, Σ tᵢ·fᵢ. It overwrites
// f, which is 0 from the width on.
func (s *scheme) folded(g group.Field, f, rounds []group.Scalar) group.Scalar {
	used := s.width
	for j, c := range rounds {
		d := s.padded >> (j + 1)
		if high := f[d:max(d, used)]; len(high) > 0 {
			fold(g, f[:len(high)], high, c)
		}
		used = min(used, d)
	}
	return f[0]
}

// tensor fills t with first·tᵢ, where tᵢ = Π cⱼ over the bits R-1-j of i that are
// set: the last round has the lowest bit.
func tensor(g group.Field, t []group.Scalar, first group.Scalar, rounds []group.Scalar) {
	t[0] = first
	for j, m := len(rounds)-1, 1; j >= 0 && m < len(t); j, m = j-1, 2*m {
		next := t[m:min(2*m, len(t))]
		g.ScaleVec(next, t[:len(next)], rounds[j])
	}
}

// tail returns Σ tᵢ over all i from m on, for m < 2ᴿ. After k bits, s is this sum
// for numbers of k bits and the k lowest bits of m, and a is the sum from 0 on.
func tail(g group.Field, rounds []group.Scalar, m int) group.Scalar {
	one := g.Uint64(1)
	s, a := one, one
	for k := range rounds {
		c := rounds[len(rounds)-1-k]
		high := g.Mul(c, a)
		if m>>k&1 == 1 {
			s = g.Mul(c, s)
		} else {
			s = g.Add(s, high)
		}
		a = g.Add(a, high)
	}
	return s
}
