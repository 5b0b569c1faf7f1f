// Package proofcheck verifies proofs of head-room. It shares no code with the
// analyser that writes them and imports only the standard library, so a reader
// who trusts these lines need not trust the analyser.
//
// A proof is a table of intervals. Check follows the two programs of a setting,
// a product and a reduction, and requires of every step that the claimed
// intervals hold all possible results and fit a word. By induction no
// accumulator overflows in any sequence of products, counted additions and
// reductions, so wrapping arithmetic gives the exact integers.
package proofcheck

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
)

// A Claim is the subject of a proof: values modulo p = 2^ModulusBits − ΣTerms
// in Limbs signed limbs of Bits bits; products of operands with up to MaxAdds
// additions; additions up to a count of Word/2 − Bits + 1.
type Claim struct {
	ModulusBits, Bits, Limbs, Word, Passes, MaxAdds int
	// ExtraTop says that each pass reduces the top limb twice.
	ExtraTop bool
	// Terms are pairs of a coefficient and an exponent.
	Terms [][2]int64
}

// A step is an instruction with the intervals that it changes: accumulator,
// lowest value, highest value.
type step struct {
	Op  string
	I   int
	Set [][3]int64
}

type interval struct{ lo, hi *big.Int }

func span(lo, hi int64) interval { return interval{big.NewInt(lo), big.NewInt(hi)} }

func (x interval) holds(y interval) bool { return x.lo.Cmp(y.lo) <= 0 && x.hi.Cmp(y.hi) >= 0 }

// Check returns the claim that the proof in raw, as JSON, shows, or an error
// that says where it does not.
func Check(raw []byte) (Claim, error) {
	var p struct {
		Claim
		Invariant          [][2]int64
		Product, Reduction []step
	}
	if err := json.Unmarshal(raw, &p); err != nil {
		return Claim{}, fmt.Errorf("proofcheck: %w", err)
	}
	n, b, top := p.Limbs, p.Bits, p.ModulusBits-p.Bits*(p.Limbs-1)
	sane := p.Word <= 64 && b <= p.Word/2 && n >= 2 && n <= 64 && top >= 0 && top <= b-4 &&
		p.Passes >= 1 && p.Passes <= 4 && p.MaxAdds >= 0 && p.MaxAdds <= 32 && len(p.Invariant) == n
	for _, t := range p.Terms {
		sane = sane && t[0]>>20 == t[0]>>63 && t[1] >= 0 && t[1] <= int64(p.ModulusBits-b)
	}
	if !sane {
		return Claim{}, fmt.Errorf("proofcheck: the setting is out of range: %+v", p.Claim)
	}
	inv := slices.Repeat([]interval{span(0, 0)}, 2*n) // of all accumulators; the upper half stays 0
	for i, v := range p.Invariant {
		decoded := span(-1<<(b-1), 1<<(b-1)-1)
		if i == n-1 {
			decoded = span(0, 1<<top)
		}
		inv[i] = span(v[0], v[1])
		if !inv[i].holds(decoded) {
			return Claim{}, fmt.Errorf("proofcheck: the invariant does not hold limb %d of decoded values", i)
		}
	}
	var product, small []step
	for k := range 2*n - 1 {
		product = append(product, step{Op: "col", I: k})
	}
	for i := 2*n - 2; i >= n; i-- {
		product = append(product, step{Op: "reduce", I: i})
	}
	for range p.Passes {
		small = append(small, step{Op: "carry", I: n - 2}, step{Op: "carry", I: n - 1},
			step{Op: "reduce", I: n})
		if p.ExtraTop {
			small = append(small, small[len(small)-2:]...)
		}
		for i := range n - 1 {
			small = append(small, step{Op: "carry", I: i})
		}
	}
	return p.Claim, errors.Join(
		p.checkSteps(inv, p.MaxAdds, append(product, small...), p.Product),
		p.checkSteps(inv, p.Word/2-b+1, small, p.Reduction))
}

