package main // a program has no exported names

import (
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
)

// cpu executes laneRecode on integers, after Intel's manual, so that it is compared with a formula on
// any processor: check has no part in its proof.
type cpu struct {
	*text
	general map[string]uint64
	vectors map[string][16]uint32
	masks   map[string]uint64
	memory  map[uint64]uint32 // all that may be read or written
	result  int64
}

func (c *cpu) read(arg string, n int) []uint32 {
	out := make([]uint32, n)
	name, offset, isConstant := strings.Cut(arg, "<>+")
	for i := range out {
		if isConstant {
			at := integer(strings.TrimSuffix(offset, "(SB)")) + int64(i/2*8)
			out[i] = uint32(c.words[fmt.Sprint(name, "<>+", at, "(SB)")] >> (32 * (i % 2)))
			continue
		}
		v, there := c.memory[c.address(arg)+uint64(4*i)]
		if !there {
			fail("%s is outside of memory", arg)
		}
		out[i] = v
	}
	return out
}

func (c *cpu) address(arg string) uint64 {
	m := memoryForm.FindStringSubmatch(arg)
	at := c.general[m[2]] + c.general[m[3]]
	if m[1] != "" {
		at += uint64(integer(m[1]))
	}
	return at
}

// value returns a vector, or memory: all of it or, with a broadcast, the first word repeated.
func (c *cpu) value(arg string, broadcast int) (v [16]uint32) {
	switch {
	case arg[0] == 'Z' || arg[0] == 'Y':
		return c.vectors["Z"+arg[1:]]
	case broadcast > 0:
		from := c.read(arg, broadcast)
		for i := range v {
			v[i] = from[i%broadcast]
		}
	default:
		copy(v[:], c.read(arg, 16))
	}
	return v
}

// write writes the words that a mask has.
func (c *cpu) write(arg string, words []uint32, mask uint64) {
	at := c.address(arg)
	for i, w := range words {
		if _, there := c.memory[at+uint64(4*i)]; mask>>i&1 == 0 {
			continue
		} else if !there {
			fail("%s is outside of memory", arg)
		}
		c.memory[at+uint64(4*i)] = w
	}
}

func quad(v [16]uint32, i int) uint64 { return uint64(v[2*i]) | uint64(v[2*i+1])<<32 }

// quads are instructions on lanes of 64 bits, and pairs on lanes of 32 bits: with an immediate n, the
// operands a and b, and the destination d.
var (
	quads = map[string]func(n int, a, b, d uint64) uint64{
		"VPADDQ": func(_ int, a, b, _ uint64) uint64 { return b + a },
		"VPANDQ": func(_ int, a, b, _ uint64) uint64 { return b & a },
		"VPORQ":  func(_ int, a, b, _ uint64) uint64 { return b | a },
		"VPXORQ": func(_ int, a, b, _ uint64) uint64 { return b ^ a },
		"VPSLLQ": func(n int, a, _, _ uint64) uint64 { return a << n },
		"VPSRLQ": func(n int, a, _, _ uint64) uint64 { return a >> n },
		"VPSRAQ": func(n int, a, _, _ uint64) uint64 { return uint64(int64(a) >> n) },
		"VPMADD52LUQ": func(_ int, a, b, d uint64) uint64 {
			_, low := bits.Mul64(a<<12>>12, b<<12>>12)
			return d + low<<12>>12
		},
		"VPMADD52HUQ": func(_ int, a, b, d uint64) uint64 {
			high, low := bits.Mul64(a<<12>>12, b<<12>>12)
			return d + (high<<12 | low>>52)
		},
		"VMOVDQA64":    func(_ int, a, _, _ uint64) uint64 { return a },
		"VPBROADCASTQ": func(_ int, a, _, _ uint64) uint64 { return a },
	}
	pairs = map[string]func(n int, a, b, d uint64) uint64{
		"VPADDD":     func(_ int, a, b, _ uint64) uint64 { return b + a },
		"VPORD":      func(_ int, a, b, _ uint64) uint64 { return b | a },
		"VPSRLVD":    func(_ int, a, b, _ uint64) uint64 { return b >> a },
		"VPSLLVD":    func(_ int, a, b, _ uint64) uint64 { return b << a },
		"VPSRAD":     func(n int, a, _, _ uint64) uint64 { return uint64(int32(a) >> n) },
		"VPTERNLOGD": ternary,
	}
)

// ternary chooses bits of the table n by the bits of d, b and a.
func ternary(n int, a, b, d uint64) (out uint64) {
	for i := range 64 {
		k := d>>i&1<<2 | b>>i&1<<1 | a>>i&1
		out |= uint64(n) >> k & 1 << i
	}
	return out
}

