package csp

import (
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// beginArgument starts the argument that the prover knows w with W = Σ wᵢ·Eᵢ and
// λ′ = ⟨f, w⟩, which halves w, E and f in each round (specification, section 8.3,
// step 10). Generators are not folded: a folded one is Σ cf·E over the original
// ones with an index that is the same modulo its length, where cf is a product of
// challenges that depends on the rest of the index only. So every Lc and Rc is a
// sum over the table.
func (pr *prover) beginArgument(group.Group, *rangeproof.Lockstep) error {
	pr.tr.argument(pr.header, pr.masked.w, pr.f, pr.masked.lambda)
	pr.cf[0] = pr.Ones[0]
	return nil
}

// roundPhase names the phases of the rounds for counting groups.
var roundPhase = [maxRounds]string{
	"round 0", "round 1", "round 2", "round 3", "round 4", "round 5", "round 6", "round 7",
}

// roundStep commits to the cross terms of the current vectors of length 2d,
//
//	Lc = Σ w₍d₊ᵢ₎·Eᵢ,  Rc = Σ wᵢ·E₍d₊ᵢ₎,  ℓ = Σ fᵢ·w₍d₊ᵢ₎,  r = Σ f₍d₊ᵢ₎·wᵢ
//
// and halves the vectors.
func roundStep(j int) step {
	return step{
		Phases: []string{phaseArgument, roundPhase[j]},
		Ask:    func(pr *prover, g group.Group, sums *rangeproof.Lockstep) { pr.askCross(g, j, sums) },
		Then: func(pr *prover, g group.Group, sums *rangeproof.Lockstep) error {
			m := pr.takeCross(g, j, sums)
			pr.p.LeftC[j], pr.p.RightC[j], pr.p.Left[j], pr.p.Right[j] = m.lc, m.rc, m.l, m.r
			pr.fold(g, j, pr.tr.round(m))
			return nil
		},
	}
}

// askCross requests Lc and Rc.
func (pr *prover) askCross(g group.Group, j int, sums *rangeproof.Lockstep) {
	d := pr.padded >> (j + 1)
	spread(pr.scratch, pr.cf[:1<<j])
	sums.Ask(pr.row(g, j, 0, pr.w[d:2*d]))
	sums.Ask(pr.row(g, j, 1, pr.w[:d]))
}

func (pr *prover) takeCross(g group.Group, j int, sums *rangeproof.Lockstep) message {
	d := pr.padded >> (j + 1)
	return message{
		lc: sums.Next(), rc: sums.Next(),
		l: g.Inner(pr.f[:d], pr.w[d:2*d]), r: g.Inner(pr.f[d:2*d], pr.w[:d]),
	}
}

// fold halves the vectors with the challenge c of round j:
//
//	E ← E₀ + c·E₁,  f ← f₀ + c·f₁,  w ← c·w₀ + w₁
func (pr *prover) fold(g group.Group, j int, c group.Scalar) {
	d := pr.padded >> (j + 1)
	fold(g, pr.f[:d], pr.f[d:2*d], c)
	g.ScaleVec(pr.w[:d], pr.w[:d], c)
	g.AddVec(pr.w[:d], pr.w[:d], pr.w[d:2*d])
	interleave(g, pr.cf[:2<<j], pr.scratch[:1<<j], c)
}

// row returns one sum of round j over the original generators of its side: side
// 0 is Lc with the upper half of w, side 1 is Rc with the lower half. The
// scratch holds the cf of each term.
func (pr *prover) row(g group.Group, j, side int, half []group.Scalar) group.Row {
	terms, places := pr.terms[side], pr.split[j][side]
	tile(terms, half)
	g.MulVec(terms, terms, pr.scratch[:len(terms)])
	if last := len(places) - 1; int(places[last]) == pr.atPadding() {
		padding := terms[last:]
		terms[last] = g.Inner(padding, pr.Ones[:len(padding)])
	}
	d := pr.padded >> (j + 1)
	for _, k := range [2]int{pr.atG1(), pr.atH()} {
		if k/d&1 == side {
			at := k/(2*d)*d + k%d
			terms[at] = g.Mul(terms[at], pr.ch.eta)
		}
	}
	return group.Row{Index: places, Scalars: terms[:len(places)]}
}

// spread fills half of dst, the terms of one side: each element of v is
// repeated over its run.
func spread(dst, v []group.Scalar) {
	run := len(dst) / 2 / len(v)
	for t := range v {
		for i := t * run; i < (t+1)*run; i++ {
			dst[i] = v[t]
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
