package main

import (
	"fmt"
	"slices"
)

// The loop of laneRecode over windows of digits, on words of 32 bits.

// digit is a value of 32 bits: a name, or the result of an instruction.
type digit struct {
	op   string
	args []*digit
	lane int // of the words that op loads
	n    int // a shift, or the first word
}

func (d *digit) String() string { return fmt.Sprint(d.op, d.lane, d.n, d.args) }

// Windows that are tried: any digit of 1 to 31 bits of a half, at any place. They have
// right = first mod 32, left = 32 - right, up = 32 - width, mask = 2^width - 1 and word = ⌊first/32⌋
// (windowsOf of packages bn254 and bls12381).
const (
	halfBits   = 128
	mostDigits = 31
)

// window is a digit from bit first on.
type window struct{ first, width int }

func (w window) field(name string) int {
	switch name {
	case "width":
		return w.width
	case "right":
		return w.first % 32
	case "left":
		return 32 - w.first%32
	case "up":
		return 32 - w.width
	case "word":
		return w.first / 32
	case "mask":
		return 1<<w.width - 1
	}
	refuse("no number %s of a window", name)
	return 0
}

// bit is 0 or 1, or bit number n-2 of a half, or its complement if not.
type bit struct {
	n   int
	not bool
}

var (
	zeroBit, oneBit = bit{}, bit{n: 1}
	anyBit          = bit{n: -1} // unknown
)

func (b bit) complement() bit {
	switch b.n {
	case 0, 1:
		return bit{n: 1 - b.n}
	case -1:
		return b
	}
	return bit{b.n, !b.not}
}

// bits returns the bits of d for a window of the half that lane is of. The highest bit of the digit is known.
func (d *digit) bits(w window, lane int, highest bool) (out [32]bit) {
	var args [3][32]bit
	shift := d.n
	for i, a := range d.args {
		switch {
		case d.op == "sll" && i == 0 || d.op == "srl" && i == 0:
			shift = w.field(a.op)
		default:
			args[i] = a.bits(w, lane, highest)
		}
	}
	at := func(v [32]bit, i int) bit {
		if i < 0 || i > 31 {
			return zeroBit
		}
		return v[i]
	}
	for i := range out {
		switch d.op {
		case "word":
			if d.lane != lane {
				refuse("a word of lane %d in lane %d", d.lane, lane)
			}
			n := 32*(w.field("word")+d.n) + i
			switch {
			case n >= halfBits:
				out[i] = anyBit
			case n == w.first+w.width-1 && highest:
				out[i] = oneBit
			case n == w.first+w.width-1:
				out[i] = zeroBit
			default:
				out[i] = bit{n: n + 2}
			}
		case "mask":
			out[i] = bit{n: w.field("mask") >> i & 1}
		case "srl":
			out[i] = at(args[1], i+shift)
		case "sll":
			out[i] = at(args[1], i-shift)
		case "sra":
			out[i] = at(args[0], min(i+shift, 31))
		case "or":
			out[i] = or(args[0][i], args[1][i])
		case "+": // twice the same
			if d.args[0] != d.args[1] {
				refuse("a sum of %s", d)
			}
			out[i] = at(args[0], i-1)
		case "xnorAnd": // first &^ (second ^ third)
			out[i] = xnorAnd(args[0][i], args[1][i], args[2][i])
		default:
			refuse("bits of %s", d)
		}
	}
	return out
}

func or(a, b bit) bit {
	switch {
	case a == zeroBit || a == b:
		return b
	case b == zeroBit:
		return a
	case a == oneBit || b == oneBit:
		return oneBit
	}
	return anyBit
}

func xnorAnd(mask, a, b bit) bit {
	switch {
	case mask == zeroBit:
		return zeroBit
	case mask != oneBit:
		return anyBit
	case a == oneBit:
		return b
	case a == zeroBit:
		return b.complement()
	case b == oneBit:
		return a
	case b == zeroBit:
		return a.complement()
	}
	return anyBit
}

// checkReference demands that d is first + base·2^width + r for each window, where the digit e means
// 2e + 1 - 2^width: r is 2m for 2m + 1 = 2e + 1 - 2^width, or 2m + 1 for -(2m + 1). lane is of the element.
func checkReference(d *digit, element, lane int) {
	key := fmt.Sprint(d, element, lane)
	if checkedReferences[key] {
		return
	}
	var terms []*digit
	var sum func(d *digit)
	sum = func(d *digit) {
		if d.op == "+" && d.args[0] != d.args[1] {
			sum(d.args[0])
			sum(d.args[1])
			return
		}
		terms = append(terms, d)
	}
	sum(d)
	isBase := func(d *digit) bool {
		return d.op == "sll" && d.args[0].op == "width" && d.args[1].op == "base" && d.args[1].lane == element
	}
	isFirst := func(d *digit) bool { return d.op == "first" }
	n := len(terms)
	for _, is := range []func(d *digit) bool{isBase, isFirst} {
		if i := slices.IndexFunc(terms, is); i >= 0 {
			terms = slices.Delete(terms, i, i+1)
		}
	}
	if n != 3 || len(terms) != 1 {
		refuse("a reference %s", d)
	}
	for width := 1; width <= mostDigits; width++ {
		for first := 0; first+width <= halfBits; first++ {
			for _, positive := range []bool{false, true} {
				var want [32]bit
				want[0] = oneBit
				if positive {
					want[0] = zeroBit
				}
				for i := 1; i < width; i++ {
					want[i] = bit{n: first + i - 1 + 2, not: !positive}
				}
				if terms[0].bits(window{first, width}, lane, positive) != want {
					refuse("a wrong reference for a digit of %d bits from bit %d on", width, first)
				}
			}
		}
	}
	checkedReferences[key] = true
}

// checkedReferences are the references that are right, so that each is checked once.
var checkedReferences = map[string]bool{}