// run executes a function to its end.
func (c *cpu) run(name string) {
	c.vectors, c.masks = map[string][16]uint32{}, map[string]uint64{}
	for at := c.labels["·"+name+"(SB)"]; c.code[at].op != "RET"; {
		in := c.code[at]
		if at++; jumps[in.op] != nil {
			if jumps[in.op](c.result) {
				at = c.labels[in.function+in.args[0]+":"]
			}
			continue
		}
		c.execute(in)
	}
}

func (c *cpu) execute(in line) {
	op, isBroadcast := strings.CutSuffix(in.op, ".BCST")
	args, n := in.args, 0
	if len(args) > 0 && args[0][0] == '$' && op[0] == 'V' {
		n, args = int(integer(args[0])), args[1:]
	}
	last := ""
	if len(args) > 0 {
		last = args[len(args)-1]
	}
	first := func(broadcast int) [16]uint32 {
		if op == "VPBROADCASTQ" || isBroadcast {
			return c.value(args[0], broadcast)
		}
		return c.value(args[0], 0)
	}
	var out [16]uint32
	switch {
	case op[0] != 'V':
		c.scalar(in)
		return
	case quads[op] != nil:
		a, b, d := first(2), c.value(args[min(1, len(args)-1)], 0), c.vectors[last]
		for i := range 8 {
			v := quads[op](n, quad(a, i), quad(b, i), quad(d, i))
			out[2*i], out[2*i+1] = uint32(v), uint32(v>>32)
		}
	case pairs[op] != nil:
		a, b, d := first(1), c.value(args[1], 0), c.vectors[last]
		for i := range out {
			out[i] = uint32(pairs[op](n, uint64(a[i]), uint64(b[i]), uint64(d[i])))
		}
	case op == "VPUNPCKLQDQ" || op == "VPUNPCKHQDQ":
		a, b := c.value(args[0], 0), c.value(args[1], 0)
		for i := range out {
			from := [2][16]uint32{b, a}[i/2%2]
			out[i] = from[i&^3+i%2+2*strings.Count(op, "PCKH")]
		}
	case op == "VSHUFI64X2":
		a, b := c.value(args[0], 0), c.value(args[1], 0)
		for i := range out {
			from := [2][16]uint32{b, a}[i/8]
			out[i] = from[n>>(2*(i/4))&3*4+i%4]
		}
	case op == "VPERMT2D":
		a, index, d := c.value(args[0], 0), c.value(args[1], 0), c.vectors[last]
		for i := range out {
			out[i] = append(d[:], a[:]...)[index[i]%32]
		}
	case op == "VBROADCASTI64X4":
		out = c.value(args[0], 8)
	case op == "VINSERTI64X4":
		out = c.value(args[1], 0)
		copy(out[8:], c.read(args[0], 8))
	case op == "VEXTRACTI32X8":
		v := c.value(args[0], 0)
		c.write(last, v[8:], c.masks[args[1]])
		return
	case op == "VMOVDQU32":
		v := c.value(args[0], 0)
		c.write(last, v[:8], c.masks[args[1]])
		return
	case op == "VMOVDQU64" && last[0] == 'Y':
		copy(out[:8], c.read(args[0], 8))
	case op == "VMOVDQU64" && last[0] == 'Z':
		out = c.value(args[0], 0)
	case op == "VMOVDQU64":
		v := c.value(args[0], 0)
		c.write(last, v[:], 1<<len(v)-1)
		return
	case op == "VZEROUPPER":
		return
	default:
		fail("unknown instruction %s", in.op)
	}
	c.vectors["Z"+last[1:]] = out
}

// scalar executes an instruction on general registers.
func (c *cpu) scalar(in line) {
	last := in.args[len(in.args)-1]
	var x uint64
	switch first := in.args[0]; {
	case in.op == "LEAQ":
		x = c.address(first)
	case first[0] == '$':
		x = uint64(integer(first))
	case strings.HasSuffix(first, "(FP)"):
		x = c.general[first]
	case strings.HasSuffix(first, ")"):
		words := append(c.read(first, map[string]int{"MOVL": 1}[in.op]+2*strings.Count(in.op, "Q")), 0)
		x = uint64(words[0]) | uint64(words[1])<<32 // MOVL reads one
	default:
		x = c.general[first]
	}
	switch calculate := scalars[in.op]; {
	case in.op == "PCALIGN":
	case calculate != nil:
		a := in.args[min(1, len(in.args)-1)]
		c.result = calculate(int64(c.general[a]), int64(x))
		c.general[last] = uint64(c.result)
	case in.op == "CMPQ":
		c.result = int64(x) - integer(last)
	case in.op == "BZHIQ":
		c.general[last] = c.general[in.args[1]] & (1<<x - 1)
	case in.op == "KMOVW" && in.args[0][0] == 'K':
		c.masks[last] = c.masks[in.args[0]]
	case in.op == "KMOVW":
		c.masks[last] = x
	default: // MOVQ, MOVL, LEAQ
		c.general[last] = x
	}
}

