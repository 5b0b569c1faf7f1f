package main

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// The parser of Go's assembly, for the subset that the kernels use. It refuses other
// assembly and names the line.

// refusal is why something is not proved.
type refusal struct{ text string }

func (r refusal) Error() string { return r.text }

// refuse ends the proof at hand.
func refuse(format string, args ...any) { panic(refusal{fmt.Sprintf(format, args...)}) }

// kind is the form of an operand.
type kind byte

// The letters appear in the patterns of instruction forms: see forms.
const (
	vector    kind = 'z' // Z0 to Z31
	half      kind = 'y' // Y0 to Y31
	general   kind = 'r' // AX to R15
	maskReg   kind = 'k' // K0 to K7
	immediate kind = 'i' // $1
	inMemory  kind = 'm' // 8(R8)(BX*1)
	symbol    kind = 's' // table0<>+0(SB)
	parameter kind = 'p' // a+0(FP)
	label     kind = 'l'
)

// operand is one operand of an instruction.
type operand struct {
	kind        kind
	number      int    // of a register Z, Y or K
	name        string // of a general register, symbol, parameter or label
	value       int64  // of an immediate, or the displacement
	base, index string
}

// instruction is one line of assembly.
type instruction struct {
	op       string
	operands []operand
	line     int
	form     string // the kinds of all operands
}

// function is the text of one symbol.
type function struct {
	name   string
	body   []instruction
	labels map[string]int // the instruction after a label
}

// source is a file of assembly.
type source struct {
	path      string
	functions map[string]*function
	order     []*function
	data      map[string]map[int64]uint64 // words of symbols
	size      map[string]int64
}

var (
	textLine   = regexp.MustCompile(`^TEXT ·(\w+(?:<>)?)\(SB\), (NOSPLIT(?:\|NOFRAME)?), \$0(?:-\d+)?$`)
	dataLine   = regexp.MustCompile(`^DATA (\w+)<>\+(\d+)\(SB\)/8, \$(0x[0-9a-f]{16})$`)
	globlLine  = regexp.MustCompile(`^GLOBL (\w+)<>\(SB\), RODATA\|NOPTR, \$(\d+)$`)
	labelLine  = regexp.MustCompile(`^(\w+):$`)
	vectorForm = regexp.MustCompile(`^([ZYK])(\d+)$`)
	classes    = map[string]kind{"Z": vector, "Y": half, "K": maskReg} // of vectorForm
	symbolForm = regexp.MustCompile(`^·?(\w+)<>(?:\+(\d+))?\(SB\)$`)
	paramForm  = regexp.MustCompile(`^(\w+)\+(\d+)\(FP\)$`)
	memoryForm = regexp.MustCompile(`^(-?\d*)\(([A-Z0-9]+)\)(?:\(([A-Z0-9]+)\*1\))?$`)
	labelForm  = regexp.MustCompile(`^[a-z]\w*$`)
)

// generals are the registers that kernels may use. Go calls them by ABI0, so that all but SP
// and BP are free: wrappers restore R14 and X15 for the callers of ABIInternal. An
// instruction that names them is refused.
var generals = map[string]bool{
	"AX": true, "BX": true, "CX": true, "DX": true, "SI": true, "DI": true, "R8": true, "R9": true,
	"R10": true, "R11": true, "R12": true, "R13": true, "R14": true, "R15": true,
}

