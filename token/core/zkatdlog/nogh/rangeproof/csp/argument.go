package csp

import (
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// argument shows that the prover knows w with W = Σ wᵢ·Eᵢ and λ′ = ⟨f, w⟩. It
// halves w, E and f in each round (specification, section 8.3, step 10).
// Generators are not folded: a folded one is Σ cf·E over the original ones with an
// index equal modulo its length, where cf is a product of challenges
// that depends on the rest of the index only. So every Lc and Rc is a sum over the
// table.
type argument struct {
	*scheme
	eta     group.Scalar
	w, f    []group.Scalar    // halved in each round
	cf      []group.Scalar    // coefficient of each run of original generators
	scratch []group.Scalar    // of one step
	terms   [2][]group.Scalar // scalars of Lc and Rc
}

func (s *scheme) newArgument(m *round.Memory, w, f []group.Scalar, eta group.Scalar) argument {
	half := s.padded / 2
	a := argument{scheme: s, eta: eta, w: w, f: f, cf: m.Scalars(s.padded), scratch: m.Scalars(s.padded)}
	a.terms = [2][]group.Scalar{m.Scalars(half), m.Scalars(half)}
	a.cf[0] = s.Ones[0]
	return a
}

// roundPhase names the phases of the rounds for counting groups.
var roundPhase = [maxRounds]string{
	"round 0", "round 1", "round 2", "round 3", "round 4", "round 5", "round 6", "round 7",
}

// rows returns the cross terms Lc and Rc of round j, for vectors of length 2d:
//
//	Lc = Σ w₍d₊ᵢ₎·Eᵢ,  Rc = Σ wᵢ·E₍d₊ᵢ₎
func (a *argument) rows(g group.Group, j int) (left, right group.Row) {
	d := a.padded >> (j + 1)
	spread(a.scratch, a.cf[:1<<j])
	return a.row(g, j, 0, a.w[d:2*d]), a.row(g, j, 1, a.w[:d])
}

// message returns the message of round j with the sums of its rows, and
//
//	ℓ = Σ fᵢ·w₍d₊ᵢ₎,  r = Σ f₍d₊ᵢ₎·wᵢ
func (a *argument) message(g group.Group, j int, sums []group.Point) message {
	d := a.padded >> (j + 1)
	return message{
		lc: sums[0], rc: sums[1],
		l: g.Inner(a.f[:d], a.w[d:2*d]), r: g.Inner(a.f[d:2*d], a.w[:d]),
	}
}

// fold halves the vectors with the challenge c of round j:
//
//	E ← E₀ + c·E₁,  f ← f₀ + c·f₁,  w ← c·w₀ + w₁
func (a *argument) fold(g group.Group, j int, c group.Scalar) {
	d := a.padded >> (j + 1)
	fold(g, a.f[:d], a.f[d:2*d], c)
	g.ScaleVec(a.w[:d], a.w[:d], c)
	g.AddVec(a.w[:d], a.w[:d], a.w[d:2*d])
	interleave(g, a.cf[:2<<j], a.scratch[:1<<j], c)
}

// row returns one sum of round j over the original generators of its side: side
// 0 is Lc with the upper half of w, side 1 is Rc with the lower half. The
// scratch holds the cf of each term.
func (a *argument) row(g group.Group, j, side int, half []group.Scalar) group.Row {
	terms, places := a.terms[side], a.split[j][side]
	tile(terms, half)
	g.MulVec(terms, terms, a.scratch[:len(terms)])
	if last := len(places) - 1; int(places[last]) == a.atPadding() {
		padding := terms[last:]
		terms[last] = g.Inner(padding, a.Ones[:len(padding)])
	}
	d := a.padded >> (j + 1)
	for _, k := range [2]int{a.atG1(), a.atH()} {
		if k/d&1 == side {
			at := k/(2*d)*d + k%d
			terms[at] = g.Mul(terms[at], a.eta)
		}
	}
	return group.Row{Index: places, Scalars: terms[:len(places)]}
}

// spread fills half of dst, the terms of one side: each element of v is
// repeated over its run.
func spread(dst, v []group.Scalar) {
	run := len(dst) / 2 / len(v)
	for t, x := range v {
		for i := range run {
			dst[t*run+i] = x
		}
	}
}

// tile fills dst with copies of v.
func tile(dst, v []group.Scalar) {
	for i := 0; i < len(dst); i += len(v) {
		copy(dst[i:], v)
	}
}

// interleave replaces the first m = len(v)/2 entries x of v by x, c·x each.
func interleave(g group.Group, v, scratch []group.Scalar, c group.Scalar) {
	m := len(v) / 2
	g.ScaleVec(scratch, v[:m], c)
	for t := m - 1; t >= 0; t-- {
		v[2*t], v[2*t+1] = v[t], scratch[t]
	}
}
