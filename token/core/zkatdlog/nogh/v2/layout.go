package v2

import "github.com/zkatbench/zkatbench/token/crypto/group"

// slots is the number of generators Gᵢ; each carries one digit of every block.
const slots = 16

// digitBits is the size of a digit.
const digitBits = 4

// layout is the shape of a proof (section 4).
type layout struct {
	inputs, outputs int // n, m
	perOutput       int // ν, digits of an output
	perBlock        int // π, outputs of a block
	blocks          int // k
	top             int // K
	publicType      bool
}

// layoutOf returns the layout of a proof of st.
func (p *Params) layoutOf(st *Statement) layout {
	l := p.layout(len(st.Inputs), len(st.Outputs))
	l.publicType = st.PublicType
	return l
}

// layout returns the layout for a hidden type.
func (p *Params) layout(inputs, outputs int) layout {
	l := layout{inputs: inputs, outputs: outputs, perOutput: p.bits / digitBits,
		perBlock: slots * digitBits / p.bits}
	l.blocks = (outputs + l.perBlock - 1) / l.perBlock
	l.top = 2*l.blocks + 3
	return l
}

// tokens is n + m.
func (l layout) tokens() int { return l.inputs + l.outputs }

// block returns j - 1 for output o - 1.
func (l layout) block(output int) int { return output / l.perBlock }

// firstSlot returns s(o) for output o - 1.
func (l layout) firstSlot(output int) int { return l.perOutput * (output % l.perBlock) }

// output returns o - 1 for the output with a digit in a slot of block j - 1; ok
// is false for an unused slot.
func (l layout) output(block, slot int) (int, bool) {
	o := block*l.perBlock + slot/l.perOutput
	return o, o < l.outputs
}

// errors is the number of error coefficients with a generator H_s: exponents 3
// to 2K - 1 except K.
func (l layout) errors() int { return 4*l.blocks + 2 }

// generators is the number of generators of a proof.
func (l layout) generators() int { return atErrors + l.errors() }

// slot returns the number s of the generator of error E.
func (l layout) slot(exponent int) int {
	if exponent < l.top {
		return exponent - 3
	}
	return exponent - 4
}

// exponent is the inverse of slot.
func (l layout) exponent(slot int) int {
	if slot+3 < l.top {
		return slot + 3
	}
	return slot + 4
}

// separate is the slot of error K + 1, the only one with its nonce in D₁.
func (l layout) separate() int { return l.slot(l.top + 1) }

// Indices in the table of generators: g₀, g₁, h, G₀ … G₁₅, H₀ ….
const (
	atG0 = iota
	atG1
	atH
	atSlots
	atErrors = atSlots + slots
)

// maxErrors is the number of generators H_s.
const maxErrors = 4*maxBlocks + 2

// generators is the number of all generators.
const generators = atErrors + maxErrors

// digitsOf writes the digits of a value, lowest first.
func digitsOf(dst []uint8, value uint64) {
	for u := range dst {
		dst[u] = uint8(value >> (digitBits * u) & (group.DigitBase - 1))
	}
}
