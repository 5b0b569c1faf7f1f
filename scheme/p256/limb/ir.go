package limb

import "fmt"

// An op is one of the four instructions over the accumulators c₀ … c₂ₙ₋₁.
type op int

const (
	// col k sets c_k to Σ aᵢ·b_{k−i}.
	col op = iota
	// sqr k sets c_k to Σ aᵢ·a_{k−i} with doubled cross products.
	sqr
	// reduce i, i ≥ n, replaces cᵢ·2^(b·i) by terms of lower weight that are
	// congruent to it.
	reduce
	// carry i moves cᵢ, rounded to a multiple of 2^b, into c_{i+1}.
	carry
)

// opNames are the names in proofs and messages.
var opNames = [...]string{col: "col", sqr: "sqr", reduce: "reduce", carry: "carry"}

func (o op) String() string { return opNames[o] }

// An instr is an instruction with the index of the accumulator it works on.
type instr struct {
	Op op
	I  int
}

// where names an instruction in messages.
func (in instr) where() string {
	switch in.Op {
	case carry:
		return fmt.Sprintf("carry %d into limb %d", in.I, in.I+1)
	case reduce:
		return fmt.Sprintf("reduce %d", in.I)
	default:
		return fmt.Sprintf("column %d", in.I)
	}
}

// A program is a sequence of instructions over 2n accumulators, which are 0 at
// first or hold the limbs of the operand.
type program []instr

// mult is the program of a product.
func (s Setting) mult() program { return s.product(col) }

// square is the program of a square.
func (s Setting) square() program { return s.product(sqr) }

func (s Setting) product(column op) (p program) {
	for k := range 2*s.Limbs - 1 {
		p = append(p, instr{column, k})
	}
	for i := 2*s.Limbs - 2; i >= s.Limbs; i-- {
		p = append(p, instr{reduce, i})
	}
	return append(p, s.small()...)
}

// small is the program that makes limbs short again, after a product or after
// additions.
func (s Setting) small() (p program) {
	n := s.Limbs
	for range s.Passes {
		p = append(p, instr{carry, n - 2}, instr{carry, n - 1}, instr{reduce, n})
		if s.ExtraTop {
			p = append(p, instr{carry, n - 1}, instr{reduce, n})
		}
		for i := range n - 1 {
			p = append(p, instr{carry, i})
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
