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

// Algorithms are used for a single power and for a product of several.
type Algorithms struct{ Exp, MultiExp Algorithm }

// Same uses one algorithm for both.
func Same(m Method, window int) Algorithms {
	return Algorithms{Algorithm{m, window}, Algorithm{m, window}}
}

// Check returns an error for an unknown method and for a window out of range.
func (a Algorithms) Check() error {
	for _, a := range []Algorithm{a.Exp, a.MultiExp} {
		if a.Method > Pippenger || a.Window < 1 || a.Window > MaxWindow {
			return fmt.Errorf("method %d with window %d is not known: windows are from 1 to %d", a.Method, a.Window, MaxWindow)
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
		counts.AddTally(count.Inside, group, alg.buckets(powers))
		return
	}
	for _, p := range powers {
		counts.AddTally(count.Precomputed, group, p.base.keep(alg.Window))
	}
	counts.AddTally(count.Inside, group, alg.interleave(powers))
}

// interleave is the work of a scan of all exponents from their top digit down, with
// common squarings (Möller, "Algorithms for multi-exponentiation", SAC 2001, section
// 3.2). With sliding windows the scan starts at the top bit, where the result is
// still neutral; the squarings there are counted, as in the published figures for
// the method.
func (a Algorithm) interleave(powers []power) (work count.Tally) {
	longest := 1
	for _, p := range powers {
		length, digits := a.recode(p.exp)
		work = work.Plus(digits)
		longest = max(longest, length)
	}
	work.Doubles = uint64(longest - 1)
	return work
}

// recode splits e into digits from the least significant bit: whenever the rest is
// odd, its last bits form a digit. The digits of WNAF are odd, below 2ʷ in absolute
// value, and at least w+1 positions apart; those of Sliding begin and end with a set
// bit (Menezes, van Oorschot, Vanstone, "Handbook of Applied Cryptography",
// algorithm 14.85). Each digit is an addition. The power for a negative digit is
// inverted when it is used. length is the number of positions.
func (a Algorithm) recode(e *big.Int) (length int, work count.Tally) {
	bits := a.Window
	if a.Method == WNAF {
		bits++
	}
	rest := new(big.Int).Abs(e)
	for ; rest.Sign() > 0; length++ {
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
		length = e.BitLen()
	}
	return length, work
}

// buckets is the work of Pippenger's method as in Bernstein, Doumen, Lange,
// Oosterwijk, "Faster batch forgery identification" (INDOCRYPT 2012), section 4: for
// each window of c bits, bases with the same digit are multiplied first, then Π Bₖᵏ
// is computed as a product of running products. Copying the first base of a bucket
// or of a running product is not an operation, so n bases with digits up to d take
// n + d - 2 operations, in whichever buckets they are.
func (a Algorithm) buckets(powers []power) (work count.Tally) {
	bits := 0
	for _, p := range powers {
		bits = max(bits, p.exp.BitLen())
		if p.exp.Sign() < 0 {
			work.Negs++
		}
	}
	top := (bits - 1) / a.Window
	for i := top; i >= 0; i-- {
		var bases, largest uint64
		for _, p := range powers {
			if digit := window(p.exp, i*a.Window, a.Window); digit > 0 {
				bases++
				largest = max(largest, digit)
			}
		}
		if bases > 0 {
			work.Adds += bases + largest - 2
		}
		if i < top {
			work.Doubles += uint64(a.Window)
			work.Adds += min(bases, 1) // to the windows above
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
