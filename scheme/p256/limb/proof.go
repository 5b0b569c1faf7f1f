package limb

import (
	"encoding/json"
	"math/big"
)

// A Proof shows that no accumulator of a setting's programs can overflow: the
// invariant holds for decoded values, and the steps of both programs lead from
// values within it to results within it. Package proofcheck verifies one
// without code of this package. All bounds fit 64 bits.
type Proof struct {
	ModulusBits int        `json:"modulusBits"`
	Terms       [][2]int64 `json:"terms"` // coefficient, exponent: see Modulus.Terms
	Bits        int        `json:"bits"`
	Limbs       int        `json:"limbs"`
	Word        int        `json:"word"`
	Passes      int        `json:"passes"`
	ExtraTop    bool       `json:"extraTop"`
	MaxAdds     int        `json:"maxAdds"`
	// Invariant is the lowest and the highest value of each limb of a value
	// with count 0.
	Invariant [][2]int64 `json:"invariant"`
	Product   []Step     `json:"product"`
	Reduction []Step     `json:"reduction"`
}

// A Step is an instruction with the intervals that it changes: accumulator,
// lowest value, highest value.
type Step struct {
	Op  string     `json:"op"`
	I   int        `json:"i"`
	Set [][3]int64 `json:"set"`
}

// Encode returns the proof as JSON.
func (p *Proof) Encode() ([]byte, error) { return json.MarshalIndent(p, "", " ") }

// proof writes down every step from the invariant s, which fixPoint returned.
func (a *analysis) proof(s []interval) *Proof {
	p := &Proof{
		ModulusBits: a.Modulus.Bits, Bits: a.Bits, Limbs: a.Limbs, Word: a.Word,
		Passes: a.Passes, ExtraTop: a.ExtraTop, MaxAdds: a.MaxAdds,
	}
	for _, t := range a.Modulus.Terms {
		p.Terms = append(p.Terms, [2]int64{t.Coef, int64(t.Exp)})
	}
	for _, x := range s {
		p.Invariant = append(p.Invariant, [2]int64{x.lo.Int64(), x.hi.Int64()})
	}
	to := func(steps *[]Step) func(instr) {
		return func(in instr) { *steps = append(*steps, a.record(in)) }
	}
	a.peak = Bound{}
	a.round(s, to(&p.Product), to(&p.Reduction))
	return p
}

// record returns the step that has just been executed.
func (a *analysis) record(in instr) Step {
	changed := []int{in.I}
	switch in.Op {
	case carry:
		changed = append(changed, in.I+1)
	case reduce:
		changed = changed[:0]
		for i := range in.I + 1 {
			if i == in.I || a.reaches(in.I, i) {
				changed = append(changed, i)
			}
		}
	}
	s := Step{Op: in.Op.String(), I: in.I}
	for _, i := range changed {
		s.Set = append(s.Set, [3]int64{int64(i), a.c[i].lo.Int64(), a.c[i].hi.Int64()})
	}
	return s
}

// reaches reports whether reduce from changes accumulator to.
func (a *analysis) reaches(from, to int) bool {
	for _, f := range a.fold {
		if to == from-f.low+1 || to == from-f.low && !f.whole(a.Bits) {
			return true
		}
	}
	return false
}

// Margin returns how many times size fits into the largest absolute value of
// a word.
func (s Setting) Margin(size *big.Int) float64 {
	end := new(big.Float).SetMantExp(big.NewFloat(1), s.Word-1)
	m, _ := end.Quo(end, new(big.Float).SetInt(size)).Float64()
	return m
}
