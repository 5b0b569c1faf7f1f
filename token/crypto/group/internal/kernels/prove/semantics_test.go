//go:build amd64

package main // a program has no exported names

import (
	"math/big"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/zkatbench/zkatbench/token/crypto/group/internal/kernels/prove/processor"
)

// meanings gives the results of the instructions in a lane with the operands a, b and c, on the
// values of the prover. all is a in all lanes, and bit is the lane's bit in the mask.
var meanings = map[string]func(l *lane, a, b, c *value, all processor.Vector, bit bool) *value{
	"VPADDQ": func(l *lane, a, b, _ *value, _ processor.Vector, _ bool) *value { return l.add(b, a) },
	"VPSUBQ": func(l *lane, a, b, _ *value, _ processor.Vector, _ bool) *value { return l.sub(b, a) },
	"VPANDQ": func(l *lane, a, b, _ *value, _ processor.Vector, _ bool) *value { return l.and(b, a) },
	"VPXORQ": func(l *lane, _, _, _ *value, _ processor.Vector, _ bool) *value {
		return l.constant(new(big.Int))
	},
	"VPBROADCASTQ": func(l *lane, _, _, _ *value, all processor.Vector, _ bool) *value {
		return unsigned(l, all[0])
	},
	"VPBLENDMQ": masked,
	"VMOVDQU64 masked": func(l *lane, a, _, c *value, all processor.Vector, bit bool) *value {
		return masked(l, a, c, nil, all, bit)
	},
	"VPERMQ": func(l *lane, _, b, _ *value, all processor.Vector, _ bool) *value {
		index := new(big.Int).And(b.span.lo, num(7))
		return unsigned(l, all[index.Int64()])
	},
	"VPSRLQ $52": func(l *lane, _, b, _ *value, _ processor.Vector, _ bool) *value {
		return l.shiftRight(b, 52)
	},
	"VPSRAQ $52": func(l *lane, _, b, _ *value, _ processor.Vector, _ bool) *value {
		return l.shiftSigned(b, 52)
	},
	"VPSRAQ $44": func(l *lane, _, b, _ *value, _ processor.Vector, _ bool) *value {
		return l.shiftSigned(b, 44)
	},
	"VPSLLQ $1": func(l *lane, _, b, _ *value, _ processor.Vector, _ bool) *value {
		return l.shiftLeft(b, 1)
	},
	"VPMADD52LUQ": func(l *lane, a, b, c *value, _ processor.Vector, _ bool) *value {
		return l.multiplyLow(c, b, a)
	},
	"VPMADD52HUQ": func(l *lane, a, b, c *value, _ processor.Vector, _ bool) *value {
		return l.multiplyHigh(c, b, a)
	},
}

func masked(_ *lane, a, b, _ *value, _ processor.Vector, bit bool) *value {
	if bit {
		return a
	}
	return b
}

// unsigned returns 64 bits as a variable with one possible value.
func unsigned(l *lane, v uint64) *value {
	return l.fresh("an operand", exactly(new(big.Int).SetUint64(v)))
}

// formulas are the instructions after Intel's manual, for processors without them. The destination is c.
var formulas = []processor.Instruction{
	formula("VPADDQ", func(a, b, _ uint64, _ bool) uint64 { return b + a }),
	formula("VPSUBQ", func(a, b, _ uint64, _ bool) uint64 { return b - a }),
	formula("VPANDQ", func(a, b, _ uint64, _ bool) uint64 { return b & a }),
	formula("VPXORQ", func(_, _, c uint64, _ bool) uint64 { return c ^ c }),
	formula("VPBLENDMQ", func(a, b, _ uint64, bit bool) uint64 { return either(bit, a, b) }),
	formula("VMOVDQU64 masked", func(a, _, c uint64, bit bool) uint64 { return either(bit, a, c) }),
	formula("VPSRLQ $52", func(_, b, _ uint64, _ bool) uint64 { return b >> 52 }),
	formula("VPSRAQ $52", func(_, b, _ uint64, _ bool) uint64 { return uint64(int64(b) >> 52) }),
	formula("VPSRAQ $44", func(_, b, _ uint64, _ bool) uint64 { return uint64(int64(b) >> 44) }),
	formula("VPSLLQ $1", func(_, b, _ uint64, _ bool) uint64 { return b << 1 }),
	formula("VPMADD52LUQ", func(a, b, c uint64, _ bool) uint64 {
		_, low := bits.Mul64(a<<12>>12, b<<12>>12)
		return c + low<<12>>12
	}),
	formula("VPMADD52HUQ", func(a, b, c uint64, _ bool) uint64 {
		high, low := bits.Mul64(a<<12>>12, b<<12>>12)
		return c + (high<<12 | low>>52)
	}),
	{Name: "VPBROADCASTQ", Execute: func(a, _, _, out *processor.Vector) {
		for i := range out {
			out[i] = a[0]
		}
	}},
	{Name: "VPERMQ", Execute: func(a, b, _, out *processor.Vector) {
		for i := range out {
			out[i] = a[b[i]&7]
		}
	}},
}

