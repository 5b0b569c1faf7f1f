package zn

import (
	"fmt"
	"math/big"

	"github.com/zkatbench/zkatbench/count"
)

// Method is a method to compute a product of powers.
type Method uint8

// WNAF and Sliding keep odd powers of each base and interleave several bases,
// as Straus does; Pippenger sorts the bases into buckets and keeps no table.
const (
	WNAF Method = iota
	Sliding
	Pippenger
)

// MaxWindow bounds window sizes: tables and buckets have 2^window entries.
const MaxWindow = 16

// Algorithm is a method with its window size in bits, from 1 to MaxWindow. WNAF
// with window w has digits of the width-(w+1) NAF, so equal windows mean equal
// tables of 2^(w-1) odd powers.
type Algorithm struct {
	Method Method
	Window int
}

// Neutral is a convention: which operations count while the intermediate result of a
// product of powers is still the neutral element. For four tenth powers by WNAF with
// window 4, without precomputation, the conventions count 4 multiplications and 1
// squaring, 4 and 2, and 3 and 1.
type Neutral uint8

// Established follows published figures for each method: the first multiplication
// counts for WNAF and Sliding, and Sliding also squares from the second bit on. With
// Counted every squaring and multiplication of the scan counts, with Free only those of
// another element than the neutral one. For Pippenger, Established means Free.
const (
	Established Neutral = iota
	Counted
	Free
)

// Algorithms are used for a single power and for a product of several.
type Algorithms struct {
	Exp, MultiExp Algorithm
	Neutral       Neutral
}

// Same uses one algorithm for both, with the convention Established.
func Same(m Method, window int) Algorithms {
	return Algorithms{Exp: Algorithm{m, window}, MultiExp: Algorithm{m, window}}
}

// Check returns an error for an unknown method or convention and for a window out of range.
func (a Algorithms) Check() error {
	if a.Neutral > Free {
		return fmt.Errorf("convention %d for the neutral element is not known", a.Neutral)
	}
	for _, a := range []Algorithm{a.Exp, a.MultiExp} {
		if a.Method > Pippenger || a.Window < 1 || a.Window > MaxWindow {
			return fmt.Errorf("method %d with window %d is not known: windows are from 1 to %d", a.Method,
				a.Window, MaxWindow)
		}
	}
	return nil
}

// Cost returns the operations inside a product of powers of new bases in a group:
// the work of the algorithm for these exponents.
func (a Algorithms) Cost(group string, exps []*big.Int) count.Counts {
	powers := make([]power, len(exps))
	for i, e := range exps {
		powers[i] = power{new(Element), e}
	}
	counts := count.Counts{}
	a.count(counts, group, powers)
	return counts
}

// count adds the operations inside a product of powers.
func (a Algorithms) count(counts count.Counts, group string, powers []power) {
	alg := a.MultiExp
	if len(powers) == 1 {
		alg = a.Exp
	}
	if alg.Method == Pippenger {
		counts.AddTally(count.Inside, group, alg.buckets(powers, a.Neutral))
		return
	}
	for _, p := range powers {
		counts.AddTally(count.Precomputed, group, p.base.keep(alg.Window))
	}
	counts.AddTally(count.Inside, group, alg.interleave(powers, a.Neutral))
}

// interleave is the work of a scan of all exponents from their top position down, with
// common squarings (Möller, "Algorithms for multi-exponentiation", SAC 2001, section
// 3.2). Each position squares the result and multiplies it by the powers of the digits there.
func (a Algorithm) interleave(powers []power, neutral Neutral) (work count.Tally) {
	var positions, first int // first is the number of positions from the top digit down
	for _, p := range powers {
		length, below, digits := a.recode(p.exp)
		work = work.Plus(digits)
		positions, first = max(positions, length), max(first, below)
	}
	switch {
	case positions == 0: // all exponents are 0
	case neutral == Counted:
		work.Doubles = uint64(positions)
	case neutral == Free:
		work.Doubles = uint64(first - 1)
		work.Adds--
	default:
		work.Doubles = uint64(positions - 1)
	}
	return work
}

// recode splits e into digits from the least significant bit: whenever the rest is
// odd, its last bits form a digit. The digits of WNAF are odd, below 2ʷ in absolute
// value, and at least w+1 positions apart; the digits of Sliding begin and end with a
// set bit (Menezes, van Oorschot, Vanstone, "Handbook of Applied Cryptography",
// algorithm 14.85). Each digit is an addition. The power for a negative digit is
// inverted when it is used. digits is the number of positions from the top digit down;
// length is the number of all positions, from the top bit down for Sliding.
func (a Algorithm) recode(e *big.Int) (length, digits int, work count.Tally) {
	bits := a.Window
	if a.Method == WNAF {
		bits++
	}
	rest := new(big.Int).Abs(e)
	for ; rest.Sign() > 0; digits++ {
		if rest.Bit(0) == 1 {
			digit := int64(window(rest, 0, bits))
			if digit >= 1<<a.Window {
				digit -= 1 << bits
			}
			if (digit < 0) != (e.Sign() < 0) {
				work.Negs++
			}
			work.Adds++
			rest.Sub(rest, big.NewInt(digit))
		}
		rest.Rsh(rest, 1)
	}
	if a.Method == Sliding {
		return e.BitLen(), digits, work
	}
	return digits, digits, work
}

// buckets is the work of Pippenger's method as in Bernstein, Doumen, Lange,
// Oosterwijk, "Faster batch forgery identification" (INDOCRYPT 2012), section 4: for
// each window of c bits, bases with the same digit are multiplied first, then Π Bₖᵏ
// is computed as a product of running products. Without operations with the neutral
// element, n bases with digits up to d take n + d - 2 operations, in whichever buckets
// they are; with them, each base, and twice each of the 2ᶜ - 1 buckets.
func (a Algorithm) buckets(powers []power, neutral Neutral) (work count.Tally) {
	bits := 0
	for _, p := range powers {
		bits = max(bits, p.exp.BitLen())
		if p.exp.Sign() < 0 {
			work.Negs++
		}
	}
	windows := (bits + a.Window - 1) / a.Window
	for i := range windows {
		var bases, largest uint64
		for _, p := range powers {
			if digit := window(p.exp, i*a.Window, a.Window); digit > 0 {
				bases++
				largest = max(largest, digit)
			}
		}
		top := i == windows-1
		if neutral == Counted {
			work.Adds += bases + 2*(1<<a.Window-1) + 1
		} else if bases > 0 {
			work.Adds += bases + largest - 2
			if !top {
				work.Adds++ // to the windows above
			}
		}
		if neutral == Counted || !top {
			work.Doubles += uint64(a.Window)
		}
	}
	return work
}

// NonZero returns the number of nonzero digits of e in base 2^bits.
func NonZero(e *big.Int, bits int) (digits uint64) {
	for from := 0; from < e.BitLen(); from += bits {
		digits += min(window(e, from, bits), 1)
	}
	return digits
}

// window returns bits of |e| from a position on.
func window(e *big.Int, from, bits int) uint64 {
	v := new(big.Int).Abs(e)
	v.Rsh(v, uint(from))
	return v.And(v, big.NewInt(1<<bits-1)).Uint64()
}
