package bulletproof

import (
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// appendPrimed appends a row for each H′ᵢ.
func (s *scheme) appendPrimed(rows []group.Row, yInv []group.Scalar) []group.Row {
	for i := range yInv {
		rows = append(rows, group.Row{First: atLeft + s.N + i, Scalars: yInv[i : i+1]})
	}
	return rows
}

// appendStatic appends rows for -δ·P, -z·Σ Gᵢ and z·Σ Hᵢ, the part of K over the
// table: one by one, of the length of the rows of H′.
func appendStatic(g group.Group, m *round.Memory, rows []group.Row, delta, z group.Scalar) []group.Row {
	by := m.Scalars(3)
	by[0], by[1], by[2] = g.Neg(delta), g.Neg(z), z
	for i := range by {
		rows = append(rows, group.Row{First: atP + i, Scalars: by[i : i+1]})
	}
	return rows
}

// termsOfK returns K, given the H′ᵢ = y⁻ⁱ·Hᵢ and its part over the table:
//
//	K = C + x·D - z·Σ Gᵢ + Σ (z·yⁱ + z²·2ⁱ)·H′ᵢ - δ·P
//	  = C + x·D + z²·Σ 2ⁱ·H′ᵢ - δ·P - z·Σ Gᵢ + z·Σ Hᵢ
//
// The honest prover could also compute it as ⟨l, G⟩ + ⟨r, H′⟩, with 2n
// multiplications instead of two and n doublings.
func (c *claim) termsOfK(g group.Group, m *round.Memory, primed, static []group.Point) group.Terms {
	points, by, pow2 := m.Points(6), m.Scalars(2), m.Terms(1)
	pow2[0].Pow2 = primed
	g.MSMs(points[1:2], pow2)
	points[0] = c.p.D
	by[0], by[1] = c.x, g.Mul(c.z, c.z)
	copy(points[2:], static)
	points[5] = c.p.C
	return group.Terms{Points: points[:2], Scalars: by, Plus: points[2:]}
}

// argument is the inner-product argument for K = ⟨a, G⟩ + ⟨b, H′⟩ and
// t̂ = ⟨a, b⟩ (specification, section 7.3). Generators are not folded: cG and cH
// keep, for each original generator, the product of the challenges that folding
// would have multiplied it by, so that every L and R is a sum over the table.
type argument struct {
	*scheme
	x0      group.Scalar
	a, b    []group.Scalar // halved in each round
	cG, cH  []group.Scalar
	scratch []group.Scalar    // of one step
	terms   [2][]group.Scalar // scalars of L and R, by split
}

func (s *scheme) newArgument(m *round.Memory, x0 group.Scalar, lr vectors) argument {
	n := s.N
	a := argument{scheme: s, x0: x0, a: lr.l, b: lr.r, cG: m.Scalars(n), cH: m.Scalars(n),
		scratch: m.Scalars(n)}
	a.terms = [2][]group.Scalar{m.Scalars(n + 1), m.Scalars(n + 1)}
	copy(a.cG, s.Ones)
	copy(a.cH, lr.yInv)
	return a
}

// roundPhase names the rounds for groups that count.
var roundPhase = [maxRounds]string{"round 0", "round 1", "round 2", "round 3", "round 4", "round 5"}

// rows returns the cross terms of the current vectors a, b of length 2w,
//
//	L = Σ aᵢ·G₍w₊ᵢ₎ + Σ b₍w₊ᵢ₎·Hᵢ + (Σ aᵢ·b₍w₊ᵢ₎)·U
//	R = Σ a₍w₊ᵢ₎·Gᵢ + Σ bᵢ·H₍w₊ᵢ₎ + (Σ a₍w₊ᵢ₎·bᵢ)·U     with U = x₀·Q.
func (ar *argument) rows(g group.Group, j int) (left, right group.Row) {
	w, n := ar.N>>(j+1), ar.N
	l, r := ar.terms[0], ar.terms[1]
	ar.place(g, w, ar.cG, ar.a, l, r)
	ar.place(g, w, ar.cH, ar.b, r, l)
	l[n] = g.Mul(ar.x0, g.Inner(ar.a[:w], ar.b[w:2*w]))
	r[n] = g.Mul(ar.x0, g.Inner(ar.a[w:2*w], ar.b[:w]))
	return group.Row{Index: ar.split[j][0], Scalars: l}, group.Row{Index: ar.split[j][1], Scalars: r}
}

// place sets the terms of the original generators of one side: with the exchanged
// halves of v, in one row the upper places and in the other the rest.
func (ar *argument) place(g group.Group, w int, coefficients, v, upper, lower []group.Scalar) {
	exchange(ar.scratch, v[:2*w])
	g.MulVec(ar.scratch, coefficients, ar.scratch)
	for i, s := range ar.scratch {
		if i&w != 0 {
			upper[i] = s
		} else {
			lower[i] = s
		}
	}
}

// fold halves the vectors with the challenge x of round j:
//
//	a ← x·a₀ + x⁻¹·a₁,  b ← x⁻¹·b₀ + x·b₁,  G ← x⁻¹·G₀ + x·G₁,  H ← x·H₀ + x⁻¹·H₁
func (ar *argument) fold(g group.Group, j int, x, xInv group.Scalar) {
	w := ar.N >> (j + 1)
	g.FoldVec(ar.a[:w], ar.a[:w], ar.a[w:2*w], x, xInv)
	g.FoldVec(ar.b[:w], ar.b[:w], ar.b[w:2*w], xInv, x)
	alternate(ar.scratch, w, xInv, x)
	g.MulVec(ar.cG, ar.cG, ar.scratch)
	alternate(ar.scratch, w, x, xInv)
	g.MulVec(ar.cH, ar.cH, ar.scratch)
}

// exchange fills dst with copies of v with exchanged halves.
func exchange(dst, v []group.Scalar) {
	w := len(v) / 2
	for i := 0; i < len(dst); i += len(v) {
		copy(dst[i:], v[w:])
		copy(dst[i+w:], v[:w])
	}
}

// alternate fills dst with runs of w times low and w times high.
func alternate(dst []group.Scalar, w int, low, high group.Scalar) {
	for i := range dst {
		dst[i] = low
		if i&w != 0 {
			dst[i] = high
		}
	}
}