func either(bit bool, yes, no uint64) uint64 {
	if bit {
		return yes
	}
	return no
}

// formula applies f to each lane, with the bit of the lane in the mask.
func formula(name string, f func(a, b, c uint64, bit bool) uint64) processor.Instruction {
	return processor.Instruction{Name: name, Execute: func(a, b, c, out *processor.Vector) {
		for i := range out {
			out[i] = f(a[i], b[i], c[i], mask>>i&1 == 1)
		}
	}}
}

const mask = 0x5a

// TestSemantics compares the values of the prover with instructions of this processor.
func TestSemantics(t *testing.T) {
	random := rand.New(rand.NewPCG(67, 1))
	for _, in := range append(formulas, processor.Instructions...) {
		if meanings[in.Name] == nil {
			continue // in TestMoves
		}
		t.Run(in.Name+" "+in.Feature, func(t *testing.T) {
			if in.Feature != "" && !processor.Has(in.Feature) {
				t.Skipf("this processor does not have %s", in.Feature)
			}
			for range 2000 {
				var a, b, c, out processor.Vector
				for i := range 8 {
					a[i], b[i], c[i] = operandOf(random), operandOf(random), operandOf(random)
					if in.Name == "VPANDQ" {
						a[i] = 1<<random.IntN(65) - 1 // the only masks that the prover knows
					}
				}
				in.Execute(&a, &b, &c, &out)
				for i, got := range out {
					l := newLane(&field{name: "test", p: num(101), limbs: 5}, false)
					x := unsigned(l, a[i])
					if in.Name == "VPANDQ" {
						x = l.constant(x.span.lo)
					}
					y, z := unsigned(l, b[i]), unsigned(l, c[i])
					if strings.HasPrefix(in.Name, "VPSRAQ") {
						y = l.fresh("an operand", exactly(num(int64(b[i]))))
					}
					v := meanings[in.Name](l, x, y, z, a, mask>>i&1 == 1)
					want := l.evaluate(v, x, y, z)
					if want.And(want, unsigned64.hi).Uint64() != got {
						t.Fatalf("%x %x %x: %x on the processor, %x here", a[i], b[i], c[i], got, want)
					}
				}
			}
		})
	}
}

// operandOf returns a random operand: any bits, or near to a boundary.
func operandOf(random *rand.Rand) uint64 {
	v := random.Uint64()
	switch random.IntN(4) {
	case 0:
		return v >> random.IntN(64)
	case 1:
		return 1<<random.IntN(64) - v%3
	case 2:
		return -(v % 4)
	}
	return v
}

// evaluate returns a value. Variables represent operands, the lowest bits of operands, and high
// halves of products.
func (l *lane) evaluate(v *value, operands ...*value) *big.Int {
	known, byID := map[int32]*big.Int{}, map[int]*big.Int{}
	for _, x := range operands {
		byID[x.id] = x.span.lo
		for n, low := range x.low {
			byID[low.id] = new(big.Int).And(x.span.lo, minus(pow2(n), num(1)))
			known[low.poly[0].mono[1]] = byID[low.id]
		}
	}
	for key, high := range l.high {
		if len(high.poly) == 1 && high.poly[0].mono != (mono{}) {
			product := times(byID[key[0]], byID[key[1]])
			known[high.poly[0].mono[1]] = product.Rsh(product, limbBits)
		}
	}
	sum := dyadic{new(big.Int), 0}
	for _, t := range v.poly {
		term := t.c
		for _, x := range t.mono {
			switch {
			case x == 0:
			case known[x] != nil:
				term = term.times(dy(known[x], 0))
			default:
				term = term.times(dy(l.variables[x].span.lo, 0))
			}
		}
		sum = sum.plus(term)
	}
	return floor(sum)
}

