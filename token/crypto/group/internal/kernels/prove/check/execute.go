package main

import (
	"regexp"
	"slices"
	"strings"
)

var memoryForm = regexp.MustCompile(`^(-?\d*)\((\w+)\)(?:\((\w+)\*1\))?$`)

// address returns the address of an operand in memory.
func (r *run) address(arg string) int64 {
	if name, offset, isConstant := strings.Cut(arg, "<>+"); isConstant {
		return r.pointer("&"+name) + integer(strings.TrimSuffix(offset, "(SB)"))
	}
	m := memoryForm.FindStringSubmatch(arg)
	if m == nil {
		fail("%q is not an address", arg)
	}
	v := r.register(m[2])
	if m[3] != "" {
		v += r.register(m[3])
	}
	if m[1] != "" {
		v += integer(m[1])
	}
	return v
}

func (r *run) register(name string) int64 {
	v, there := r.registers[name]
	if !there {
		fail("%s is undefined", name)
	}
	return v
}

// general returns the value of an operand of an instruction on general registers.
func (r *run) general(arg string) int64 {
	switch name, offset, isArgument := strings.Cut(strings.TrimSuffix(arg, "(FP)"), "+"); {
	case arg[0] == '$':
		return integer(arg)
	case isArgument && r.hasParameters:
		return r.fixedAt(r.pointer("@a") + integer(offset))
	case isArgument && name == "a" && offset == "0":
		return r.pointer("@a")
	case arg[len(arg)-1] == ')':
		return r.fixedAt(r.address(arg))
	}
	return r.register(arg)
}

// source returns an operand of a vector instruction: a register, eight times the same, or n words of
// memory.
func (r *run) source(arg, op string, n int64) (out vector) {
	if v, there := r.vectors["Z"+arg[1:]]; arg[0] == 'Z' || arg[0] == 'Y' {
		if !there {
			fail("%s is undefined", arg)
		}
		return v
	}
	at := r.address(arg)
	for i := range n {
		switch {
		case strings.HasSuffix(op, ".BCST") || op == "VPBROADCASTQ":
			out[i] = r.constant(r.fixedAt(at))
		case op == "VPMOVZXDQ":
			out[i] = r.constant(r.fixedAt(at + 4*i))
		default:
			out[i] = r.load(at + 8*i)
		}
	}
	return out
}

// jumps tell whether they are taken, by the result that flags are of.
var jumps = map[string]func(v int64) bool{
	"JMP": func(int64) bool { return true },
	"JG":  func(v int64) bool { return v > 0 },
	"JGE": func(v int64) bool { return v >= 0 },
	"JLE": func(v int64) bool { return v <= 0 },
	"JE":  func(v int64) bool { return v == 0 },
	"JNZ": func(v int64) bool { return v != 0 },
}

// scalars change a general register a, given the first operand.
var scalars = map[string]func(a, x int64) int64{
	"ADDQ":   func(a, x int64) int64 { return a + x },
	"SUBQ":   func(a, x int64) int64 { return a - x },
	"INCQ":   func(a, _ int64) int64 { return a + 1 },
	"DECQ":   func(a, _ int64) int64 { return a - 1 },
	"ANDQ":   func(a, x int64) int64 { return a & x },
	"SHRQ":   func(a, x int64) int64 { return a >> x },
	"SHLQ":   func(a, x int64) int64 { return a << x },
	"IMUL3Q": func(a, x int64) int64 { return a * x },
}

// lanewise are the instructions that do the same in each lane, given the operands v and an immediate
// operand n. The last operand is the destination.
var lanewise = map[string]func(s *system, v []int, n int) int{
	"VPADDQ":       func(s *system, v []int, _ int) int { return s.sum(v[1], v[0], one) },
	"VPSUBQ":       func(s *system, v []int, _ int) int { return s.sum(v[1], v[0], power(-1, 0)) },
	"VPORQ":        func(s *system, v []int, _ int) int { return s.or(v[1], v[0]) },
	"VPSLLQ":       func(s *system, v []int, n int) int { return s.join(s.constant(0), v[0], n) },
	"VPSRLQ":       func(s *system, v []int, n int) int { return s.right(v[0], n, false) },
	"VPSRAQ":       func(s *system, v []int, n int) int { return s.right(v[0], n, true) },
	"VPMADD52LUQ":  func(s *system, v []int, _ int) int { return s.multiply(v[2], v[1], v[0], false) },
	"VPMADD52HUQ":  func(s *system, v []int, _ int) int { return s.multiply(v[2], v[1], v[0], true) },
	"VMOVDQA64":    first,
	"VMOVDQU64":    first,
	"VPBROADCASTQ": first,
	"VPMOVZXDQ":    first,
	"VPANDQ": func(s *system, v []int, _ int) int {
		mask := s.unknowns[v[0]]
		bits := mask.high.BitLen()
		if !mask.isConstant() || mask.high.Cmp(below(bits)) != 0 {
			fail("a mask that is not 2^n - 1")
		} else if s.isPlain(v[1], bits) {
			return v[1]
		}
		return s.lowest(v[1], bits)
	},
	"VPTERNLOGQ": func(s *system, v []int, n int) int {
		switch {
		case n == 0xca && v[2] == s.constant(0):
			return v[0]
		case n == 0xca && v[2] == s.constant(-1):
			return v[1]
		case n != 0xca:
			fail("VPTERNLOGQ $%d", n)
		}
		return s.choose(v[2], v[0], v[1])
	},
}

