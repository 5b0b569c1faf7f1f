package limb

import "fmt"

// An Op is one of the four instructions over the accumulators c₀ … c₂ₙ₋₁.
type Op int

const (
	// Col k sets c_k to Σ aᵢ·b_{k−i}.
	Col Op = iota
	// Sqr k sets c_k to Σ aᵢ·a_{k−i} with doubled cross products.
	Sqr
	// Reduce i, i ≥ n, replaces cᵢ·2^(b·i) by terms of lower weight that are
	// congruent to it.
	Reduce
	// Carry i moves cᵢ, rounded to a multiple of 2^b, into c_{i+1}.
	Carry
)

// opNames are the names in proofs and messages.
var opNames = [...]string{Col: "col", Sqr: "sqr", Reduce: "reduce", Carry: "carry"}

func (o Op) String() string { return opNames[o] }

// An Instr is an instruction with the index of the accumulator it works on.
type Instr struct {
	Op Op
	I  int
}

// where names an instruction in messages.
func (in Instr) where() string {
	switch in.Op {
	case Carry:
		return fmt.Sprintf("carry %d into limb %d", in.I, in.I+1)
	case Reduce:
		return fmt.Sprintf("reduce %d", in.I)
	default:
		return fmt.Sprintf("column %d", in.I)
	}
}

// A Program is a sequence of instructions over 2n accumulators, which are 0 at
// first or hold the limbs of the operand.
type Program []Instr

// mult is the program of a product.
func (s Setting) mult() Program { return s.product(Col) }

// Square is the program of a square.
func (s Setting) Square() Program { return s.product(Sqr) }

func (s Setting) product(column Op) (p Program) {
	for k := range 2*s.Limbs - 1 {
		p = append(p, Instr{column, k})
	}
	for i := 2*s.Limbs - 2; i >= s.Limbs; i-- {
		p = append(p, Instr{Reduce, i})
	}
	return append(p, s.small()...)
}

// small is the program that makes limbs short again, after a product or after
// additions.
func (s Setting) small() (p Program) {
	n := s.Limbs
	for range s.Passes {
		p = append(p, Instr{Carry, n - 2}, Instr{Carry, n - 1}, Instr{Reduce, n})
		if s.ExtraTop {
			p = append(p, Instr{Carry, n - 1}, Instr{Reduce, n})
		}
		for i := range n - 1 {
			p = append(p, Instr{Carry, i})
		}
	}
	return p
}

// A fold says where one term of the modulus takes accumulator i: with
// x = cᵢ, coef·((x << off) mod 2^b) is added to c_{i−low} and
// coef·(x >> (b − off)) to c_{i−low+1}. If off is b, the whole of coef·x is
// added to c_{i−low+1}.
type fold struct {
	coef int64
	low  int
	off  uint
}

// whole reports whether x is added to one accumulator without being split.
func (f fold) whole(bits int) bool { return f.off == uint(bits) }

// folds returns one fold for each term s·2^w: with D = Modulus.Bits − w,
// low = ⌊D/b⌋ + 1 and off = low·b − D.
func (g Geometry) folds() []fold {
	fs := make([]fold, len(g.Modulus.Terms))
	for i, t := range g.Modulus.Terms {
		d := g.Modulus.Bits - t.Exp
		low := d/g.Bits + 1
		fs[i] = fold{t.Coef, low, uint(low*g.Bits - d)}
	}
	return fs
}
