package csp

import (
	"slices"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// replay is what a verifier derives from one item.
type replay struct {
	challenges
	rounds [maxRounds]group.Scalar
	points [3]group.Point  // V, Sc and Pc, the points of W
	by     [2]group.Scalar // η and ρ, of V and Sc
	w      group.Point     // W
	lambda group.Scalar    // λ′
	f      group.Scalar    // f*
}

// vacuous reports whether a part of the equations is multiplied by 0.
func (c *replay) vacuous(rounds int) bool {
	var zero group.Scalar
	outer := []group.Scalar{c.e, c.eta, c.c, c.phi, c.rho, c.f}
	return slices.Contains(outer, zero) || slices.Contains(c.rounds[:rounds], zero)
}

// Holds implements rangeproof.Protocol. It checks both equations of all items in
// one sum, each multiplied by another weight:
//
//	ζv·g₁ + ζr·h - A - e·V = 0
//	f*·W* - λ*·E* = 0
//
// where W* and λ* are W and λ′ after all rounds, E* = Σ tᵢ·Eᵢ, f* = Σ tᵢ·fᵢ and
// tᵢ = Π cⱼ over the bits R-1-j of i that are set (specification, section 8.5).
//
// f* = 0 and challenges that are 0 are refused, which the specification does not
// ask for: W* would not be checked at all, or not what the challenge multiplies.
// An honest prover meets one with probability at most (2R+6)/q.
func (s *shared) Holds(g group.Group, items []rangeproof.Item, aside *rangeproof.Aside) bool {
	ws := s.Take()
	defer s.Put(ws)
	ws.replays = ws.replays[:0]
	ws.weights.Reset()
	for _, it := range items {
		p, ok := it.Proof.(*Proof)
		if !ok || !s.fits(p) {
			return false
		}
		ws.replays = append(ws.replays, s.replayOuter(ws, it.V, p))
	}
	s.commitments(group.Phase(g, "replay"), ws, items, aside)
	for i, it := range items {
		c := &ws.replays[i]
		s.replayArgument(g, ws, it.Proof.(*Proof), c)
		if c.vacuous(s.rounds) {
			return false
		}
	}
	ws.weights.Seal()
	ws.sum.Reset()
	for i, it := range items {
		p := it.Proof.(*Proof)
		s.addKnowledge(g, ws, it.V, p, &ws.replays[i])
		s.addArgument(g, ws, p, &ws.replays[i])
	}
	return ws.sum.Vanishes(g, s.Tables().Points)
}

// fits reports whether p has the number of rounds of s.
func (s *shared) fits(p *Proof) bool {
	r := s.rounds
	return len(p.LeftC) == r && len(p.RightC) == r && len(p.Left) == r && len(p.Right) == r
}

// replayOuter computes the challenges of the outer transcript of one proof.
func (s *shared) replayOuter(ws *workspace, v group.Point, p *Proof) (c replay) {
	c.e = ws.tr.knowledge(s.header, v, p.A)
	c.eta, c.c = ws.tr.commitment(p.Pc)
	c.phi = ws.tr.evaluation(p.U)
	c.rho = ws.tr.mask(p.Sc, p.Sigma)
	c.points, c.by = [3]group.Point{v, p.Sc, p.Pc}, [2]group.Scalar{c.eta, c.rho}
	return c
}

// commitments computes W = Pc + η·V + ρ·Sc of all items together.
func (s *shared) commitments(g group.Group, ws *workspace, items []rangeproof.Item, aside *rangeproof.Aside) {
	ws.rows, ws.ws = ws.rows[:0], ws.ws[:0]
	for i := range items {
		c := &ws.replays[i]
		ws.rows = append(ws.rows, group.Terms{Points: c.points[:2], Scalars: c.by[:], Plus: c.points[2:]})
		ws.ws = append(ws.ws, group.Point{})
	}
	aside.MSMs(g, ws.ws, ws.rows)
	for i := range items {
		ws.replays[i].w = ws.ws[i]
	}
}

// replayArgument computes the challenges of the argument, given W, and absorbs
// into the weights what binds all of the proof: ρ binds the parameters, V and
// every message before the rounds, the last cⱼ binds the rounds, and (ζv, ζr)
// enter no challenge.
func (s *shared) replayArgument(g group.Group, ws *workspace, p *Proof, c *replay) {
	g = group.Phase(g, "replay")
	s.basis.evaluate(g, &ws.lagrange, c.c)
	c.lambda = s.form(g, ws.f, &ws.lagrange, c.challenges, p.U)
	c.lambda = g.Add(c.lambda, g.Mul(c.rho, p.Sigma))

	ws.tr.argument(s.header, c.w, ws.f, c.lambda)
	for j := range s.rounds {
		c.rounds[j] = ws.tr.round(p.message(j))
	}
	c.f = s.folded(g, ws.f, c.rounds[:s.rounds])

	ws.weights.Scalar(c.rho)
	ws.weights.Scalar(c.rounds[s.rounds-1])
	ws.weights.Scalars(p.Zeta[:])
}

// addKnowledge adds a weight times the equation of the Schnorr proof.
func (s *shared) addKnowledge(g group.Group, ws *workspace, v group.Point, p *Proof, c *replay) {
	w, at := ws.weights.Next(), s.atG1()
	blinds := ws.sum.Fixed[at : at+2]
	g.FoldVec(blinds, blinds, p.Zeta[:], s.Ones[0], w)
	minus := g.Neg(w)
	ws.sum.Term(p.A, minus)
	ws.sum.Term(v, g.Mul(minus, c.e))
}

// addArgument adds a weight times the equation of the argument, where
//
//	W* = Π cⱼ·W + Σ (Π cᵢ, i > j)·(Lcⱼ + cⱼ²·Rcⱼ)
//
// and λ* is made from λ′, ℓⱼ, rⱼ in the same way.
func (s *shared) addArgument(g group.Group, ws *workspace, p *Proof, c *replay) {
	w := ws.weights.Next()
	left, lambda, after := g.Mul(w, c.f), group.Scalar{}, s.Ones[0]
	for j := s.rounds - 1; j >= 0; j-- {
		x := c.rounds[j]
		square := g.Mul(x, x)
		ws.sum.Term(p.LeftC[j], g.Mul(left, after))
		ws.sum.Term(p.RightC[j], g.Mul(left, g.Mul(after, square)))
		lambda = g.Add(lambda, g.Mul(after, g.Add(p.Left[j], g.Mul(square, p.Right[j]))))
		after = g.Mul(after, x)
	}
	ws.sum.Term(c.w, g.Mul(left, after))
	lambda = g.Add(lambda, g.Mul(after, c.lambda))

	minus := g.Neg(g.Mul(w, lambda))
	t, rounds, m := ws.t, c.rounds[:s.rounds], s.width
	tensor(g, t[:m], minus, rounds)
	if m < s.padded {
		t[m] = g.Mul(minus, tail(g, rounds, m))
	}
	g.ScaleVec(t[m-2:m], t[m-2:m], c.eta)
	places := min(m+1, s.padded)
	g.AddVec(ws.sum.Fixed[:places], ws.sum.Fixed[:places], t[:places])
}

// folded returns the only element of f after all rounds, Σ tᵢ·fᵢ. It overwrites
// f, which is 0 from the width on.
func (s *shared) folded(g group.Field, f, rounds []group.Scalar) group.Scalar {
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