// checkSteps checks the steps of a program on values within inv, added adds times.
func (cl Claim) checkSteps(inv []interval, adds int, program, steps []step) error {
	word := span(-1<<(cl.Word-1), 1<<(cl.Word-1)-1)
	c, x := make([]interval, len(inv)), make([]interval, len(inv))
	for i, v := range inv {
		size := new(big.Int).Abs(v.lo)
		if v.hi.Cmp(size) > 0 {
			size.Set(v.hi)
		}
		size.Lsh(size, uint(adds))
		c[i], x[i] = span(0, 0), interval{new(big.Int).Neg(size), size}
		if program[0].Op != "col" {
			c[i] = x[i]
		}
	}
	if !slices.EqualFunc(steps, program, func(a, b step) bool { return a.Op == b.Op && a.I == b.I }) {
		return fmt.Errorf("proofcheck: not the steps of the program")
	}
	for _, s := range steps {
		fits := cl.execute(s, c, x, word)
		for _, set := range s.Set {
			if set[0] < 0 || set[0] >= int64(len(c)) || !span(set[1], set[2]).holds(c[set[0]]) {
				return fmt.Errorf("proofcheck: %s %d: accumulator %d can leave its interval", s.Op, s.I,
					set[0])
			}
			c[set[0]] = span(set[1], set[2])
		}
		for _, v := range c {
			if !fits || !word.holds(v) {
				return fmt.Errorf("proofcheck: %s %d: an accumulator can overflow", s.Op, s.I)
			}
		}
	}
	for i, v := range c {
		if !inv[i].holds(v) {
			return fmt.Errorf("proofcheck: limb %d of the result can leave the invariant", i)
		}
	}
	return nil
}

// execute replaces the intervals in c that a step changes by its results. It
// reports whether intermediate values fit a word.
func (cl Claim) execute(s step, c, x []interval, word interval) bool {
	v := c[s.I]
	c[s.I] = span(0, 0)
	switch s.Op {
	case "col": // c_k = Σ xᵢ·x_{k−i}; the intervals of x are symmetric
		for i := range s.I + 1 {
			c[s.I] = c[s.I].plus(x[s.I-i], x[i].hi)
		}
	case "reduce": // 2^(b·i) = Σ coef·2^(b·i − ModulusBits + exp) modulo p
		for _, t := range cl.Terms {
			at := cl.Bits*s.I - cl.ModulusBits + int(t[1])
			to, off := at/cl.Bits, at%cl.Bits
			if off == 0 {
				c[to] = c[to].plus(v, big.NewInt(t[0]))
				continue
			}
			low, high := v.divide(cl.Bits - off)
			c[to] = c[to].plus(low, big.NewInt(t[0]<<off))
			c[to+1] = c[to+1].plus(high, big.NewInt(t[0]))
		}
	case "carry": // cᵢ, rounded to a multiple of 2^b, moves up
		half, one := span(1<<(cl.Bits-1), 1<<(cl.Bits-1)), big.NewInt(1)
		v = v.plus(half, one)
		low, high := v.divide(cl.Bits)
		c[s.I] = low.plus(half, big.NewInt(-1))
		c[s.I+1] = c[s.I+1].plus(high, one)
	}
	return word.holds(v)
}

// plus returns x + k·y.
func (x interval) plus(y interval, k *big.Int) interval {
	lo, hi := new(big.Int).Mul(y.lo, k), new(big.Int).Mul(y.hi, k)
	if k.Sign() < 0 {
		lo, hi = hi, lo
	}
	return interval{lo.Add(lo, x.lo), hi.Add(hi, x.hi)}
}

// divide returns intervals for the remainder and the quotient of x by 2^m.
func (x interval) divide(m int) (low, high interval) {
	high = interval{new(big.Int).Rsh(x.lo, uint(m)), new(big.Int).Rsh(x.hi, uint(m))}
	if high.lo.Cmp(high.hi) != 0 {
		return span(0, 1<<m-1), high
	}
	return x.plus(interval{high.lo, high.lo}, big.NewInt(-1<<m)), high
}
