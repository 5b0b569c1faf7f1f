package main

import (
	"fmt"
	"regexp"
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

// word returns word i of a constant.
func (r *run) word(address, i int64) int64 {
	name, offset := r.named(address)
	v, there := r.words[fmt.Sprint(name[1:], "<>+", offset+8*i, "(SB)")]
	if !there || name[0] != '&' {
		fail("%s%+d is not a constant", name, offset)
	}
	return v
}

// source returns an operand of a vector instruction.
func (r *run) source(arg string, isBroadcast bool) int {
	if v, there := r.vectors[arg]; there {
		return v
	}
	if isBroadcast {
		return r.constant(r.word(r.address(arg), 0))
	}
	return r.load(r.address(arg))
}

// argument returns the value of a field of the arguments.
func (r *run) argument(address int64) int64 {
	name, offset := r.named(address)
	switch field := r.fields[offset]; {
	case name != "@a" || field == "":
		fail("a load from %s%+d", name, offset)
	case field == "n":
		return r.n
	case field == "times":
		return 2
	}
	return r.pointer("@" + r.fields[offset])
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

// execute executes one instruction. The destination is the last operand.
func (r *run) execute(in line) {
	op, isBroadcast := strings.CutSuffix(in.op, ".BCST")
	first, second, last := "", "", "" // the source of three operands, or the destination
	if n := len(in.args); n > 0 {
		first, second, last = in.args[0], in.args[min(n-1, 1)], in.args[n-1]
	}
	a := func(i int) int { return r.source(in.args[i], isBroadcast || op == "VPBROADCASTQ") }
	isImmediate := strings.HasPrefix(first, "$")
	if taken := jumps[op]; taken != nil {
		target, known := r.labels[in.function+last+":"]
		if taken(r.flags) && !known {
			fail("no label")
		} else if taken(r.flags) {
			r.at = target
		}
		return
	}
	if calculate := scalars[op]; calculate != nil {
		var x int64
		if isImmediate {
			x = integer(first)
		} else if len(in.args) > 1 {
			x = r.register(first)
		}
		r.flags = calculate(r.register(second), x)
		r.registers[last] = r.flags
		return
	}
	switch {
	case op == "PCALIGN":
	case op == "CALL":
		r.calls, r.at = append(r.calls, r.at), r.labels[first]
	case op == "RET" && len(r.calls) > 0:
		r.at, r.calls = r.calls[len(r.calls)-1], r.calls[:len(r.calls)-1]
	case op == "RET" && len(r.vectors) == 0: // after VZEROUPPER
		r.at = -1
	case op == "VZEROUPPER":
		r.vectors = map[string]int{}
	case op == "VPXORQ" && first == in.args[1]:
		r.vectors[last] = r.constant(0)
	case op == "VMOVDQU64" && len(in.args) == 3:
		r.store(r.address(last), a(0), r.masks[in.args[1]]>>r.lane&1 == 1)
	case op == "VMOVDQU64" && last[0] != 'Z':
		r.store(r.address(last), a(0), true)
	case op == "VMOVDQU64" || op == "VMOVDQA64" || op == "VPBROADCASTQ":
		r.vectors[last] = a(0)
	case op == "VPBLENDMQ":
		r.vectors[last] = a(1 - int(r.masks[in.args[2]]>>r.lane&1))
	case op == "VPERMQ":
		var table [8]int64
		for i := range table {
			table[i] = r.word(r.address(first), int64(i))
		}
		r.vectors[last] = r.lookUp(a(1), table)
	case op == "VPADDQ":
		r.vectors[last] = r.sum(a(1), a(0), 1)
	case op == "VPSUBQ":
		r.vectors[last] = r.sum(a(1), a(0), -1)
	case op == "VPANDQ" && a(0) == r.constant(below(52).Int64()):
		r.vectors[last] = r.lowest(a(1), 52)
	case op == "VPMADD52LUQ" || op == "VPMADD52HUQ":
		r.vectors[last] = r.multiply(a(2), a(1), a(0), op == "VPMADD52HUQ")
	case op == "VPSRLQ" || op == "VPSRAQ":
		r.vectors[last] = r.right(a(1), int(integer(first)), op == "VPSRAQ")
	case op == "VPSLLQ":
		x := r.unknowns[a(1)]
		n := int(integer(first))
		r.vectors[last] = r.system.new(left(x.low, n), left(x.high, n), 0, term{a(1), 0, left(one, n)})
	case op == "MOVQ" && first == "a+0(FP)":
		r.registers[last] = r.pointer("@a")
	case op == "MOVQ" && isImmediate:
		r.registers[last] = integer(first)
	case op == "MOVQ":
		r.registers[last] = r.argument(r.address(first))
	case op == "LEAQ":
		r.registers[last] = r.address(first)
	case op == "XORQ" && first == last:
		r.registers[last], r.flags = 0, 0
	case op == "CMPQ":
		r.flags = r.register(first) - integer(last)
	case op == "BZHIQ":
		r.registers[last] = r.register(second) & (1<<r.register(first) - 1)
	case op == "KMOVW" && first[0] == 'K':
		r.masks[last] = r.masks[first]
	case op == "KMOVW":
		r.masks[last] = r.register(first) & 0xffff
	default:
		fail("unknown instruction %s %v", in.op, in.args)
	}
}