// moves are the formulas of Intel's manual for instructions that move words. The destination is c.
var moves = map[string]func(a, b, c, out *processor.Vector){
	"VPUNPCKLQDQ Z0, Z1, Z2": func(a, b, _, out *processor.Vector) { interleave(a, b, out, 0) },
	"VPUNPCKHQDQ Z0, Z1, Z2": func(a, b, _, out *processor.Vector) { interleave(a, b, out, 1) },
	"VSHUFI64X2 $0xd8, Z0, Z1, Z2": func(a, b, _, out *processor.Vector) { // 0xd8 is 0, 2, 1, 3
		*out = processor.Vector{b[0], b[1], b[4], b[5], a[2], a[3], a[6], a[7]}
	},
	"VPTERNLOGQ $0xca, Z0, Z1, Z2": func(a, b, c, out *processor.Vector) {
		for i := range out {
			out[i] = c[i]&b[i] | ^c[i]&a[i]
		}
	},
	"VPORQ Z0, Z1, Z2": func(a, b, _, out *processor.Vector) {
		for i := range out {
			out[i] = a[i] | b[i]
		}
	},
	"VPERMT2D Z0, Z1, Z2": func(a, b, c, out *processor.Vector) {
		for i := range 16 {
			k := b[i/2] >> (32 * (i % 2)) % 32
			word := append(c[:], a[:]...)[k/2] >> (32 * (k % 2)) & (1<<32 - 1)
			out[i/2] |= word << (32 * (i % 2))
		}
	},
}

func interleave(a, b, out *processor.Vector, odd int) {
	for i := 0; i < len(out); i += 2 {
		out[i], out[i+1] = b[i+odd], a[i+odd]
	}
}

// TestMoves compares the registers of the prover with formulas, and with this processor.
func TestMoves(t *testing.T) {
	random := rand.New(rand.NewPCG(67, 2))
	for _, in := range processor.Instructions {
		if moves[in.Name] == nil {
			continue // in TestSemantics
		}
		t.Run(in.Name, func(t *testing.T) {
			for range 200 {
				var a, b, c, want, got processor.Vector
				for i := range a {
					a[i], b[i], c[i] = random.Uint64(), random.Uint64(), random.Uint64()
					switch op, _, _ := strings.Cut(in.Name, " "); op {
					case "VPORQ":
						a[i], b[i] = a[i]>>40, b[i]<<24
					case "VPTERNLOGQ":
						c[i] = -(c[i] & 1)
					}
				}
				moves[in.Name](&a, &b, &c, &want)
				if processor.Has(in.Feature) {
					in.Execute(&a, &b, &c, &got)
				} else {
					got = want
				}
				if here := moved(in.Name, a, b, c); here != want || got != want {
					t.Fatalf("%x %x %x: %x here, %x on the processor, %x by formula", a, b, c, here, got,
						want)
				}
			}
		})
	}
}

// moved executes an instruction on registers of the prover with the values a, b and c in Z0 to Z2.
func moved(text string, a, b, c processor.Vector) (out processor.Vector) {
	m := &machine{lane: newLane(&field{name: "test", p: num(101), limbs: 5}, false)}
	m.words = newWords(m.lane, 0, nil)
	s, in := new(state), new(source).instruction(text, 1)
	for i, v := range []processor.Vector{a, b, c} {
		s.vectors[i] = m.moved(func(lane int) *value {
			word := new(big.Int).SetUint64(v[lane])
			switch {
			case in.op == "VPTERNLOGQ" && i == 2:
				return m.constant(num(int64(v[lane])))
			case in.op == "VPORQ" && i == 1:
				return m.shiftLeft(m.constant(word.Rsh(word, 24)), 24)
			}
			return m.constant(word)
		})
	}
	semantics[in.op+" "+in.form](m, s, in)
	lanes := s.vectors[2].lanes
	for i, v := range lanes {
		if at := i * len(out) / len(lanes); v.parts.word != nil {
			word := v.parts.word.span.lo.Uint64() >> (32 * v.parts.half) & (1<<32 - 1)
			out[at] |= word << (32 * (i % 2))
		} else {
			out[at] = v.span.lo.Uint64()
		}
	}
	return out
}
