package v2

import (
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

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
	l, k, m := pr.layout, pr.nonces, pr.m
	ofM := l.errors() // g₁, h and all slots except 0 and the separate one
	pr.index = resize(pr.index, ofM+2)
	rows := m.Rows(1 + l.blocks)
	rows[0] = k.rowOfM(m, pr.index[:ofM])
	for j := range l.blocks {
		rows[1+j] = group.Row{First: atH, Scalars: append(m.Scalars(1)[:0], k.rhoD(j))}
	}
	ofD1 := append(pr.index[:ofM], atH, int32(atErrors+l.apart()))[ofM:]
	rows[1] = group.Row{Index: ofD1, Scalars: append(m.Scalars(2)[:0], k.rhoD(0), k.eta(l.top+1))}
	return rows
}

// rowOfM returns the part of M without multiplicities. It writes its table indices to
// index.
func (n nonces) rowOfM(m *round.Memory, index []int32) group.Row {
	scalars := m.Scalars(len(index))
	index[0], scalars[0] = atG1, n.eta(2*n.top)
	index[1], scalars[1] = atH, n.rhoM()
	next := 2
	for s := 1; s < n.errors(); s++ {
		if s != n.apart() {
			index[next], scalars[next] = int32(atErrors+s), n.etas()[s-1]
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
	if blocks < MaxBlocks {
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
	l, m := pr.layout, pr.m
	rows := m.Rows(l.blocks)
	for j := range rows {
		blinded := append(m.Scalars(slots + 1)[:0], pr.nonces.rhoR(j))
		rows[j] = group.Row{First: atH, Scalars: append(blinded, pr.vector(2+j)...)} // h, G₀ … G₁₅
	}
	copy(pr.points[l.atR(0):], r.Phase("reciprocals").Fixed(pr.table(), rows...))
}

// commitMasks commits to the mask and to the errors:
//
//	S = Λ·s_t·g₀ + s_v·g₁ + ρ_S·h + Σ sᵢ·Gᵢ + Σ ℓ_E·H_slot(E)
//	Q = Ω·s_t·g₀ + k_v·g₁ + k_r·h
//
// With a public type, s_t is 0.
func (pr *prover) commitMasks(r round.Round) {
	r = r.Phase("masks")
	g, l, m, k, wt := r.Group, pr.layout, pr.m, pr.nonces, &pr.wt
	st, kv, kr := k.ofType()
	s := append(m.Scalars(l.generators())[:0], g.Mul(wt.lambdaSum, st), pr.sv, k.rhoS())
	s = append(append(s, k.mask()...), pr.errors...)
	q := append(m.Scalars(atSlots)[:0], g.Mul(wt.omegaSum, st), kv, kr)
	copy(pr.points[l.atS():], r.Fixed(pr.table(), pr.fromG0(s), pr.fromG0(q)))
}

// fromG0 returns the sum over g₀, g₁, …, without g₀ if the type is public.
func (pr *prover) fromG0(scalars []group.Scalar) group.Row {
	if pr.st.PublicType {
		return group.Row{First: atG1, Scalars: scalars[1:]}
	}
	return group.Row{First: atG0, Scalars: scalars}
}