func first(_ *system, v []int, _ int) int { return v[0] }

// step executes the next instruction.
func (r *run) step() {
	in := r.code[r.at]
	r.at++
	defer func() {
		if e := recover(); e != nil {
			fail("line %d: %v", in.number, e)
		}
	}()
	switch op := in.op; {
	case op == "CALL":
		r.calls = append(r.calls, r.at)
		r.jump(in.args[0])
	case op == "RET" && len(r.calls) > 0:
		r.at, r.calls = r.calls[len(r.calls)-1], r.calls[:len(r.calls)-1]
	case op == "RET" && len(r.vectors) == 0: // after VZEROUPPER
		r.at = -1
	case op == "RET":
		fail("a return without VZEROUPPER")
	case op == "VZEROUPPER":
		clear(r.vectors)
	case op[0] == 'V':
		r.vector(in)
	case jumps[op] != nil && jumps[op](r.flags):
		r.jump(in.function + in.args[0] + ":")
	case jumps[op] == nil && op != "PCALIGN":
		r.scalar(op, in.args)
	}
}

func (r *run) jump(label string) {
	to, known := r.labels[label]
	if !known {
		fail("no label")
	}
	r.at = to
}

// scalar executes an instruction on general registers. The destination is the last operand.
func (r *run) scalar(op string, args []string) {
	first, second, last := args[0], args[min(len(args)-1, 1)], args[len(args)-1]
	switch {
	case last == "SP" || last == "BP":
		fail("a register of Go")
	case op == "LEAQ":
		r.registers[last] = r.address(first)
	case op == "XORQ" && first == last:
		r.registers[last], r.flags = 0, 0
	case op == "KMOVW" && first[0] == 'K':
		r.masks[last] = r.masks[first]
	case op == "KMOVW":
		r.masks[last] = r.register(first) & 0xffff
	case op == "BZHIQ":
		r.registers[last] = r.register(second) & (1<<r.register(first) - 1)
	case op == "CMPQ":
		r.flags = r.register(first) - integer(last)
	case op == "MOVQ" || op == "MOVL":
		r.registers[last] = r.general(first)
	case scalars[op] != nil:
		r.flags = scalars[op](r.register(second), r.general(first))
		r.registers[last] = r.flags
	default:
		fail("unknown instruction %s %v", op, args)
	}
}

// vector executes an instruction on vectors. The destination is the last operand.
func (r *run) vector(in line) {
	op, _, _ := strings.Cut(in.op, ".")
	n, mask, width := int64(0), int64(0xff), int64(8)
	last := in.args[len(in.args)-1]
	var sources []vector
	var out vector
	isZero := op == "VPXORQ" && in.args[0] == in.args[1]
	if last[0] == 'Y' || op == "VINSERTI64X4" || in.args[0][0] == 'Y' || op == "VEXTRACTI64X4" {
		width = 4
	}
	for i, arg := range in.args {
		isSource := i < len(in.args)-1 || strings.HasPrefix(op, "VPMADD") || op == "VPTERNLOGQ"
		switch {
		case arg[0] == '$':
			n = integer(arg)
		case arg[0] == 'K':
			mask = r.masks[arg]
		case isSource && !isZero && (op != "VPERMQ" || i > 0):
			sources = append(sources, r.source(arg, in.op, width))
		}
	}
	for i := range out {
		var v []int
		for _, s := range sources {
			v = append(v, s[i])
		}
		switch do := lanewise[op]; {
		case isZero:
			out[i] = r.constant(0)
		case (op == "VMOVDQU64" || op == "VEXTRACTI64X4" && n == 1) && last[len(last)-1] == ')':
			if mask>>i&1 == 1 && int64(i) < width {
				r.store(r.address(last)+int64(8*i), sources[0][i+4*int(n)])
			}
		case op == "VPBLENDMQ":
			out[i] = v[1-mask>>i&1]
		case op == "VPUNPCKLQDQ" || op == "VPUNPCKHQDQ":
			out[i] = sources[1-i%2][i&^1+strings.Count(op, "H")]
		case op == "VINSERTI64X4" && n == 1:
			out[i] = sources[1-i/4][i%4]
		case op == "VSHUFI64X2":
			out[i] = sources[1-i/4][n>>(i&^1)&3*2+int64(i%2)]
		case op == "VPERMQ" && v[0] != 0:
			var table [8]int64
			for i := range table {
				table[i] = r.fixedAt(r.address(in.args[0]) + int64(8*i))
			}
			out[i] = r.lookUp(v[0], table)
		case do != nil && !slices.Contains(v, 0):
			out[i] = do(r.system, v, int(n))
		case do == nil && op != "VPERMQ":
			fail("unknown instruction %s %v", in.op, in.args)
		}
	}
	if last[len(last)-1] != ')' {
		r.vectors["Z"+last[1:]] = out
	}
}