// parseFile reads a file of assembly.
func parseFile(path, text string) *source {
	s := &source{path: path, functions: map[string]*function{}, data: map[string]map[int64]uint64{},
		size: map[string]int64{}}
	var f *function
	for i, line := range strings.Split(text, "\n") {
		n := i + 1
		if at := strings.Index(line, "//"); at >= 0 {
			line = line[:at]
		}
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "" || trimmed == `#include "textflag.h"`:
		case textLine.MatchString(line):
			f = &function{name: textLine.FindStringSubmatch(line)[1], labels: map[string]int{}}
			if s.functions[f.name] != nil {
				refuse("%s:%d: a second %s", path, n, f.name)
			}
			s.functions[f.name], s.order = f, append(s.order, f)
		case dataLine.MatchString(line):
			m := dataLine.FindStringSubmatch(line)
			if s.data[m[1]] == nil {
				s.data[m[1]] = map[int64]uint64{}
			}
			at, _ := strconv.ParseInt(m[2], 10, 64)
			s.data[m[1]][at], _ = strconv.ParseUint(m[3], 0, 64)
		case globlLine.MatchString(line):
			m := globlLine.FindStringSubmatch(line)
			s.size[m[1]], _ = strconv.ParseInt(m[2], 10, 64)
		case f != nil && labelLine.MatchString(line):
			f.labels[labelLine.FindStringSubmatch(line)[1]] = len(f.body)
		case f != nil && strings.HasPrefix(line, "\t"):
			f.body = append(f.body, s.instruction(trimmed, n))
		default:
			refuse("%s:%d: unknown line %q", path, n, trimmed)
		}
	}
	for _, f := range s.order {
		if len(f.body) == 0 {
			refuse("%s: %s has no instructions", path, f.name)
		}
	}
	return s
}

// instruction parses one instruction and checks that its form is known.
func (s *source) instruction(text string, line int) instruction {
	op, rest, _ := strings.Cut(text, " ")
	in := instruction{op: op, line: line}
	rest = strings.TrimSpace(rest)
	if rest != "" {
		for _, part := range strings.Split(rest, ",") {
			o, ok := parseOperand(strings.TrimSpace(part))
			if !ok {
				refuse("%s:%d: unknown operand %q of %s", s.path, line, strings.TrimSpace(part), op)
			}
			in.operands = append(in.operands, o)
			in.form += string(o.kind)
		}
	}
	if op == "CALL" || strings.HasPrefix(op, "J") {
		o := &in.operands[len(in.operands)-1]
		if len(in.operands) != 1 || (o.kind != label) == (op != "CALL") {
			refuse("%s:%d: unknown form of %s", s.path, line, op)
		}
	}
	if _, known := semantics[op+" "+in.form]; !known {
		refuse("%s:%d: unknown instruction %s with operands %q", s.path, line, op, in.form)
	}
	return in
}

// parseOperand parses one operand, by trying its forms in turn; a label comes last.
func parseOperand(t string) (o operand, ok bool) {
	if v, isImmediate := strings.CutPrefix(t, "$"); isImmediate {
		n, err := strconv.ParseInt(v, 0, 64)
		return operand{kind: immediate, value: n}, err == nil
	}
	if m := vectorForm.FindStringSubmatch(t); m != nil {
		n, _ := strconv.Atoi(m[2])
		o = operand{kind: classes[m[1]], number: n}
		return o, n < 8 || m[1] != "K" && n < 32
	}
	if generals[t] {
		return operand{kind: general, name: t}, true
	}
	if m := symbolForm.FindStringSubmatch(t); m != nil {
		n, _ := strconv.ParseInt("0"+m[2], 10, 64)
		return operand{kind: symbol, name: m[1], value: n}, true
	}
	if m := paramForm.FindStringSubmatch(t); m != nil {
		n, _ := strconv.ParseInt(m[2], 10, 64)
		return operand{kind: parameter, name: m[1], value: n}, true
	}
	if m := memoryForm.FindStringSubmatch(t); m != nil {
		n, err := int64(0), error(nil)
		if m[1] != "" {
			n, err = strconv.ParseInt(m[1], 10, 64)
		}
		o = operand{kind: inMemory, base: m[2], index: m[3], value: n}
		return o, err == nil && generals[o.base] && (o.index == "" || generals[o.index])
	}
	return operand{kind: label, name: t}, labelForm.MatchString(t)
}

// word returns eight bytes of a constant.
func (s *source) word(name string, at int64) uint64 {
	v, ok := s.data[name][at]
	if !ok || at+8 > s.size[name] {
		refuse("%s has no eight bytes at %d", name, at)
	}
	return v
}

// load reads and parses a file.
func load(path string) *source {
	text, err := os.ReadFile(path)
	if err != nil {
		refuse("%v", err)
	}
	return parseFile(path, string(text))
}
