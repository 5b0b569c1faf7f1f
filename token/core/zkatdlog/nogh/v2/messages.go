package v2

import (
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// The tables of this file determine numbers, places, names and encoding of
// everything in a proof (sections 4, 6 and 9). Other code asks them by name.

// size is a number of items: fixed ones, and some for each block.
type size struct{ fixed, block int }

var one, eachBlock = size{fixed: 1}, size{block: 1}

func (l *layout) count(s size) int { return s.fixed + s.block*l.blocks }

// step is a round of a proof. Its messages are absorbed before its challenges are
// drawn.
type step int

const (
	digitStep      step = iota // e
	reciprocalStep             // χ, ζ, λ, y, ω
	maskStep                   // x
	steps
)

// message is one or several points of a proof. In its equation it stands with a
// power of x.
type message struct {
	name     string
	size     size
	step     step
	blinding string                        // the nonce with h
	power    func(l layout, block int) int // the exponent of x
	equation int                           // main or type equation
	scaled   bool                          // by θ_j
}

const (
	mainEquation = iota
	typeEquation
)

// messages are the points of a proof in the order of the steps.
// R and D of a block meet at exponent K in a product; all other pairs have
// different sums of exponents.
var messages = []message{
	{name: "M", size: one, step: digitStep, blinding: "ρ_M", power: func(l layout, _ int) int {
		return l.top - 1
	}},
	{name: "D", size: eachBlock, step: digitStep, blinding: "ρ_D", power: func(l layout, j int) int {
		return l.top - 2 - j
	}, scaled: true},
	{name: "R", size: eachBlock, step: reciprocalStep, blinding: "ρ_R", power: func(_ layout, j int) int {
		return 2 + j
	}},
	{name: "S", size: one, step: maskStep, blinding: "ρ_S", power: layout.last},
	{name: "Q", size: one, step: maskStep, blinding: "k_r", power: layout.last, equation: typeEquation},
}

func (l layout) last(int) int { return l.top }

// part is one or several scalars.
type part struct {
	name       string
	size       size
	hiddenOnly bool // absent if the type is public
}

// nonceParts are the nonces in the order of drawing. η are for the slots of errors
// from 1 on, and last for 2K, which counts as the slot after them.
var nonceParts = []part{
	{name: "ρ_M", size: one},
	{name: "ρ_S", size: one},
	{name: "ρ_D", size: eachBlock},
	{name: "ρ_R", size: eachBlock},
	{name: "s", size: size{fixed: slots}},
	{name: "η", size: size{2, 4}},
	{name: "s_t", size: one},
	{name: "k_v", size: one},
	{name: "k_r", size: one},
}

// responseParts are the responses in their order; l begins with slot 1.
var responseParts = []part{
	{name: "w", size: size{fixed: slots}},
	{name: "l", size: size{1, 4}},
	{name: "z_v", size: one},
	{name: "z_h", size: one},
	{name: "z_t", size: one, hiddenOnly: true},
	{name: "q_v", size: one},
	{name: "q_r", size: one},
}

// coefficient returns the factor of a point in its equation.
func (m *message) coefficient(g group.Group, l layout, w *weights, x []group.Scalar, block int) group.Scalar {
	c := x[m.power(l, block)]
	if m.scaled {
		c = g.Mul(w.theta[block], c)
	}
	return c
}

// find returns a message and the number of points before it. Names are literals of this package,
// all of which each proof uses, so that a wrong one fails every test.
func (l *layout) find(name string) (m *message, before int) {
	for i := range messages {
		m = &messages[i]
		if m.name == name {
			return m, before
		}
		before += l.count(m.size)
	}
	panic("v2: no message " + name)
}

// at returns the place of a point among all.
func (l layout) at(name string, block int) int {
	_, before := l.find(name)
	return before + block
}

// power returns the exponent of x of a point.
func (l layout) power(name string, block int) int {
	m, _ := l.find(name)
	return m.power(l, block)
}

// span returns the place and the number of the points of a step.
func (l layout) span(s step) (first, count int) {
	for i := range messages {
		n := l.count(messages[i].size)
		if messages[i].step < s {
			first += n
		} else if messages[i].step == s {
			count += n
		}
	}
	return first, count
}

// points is the number of all points.
func (l layout) points() int {
	all, _ := l.span(steps)
	return all
}

// scalars is the number of scalars in parts.
func (l layout) scalars(parts []part) (n int) {
	for i := range parts {
		n += l.partLen(&parts[i])
	}
	return n
}

// partLen is the number of scalars of a part.
func (l *layout) partLen(p *part) int {
	if p.hiddenOnly && l.publicType {
		return 0
	}
	return l.count(p.size)
}

// named are scalars with names: nonces or responses.
type named struct {
	layout
	parts []part
	all   []group.Scalar
}

// get returns the scalars of a name.
func (n *named) get(name string) []group.Scalar {
	before := 0
	for i := range n.parts {
		p := &n.parts[i]
		size := n.partLen(p)
		if p.name == name {
			return n.all[before:][:size]
		}
		before += size
	}
	panic("v2: no scalar " + name)
}

// setDigits splits the values of outputs into digits and counts them. Slots
// without output have the digit 0.
func (pr *prover) setDigits() {
	l, n := pr.layout, slots*pr.layout.blocks
	pr.digits = pr.m.Bytes(n)[:n]
	for o := range l.outputs {
		digitsOf(pr.digits[slots*l.block(o)+l.firstSlot(o):][:l.perOutput], pr.w.Outputs[o].Value)
	}
	clear(pr.counts[:])
	for _, d := range pr.digits {
		for value := range pr.counts {
			pr.counts[value] += uint16(group.EqualMask(uint8(value), d) & 1)
		}
	}
}

// commitDigits commits to digits and multiplicities:
//
//	M   = Σ m_δ·G_δ + ρ_M·h + η_2K·g₁ + Σ η_E·H_slot(E),  E = 4 … 2K - 1 but K, K + 1
//	D₁  = Σ d₁ᵢ·Gᵢ + ρ_D1·h + η_(K+1)·H_slot(K+1)
//	D_j = Σ d_jᵢ·Gᵢ + ρ_Dj·h
func (pr *prover) commitDigits(r round.Round) {
	r = r.Phase("digits")
	pr.points = pr.m.Points(pr.layout.points())
	sums := r.Fixed(pr.table(), pr.blindings()...)
	copy(pr.points, sums)
	r.Group.AddDigits(pr.points[:len(sums)], pr.params.digits, pr.committedDigits())
}

// blindings returns the parts of M, D₁ … D_k without digits.
func (pr *prover) blindings() []group.Row {
	l, m, rhoD := pr.layout, pr.m, pr.nonces.get("ρ_D")
	ofM := l.errors() // g₁, h and all slots except 0 and the separate one
	pr.index = resize(pr.index, ofM+2)
	rows := m.Rows(1 + l.blocks)
	rows[0] = pr.rowOfM(pr.index[:ofM])
	for j := range l.blocks {
		rows[1+j] = group.Row{First: atH, Scalars: append(m.Scalars(1)[:0], rhoD[j])}
	}
	ofD1 := append(pr.index[:ofM], atH, int32(atErrors+l.separate()))[ofM:]
	rows[1] = group.Row{Index: ofD1,
		Scalars: append(m.Scalars(2)[:0], rhoD[0], pr.nonces.get("η")[l.separate()-1])}
	return rows
}

// rowOfM returns the part of M without multiplicities. It writes its table indices to
// index.
func (pr *prover) rowOfM(index []int32) group.Row {
	scalars, eta := pr.m.Scalars(len(index)), pr.nonces.get("η")
	index[0], scalars[0] = atG1, eta[len(eta)-1]
	index[1], scalars[1] = atH, pr.nonces.get("ρ_M")[0]
	next := 2
	for s := 1; s < len(eta); s++ {
		if s != pr.layout.separate() {
			index[next], scalars[next] = int32(atErrors+s), eta[s-1]
			next++
		}
	}
	return group.Row{Index: index, Scalars: scalars}
}

// committedDigits returns the digits of M, D₁ … D_k: first the nibbles of the
// multiplicities, all lowest nibbles first.
func (pr *prover) committedDigits() [][]uint8 {
	k := pr.layout.blocks
	nibble := pr.m.Bytes(slots * nibbles(k))[:slots*nibbles(k)]
	for i := range nibble {
		nibble[i] = uint8(pr.counts[i%slots] >> (digitBits * (i / slots)) & (group.DigitBase - 1))
	}
	rows := append(pr.digitRows[:0], nibble)
	for j := range k {
		rows = append(rows, pr.digits[slots*j:][:slots])
	}
	pr.digitRows = rows
	return rows
}

// nibbles is the number of nibbles of a multiplicity, which is at most 16k.
func nibbles(blocks int) int {
	if blocks < maxBlocks {
		return 2
	}
	return 3
}

// setReciprocals sets r_jᵢ = 1/(e + d_jᵢ), the vectors of R_j.
func (pr *prover) setReciprocals() {
	l, m, wt := pr.layout, pr.m, &pr.wt
	pr.vectors = m.Scalars(slots * (l.top - 1))
	wt.cutVectors(m, l)
	wt.reciprocals(pr.g, pr.ch.e)
	table := (*[group.DigitBase]group.Scalar)(wt.iota)
	for i, d := range pr.digits {
		pr.vectors[i] = group.SelectScalar(table, d)
	}
}

// commitReciprocals commits to the reciprocals: R_j = Σ r_jᵢ·Gᵢ + ρ_Rj·h.
func (pr *prover) commitReciprocals(r round.Round) {
	l, m, rhoR := pr.layout, pr.m, pr.nonces.get("ρ_R")
	rows := m.Rows(l.blocks)
	for j := range rows {
		blinded := append(m.Scalars(slots + 1)[:0], rhoR[j])
		// h, G₀ … G₁₅
		rows[j] = group.Row{First: atH, Scalars: append(blinded, pr.vector(l.power("R", j))...)}
	}
	copy(pr.points[l.at("R", 0):], r.Phase("reciprocals").Fixed(pr.table(), rows...))
}

// commitMasks commits to the mask and to the errors:
//
//	S = Λ·s_t·g₀ + s_v·g₁ + ρ_S·h + Σ sᵢ·Gᵢ + Σ ℓ_E·H_slot(E)
//	Q = Ω·s_t·g₀ + k_v·g₁ + k_r·h
//
// With a public type, s_t is 0.
func (pr *prover) commitMasks(r round.Round) {
	r = r.Phase("masks")
	g, l, m := r.Group, pr.layout, pr.m
	k, wt := &pr.nonces, &pr.wt
	st := k.get("s_t")[0]
	s := append(m.Scalars(l.generators())[:0], g.Mul(wt.lambdaSum, st), pr.sv, k.get("ρ_S")[0])
	s = append(append(s, k.get("s")...), pr.errors...)
	q := append(m.Scalars(atSlots)[:0], g.Mul(wt.omegaSum, st), k.get("k_v")[0], k.get("k_r")[0])
	copy(pr.points[l.at("S", 0):], r.Fixed(pr.table(), pr.fromG0(s), pr.fromG0(q)))
}

// fromG0 returns the sum over g₀, g₁, …, without g₀ if the type is public.
func (pr *prover) fromG0(scalars []group.Scalar) group.Row {
	if pr.st.PublicType {
		return group.Row{First: atG1, Scalars: scalars[1:]}
	}
	return group.Row{First: atG0, Scalars: scalars}
}
