package v2

import (
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// setDigits splits the values of outputs into digits and counts them. Slots
// without output have the digit 0.
func (pr *prover) setDigits() {
	l := pr.layout
	clear(pr.digits)
	for o := range l.outputs {
		digitsOf(pr.digits[slots*l.block(o)+l.firstSlot(o):][:l.perOutput], pr.w.Outputs[o].Value)
	}
	clear(pr.counts)
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
	l, k := pr.layout, pr.layout.blocks
	for i := range pr.nibble {
		pr.nibble[i] = uint8(pr.counts[i%slots] >> (digitBits * (i / slots)) & (group.DigitBase - 1))
	}
	ofM := l.errors() // g₁, h and all slots except 0 and the separate one
	scalars, index := pr.row[:ofM], pr.index[:ofM]
	index[0], scalars[0] = atG1, pr.eta(2*l.top)
	index[1], scalars[1] = atH, *pr.rhoM()
	at := 2
	for s := 1; s < l.errors(); s++ {
		if s != l.apart() {
			index[at], scalars[at] = int32(atErrors+s), *pr.etaOf(s)
			at++
		}
	}
	rows := pr.rows[:1+k]
	rows[0] = group.Row{Index: index, Scalars: scalars}
	first, firstIndex := pr.row[ofM:ofM+2], pr.index[ofM:ofM+2]
	firstIndex[0], first[0] = atH, *pr.rhoD(0)
	firstIndex[1], first[1] = int32(atErrors+l.apart()), pr.eta(l.top+1)
	rows[1] = group.Row{Index: firstIndex, Scalars: first}
	for j := 1; j < k; j++ {
		own := pr.row[ofM+1+j : ofM+2+j]
		own[0] = *pr.rhoD(j)
		rows[1+j] = group.Row{First: atH, Scalars: own}
	}
	pr.digitRows[0] = pr.nibble
	for j := range k {
		pr.digitRows[1+j] = pr.digits[slots*j:][:slots]
	}
	r = r.Phase("digits")
	copy(pr.points, r.Fixed(pr.params.table(atErrors+l.errors()), rows...))
	r.Group.AddDigits(pr.points[:1+k], pr.params.digits, pr.digitRows[:1+k])
}

// setReciprocals sets r_jᵢ = 1/(e + d_jᵢ), the vectors of R_j.
func (pr *prover) setReciprocals() {
	pr.wt.reciprocals(pr.params.group, pr.ch.e)
	table := (*[group.DigitBase]group.Scalar)(pr.wt.iota)
	for i, d := range pr.digits {
		pr.vectors[i] = group.SelectScalar(table, d)
	}
}

// commitReciprocals commits to the reciprocals: R_j = Σ r_jᵢ·Gᵢ + ρ_Rj·h.
func (pr *prover) commitReciprocals(r round.Round) {
	l, rows := pr.layout, pr.rows[:pr.layout.blocks]
	for j := range rows {
		own := pr.row[(slots+1)*j:][:slots+1]
		own[0] = *pr.rhoR(j)
		copy(own[1:], pr.vectors[slots*j:][:slots])
		rows[j] = group.Row{First: atH, Scalars: own} // h, G₀ … G₁₅
	}
	copy(pr.points[l.atR(0):], r.Phase("reciprocals").Fixed(pr.params.table(atErrors+l.errors()), rows...))
}

// commitMasks commits to the mask and to the errors:
//
//	S = Λ·s_t·g₀ + s_v·g₁ + ρ_S·h + Σ sᵢ·Gᵢ + Σ ℓ_E·H_slot(E)
//	Q = Ω·s_t·g₀ + k_v·g₁ + k_r·h
//
// With a public type, s_t is 0.
func (pr *prover) commitMasks(r round.Round) {
	r = r.Phase("masks")
	g, l := r.Group, pr.layout
	st, kv, kr := pr.typeMasks()[0], pr.typeMasks()[1], pr.typeMasks()[2]
	s, q := pr.row[:atErrors+l.errors()], pr.row[atErrors+l.errors():][:atSlots]
	s[atG0], s[atG1], s[atH] = g.Mul(pr.wt.lambdaSum, st), pr.sv, *pr.rhoS()
	copy(s[atSlots:], pr.mask())
	copy(s[atErrors:], pr.errors)
	q[atG0], q[atG1], q[atH] = g.Mul(pr.wt.omegaSum, st), kv, kr
	rows := pr.rows[:2]
	rows[0], rows[1] = group.Row{First: atG0, Scalars: s}, group.Row{First: atG0, Scalars: q}
	if pr.st.PublicType {
		rows[0], rows[1] = group.Row{First: atG1, Scalars: s[atG1:]}, group.Row{First: atG1, Scalars: q[atG1:]}
	}
	copy(pr.points[l.atS():], r.Fixed(pr.params.table(atErrors+l.errors()), rows...))
}