// put writes an integer in words of 64 bits.
func (c *cpu) put(at uint64, v *big.Int, words int) {
	for i := range words {
		word := new(big.Int).And(right(v, 64*i), below(64)).Uint64()
		c.memory[at], c.memory[at+4] = uint32(word), uint32(word>>32)
		at += 8
	}
}

// random returns a number from 0 to most: any, small or large.
func random(r *rand.Rand, most *big.Int) *big.Int {
	words := make([]big.Word, len(most.Bits())+1)
	for i := range words {
		words[i] = big.Word(r.Uint64())
	}
	v := new(big.Int).SetBits(words)
	switch v.Mod(v, add(most, one)); r.IntN(4) {
	case 0:
		return v.And(v, below(2))
	case 1:
		return new(big.Int).Sub(most, v.Rsh(v, uint(most.BitLen()-min(3, most.BitLen()))))
	}
	return v
}

// The layout of memory: places far apart, so that nothing else is between.
const (
	placeScalars uint64 = (iota + 1) << 32
	placeReferences
	placeArguments
	placeDigits
	placeBases
	placeWindows
)

// TestRecode adds up the digits of random scalars.
func TestRecode(t *testing.T) {
	r := rand.New(rand.NewPCG(67, 5))
	for _, l := range strings.Split(read(specification), "\n") {
		w := strings.Fields(l)
		if len(w) < 8 || w[0] != "field" || !strings.HasSuffix(w[1], "scalars") {
			continue
		}
		p, _ := new(big.Int).SetString(w[2], 0)
		lambda, _ := new(big.Int).SetString(strings.TrimPrefix(w[7], "lambda="), 0)
		file := filepath.Join(assembly, "group", strings.TrimSuffix(w[1], "scalars"), "recode_amd64.s")
		c := &cpu{text: parse(read(file)), memory: map[uint64]uint32{}}
		for n := range 20 {
			n++
			count := 8 + r.IntN(25)
			clear(c.memory)
			c.general = map[string]uint64{"a+0(FP)": placeArguments}
			for i, v := range []uint64{
				placeScalars, placeBases, placeWindows, uint64(count),
				placeReferences, uint64(8 * n), uint64(4 * n), uint64(n), placeDigits,
			} {
				c.put(placeArguments+uint64(8*i), new(big.Int).SetUint64(v), 1)
			}
			for i := range uint64(5 * 16) {
				c.memory[placeDigits+4*i] = r.Uint32()
			}
			for i := range uint64(2 * count * n) {
				c.memory[placeReferences+4*i] = 0
			}
			var scalars []*big.Int
			for i := range (n + 7) / 8 * 8 {
				scalars = append(scalars, random(r, add(p, big.NewInt(-1))))
				v := left(scalars[i], 256)
				c.put(placeScalars+uint64(32*i), v.Mod(v, p), 4)
				c.memory[placeBases+uint64(4*i)] = uint32(i)
			}
			widths, bit := make([]uint32, count), uint32(0)
			for i := range widths {
				rest := uint32(count - i)
				widths[i] = (128 - bit + rest - 1) / rest
				for j, v := range []uint32{
					bit, widths[i], uint32(i) << 20, bit / 32, bit % 32, 32 - bit%32, 32 - widths[i],
					1<<widths[i] - 1,
				} {
					c.memory[placeWindows+uint64(32*i+4*j)] = v
				}
				bit += widths[i]
			}
			c.run("laneRecode")
			for i := range n {
				sum := new(big.Int).Neg(scalars[i])
				for half, factor := range []*big.Int{one, lambda} {
					h, bit := new(big.Int), 0
					for j, width := range widths {
						ref := c.memory[placeReferences+uint64(4*((2*j+half)*n+i))]
						ref -= uint32(j)<<20 + uint32(i)<<width
						d := big.NewInt(int64(ref&^1) + 1)
						if ref >= 1<<width {
							t.Fatalf("%s: reference %d", w[1], ref)
						} else if ref&1 == 1 {
							d.Neg(d)
						}
						h.Add(h, left(d, bit))
						bit += int(width)
					}
					if sum.Add(sum, mul(h, factor)); h.BitLen() > 128 {
						t.Errorf("%s: half %d of %x is %x", w[1], half, scalars[i], h)
					}
				}
				if sum.Mod(sum, p).Sign() != 0 {
					t.Fatalf("%s: halves of %x", w[1], scalars[i])
				}
			}
		}
	}
}
