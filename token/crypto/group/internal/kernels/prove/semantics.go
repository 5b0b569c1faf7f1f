package main

import (
	"math/big"
	"strings"
)

// effect is the effect of an instruction on the state.
type effect func(m *machine, s *state, in instruction)

// semantics are the instructions, by mnemonic and operands. The operands are in the order of
// Go's assembler: the destination is the last one. Jumps, CALL and RET are in follow.
// The letters are the kinds of operands. An instruction that is not listed is refused.
var semantics map[string]effect

// init fills the table of effects, one entry for each instruction with its kinds of operands.
// It is no literal of the variable, because methods that effects call read the table.
func init() {
	semantics = map[string]effect{
		"PCALIGN i": func(*machine, *state, instruction) {},
		"VZEROUPPER ": func(m *machine, s *state, in instruction) {
			s.vectors, s.upper = [32]*value{}, false
		},
		"VPXORQ zzz": func(m *machine, s *state, in instruction) {
			if in.operands[0] != in.operands[1] {
				refuse("VPXORQ of two registers")
			}
			m.set(s, in, m.constant(new(big.Int)))
		},
		"VMOVDQA64 zz": func(m *machine, s *state, in instruction) {
			m.set(s, in, m.read(s, in.operands[0]))
		},
		"VMOVDQU64 mz": func(m *machine, s *state, in instruction) {
			m.set(s, in, m.loadAny(s, m.address(s, in.operands[0]), lanesOfVector))
		},
		"VMOVDQU64 zm": func(m *machine, s *state, in instruction) {
			m.storeAny(s, in, 0, lanesOfVector, true)
		},
		"VMOVDQU64 zkm": func(m *machine, s *state, in instruction) {
			m.storeAny(s, in, 0, lanesOfVector, m.bit(s, in.operands[1].number))
		},
		"VPBLENDMQ zzkz": func(m *machine, s *state, in instruction) {
			v := in.operands[1]
			if m.bit(s, in.operands[2].number) {
				v = in.operands[0]
			}
			m.set(s, in, m.read(s, v))
		},
		"VPERMQ szz": func(m *machine, s *state, in instruction) {
			var table [8]*big.Int
			for i := range table {
				word := int64(m.source.word(in.operands[0].name, in.operands[0].value+8*int64(i)))
				table[i] = num(word)
			}
			m.set(s, in, m.lookUp(m.read(s, in.operands[1]), table))
		},
		"VPADDQ zzz":      binary(func(m *machine, a, b *value) *value { return m.add(a, b) }),
		"VPSUBQ zzz":      binary(func(m *machine, a, b *value) *value { return m.sub(a, b) }),
		"VPANDQ zzz":      binary(func(m *machine, a, b *value) *value { return m.and(a, b) }),
		"VPMADD52LUQ zzz": multiplyAdd((*lane).multiplyLow),
		"VPMADD52HUQ zzz": multiplyAdd((*lane).multiplyHigh),
		"VPSRLQ izz":      shift((*lane).shiftRight),
		"VPSRAQ izz":      shift((*lane).shiftSigned),
		"VPSLLQ izz":      shift((*lane).shiftLeft),

		"MOVQ pr": func(m *machine, s *state, in instruction) {
			o := in.operands[0]
			if m.spec.arguments != nil {
				if m.spec.arguments[o.value] != o.name {
					refuse("parameter %s+%d", o.name, o.value)
				}
				m.setScalar(s, in, m.argument(m.spec.arguments, o.value))
				return
			}
			if o.name != "a" || o.value != 0 {
				refuse("parameter %s+%d", o.name, o.value)
			}
			m.setScalar(s, in, linear{"@a": 1})
		},
		"MOVQ mr": func(m *machine, s *state, in instruction) {
			m.setScalar(s, in, m.wordAt(s, m.address(s, in.operands[0])))
		},
		"MOVL mr": func(m *machine, s *state, in instruction) {
			m.setScalar(s, in, m.reference(s, m.address(s, in.operands[0])))
		},
		"MOVQ ir": func(m *machine, s *state, in instruction) {
			m.setScalar(s, in, fixedAt(in.operands[0].value))
		},
		"MOVQ rr": func(m *machine, s *state, in instruction) {
			m.setScalar(s, in, m.scalar(s, in.operands[0].name))
		},
		"LEAQ mr": func(m *machine, s *state, in instruction) {
			m.setScalar(s, in, m.address(s, in.operands[0]))
		},
		"LEAQ sr": func(m *machine, s *state, in instruction) {
			m.setScalar(s, in, m.address(s, in.operands[0]))
		},
		"XORQ rr": func(m *machine, s *state, in instruction) {
			if in.operands[0] != in.operands[1] {
				refuse("XORQ of two registers")
			}
			m.setFlags(s, in, linear{})
		},
		"ADDQ ir": arithmetic(func(m *machine, s *state, a linear, o operand) linear {
			return a.add(o.value)
		}),
		"ADDQ mr": func(m *machine, s *state, in instruction) {
			v := m.wordAt(s, m.address(s, in.operands[0]))
			m.setScalar(s, in, m.scalar(s, in.operands[1].name).plus(v, 1))
			s.flags = nil
		},
		"ADDQ rr": arithmetic(func(m *machine, s *state, a linear, o operand) linear {
			return a.plus(m.scalar(s, o.name), 1)
		}),
		"SUBQ ir": arithmetic(func(m *machine, s *state, a linear, o operand) linear {
			return a.add(-o.value)
		}),
		"INCQ r": arithmetic(func(m *machine, s *state, a linear, o operand) linear { return a.add(1) }),
		"DECQ r": arithmetic(func(m *machine, s *state, a linear, o operand) linear { return a.add(-1) }),
		"CMPQ ri": func(m *machine, s *state, in instruction) {
			s.flags = m.scalar(s, in.operands[0].name).add(-in.operands[1].value)
		},
		"IMUL3Q irr": func(m *machine, s *state, in instruction) {
			v := m.scalar(s, in.operands[1].name).scaled(in.operands[0].value)
			m.setScalar(s, in, v)
			s.flags = nil
		},
		"SHLQ ir": arithmetic(func(m *machine, s *state, a linear, o operand) linear {
			return a.scaled(1 << o.value)
		}),
		// n - 1 = 8q + e: the remainder and the quotient.
		"ANDQ ir": arithmetic(func(m *machine, s *state, a linear, o operand) linear {
			if o.value != 7 || !a.equal(linear{"q": 8, m.rest(): 1}) {
				refuse("%s & %d", a, o.value)
			}
			return linear{m.rest(): 1}
		}),
		"SHRQ ir": arithmetic(func(m *machine, s *state, a linear, o operand) linear {
			for k, c := range a {
				lane, isReference := strings.CutPrefix(k, "reference ")
				if isReference && c == 1 && len(a) == 1 && o.value == 1 {
					return linear{"index " + lane: 1}
				}
			}
			if o.value != 3 || !a.equal(linear{"q": 8, m.rest(): 1}) {
				refuse("%s >> %d", a, o.value)
			}
			return linear{"q": 1}
		}),
		// The lowest bits of 2⁸ - 1, as many as the index says.
		"BZHIQ rrr": func(m *machine, s *state, in instruction) {
			n, ones := m.scalar(s, in.operands[0].name), m.scalar(s, in.operands[1].name)
			if !ones.equal(fixedAt(255)) || !s.facts.atLeast0(n) ||
				!s.facts.atLeast0(fixedAt(8).plus(n, -1)) {
				refuse("%s bits of %s", n, ones)
			}
			s.general[in.operands[2].name], s.flags = scalar{ones: n}, nil
		},
		"KMOVW rk": func(m *machine, s *state, in instruction) {
			v := s.general[in.operands[0].name]
			switch {
			case v.ones != nil:
				s.masks[in.operands[1].number] = v.ones
			case v.linear != nil && v.equal(fixedAt(255)):
				s.masks[in.operands[1].number] = fixedAt(8)
			default:
				refuse("a mask of %s", v.linear)
			}
		},
		"KMOVW kk": func(m *machine, s *state, in instruction) {
			s.masks[in.operands[1].number] = s.masks[in.operands[0].number]
		},
	}
	addMoves()
	for _, kinds := range []string{"s", "m"} {
		semantics["VPBROADCASTQ "+kinds+"z"] = func(m *machine, s *state, in instruction) {
			m.set(s, in, m.constantAt(m.address(s, in.operands[0])))
		}
		for _, op := range []string{"VPADDQ", "VPSUBQ", "VPANDQ", "VPMADD52LUQ", "VPMADD52HUQ"} {
			semantics[op+".BCST "+kinds+"zz"] = semantics[op+" zzz"]
		}
	}
	for _, op := range []string{"VPADDQ", "VPSUBQ"} {
		semantics[op+" mzz"] = semantics[op+" zzz"]
	}
	for _, form := range []string{"CALL s", "RET ", "JMP l", "JG l", "JGE l", "JLE l", "JE l", "JNZ l"} {
		semantics[form] = nil
	}
}

// read returns a source in a vector register or in memory.
func (m *machine) read(s *state, o operand) *value {
	v := s.vectors[o.number]
	if v == nil {
		refuse("register Z%d is undefined", o.number)
	}
	return v
}

// first1 returns the first operand: a register, a vector in memory, or a broadcast.
func (m *machine) first1(s *state, in instruction) *value {
	switch o := in.operands[0]; {
	case o.kind == vector:
		return m.read(s, o)
	case len(in.op) > 5 && in.op[len(in.op)-5:] == ".BCST":
		return m.constantAt(m.address(s, o))
	default:
		return m.loadVector(s, m.address(s, o))
	}
}

// set sets the last operand, a vector register.
func (m *machine) set(s *state, in instruction, v *value) {
	s.vectors[in.operands[len(in.operands)-1].number], s.upper = v, true
}

func (m *machine) setScalar(s *state, in instruction, v linear) {
	s.general[in.operands[len(in.operands)-1].name] = scalar{linear: v}
}

func (m *machine) setFlags(s *state, in instruction, v linear) {
	m.setScalar(s, in, v)
	s.flags = v
}

// binary is an instruction with the result f(second, first).
func binary(f func(m *machine, a, b *value) *value) effect {
	return func(m *machine, s *state, in instruction) {
		lane := func(v []*value) *value { return f(m, v[0], v[1]) }
		m.set(s, in, m.lanewise(lane, m.read(s, in.operands[1]), m.first1(s, in)))
	}
}

// multiplyAdd adds half of a product to the destination.
func multiplyAdd(f func(l *lane, acc, a, b *value) *value) effect {
	return func(m *machine, s *state, in instruction) {
		m.set(s, in, m.lanewise(func(v []*value) *value { return f(m.lane, v[0], v[1], v[2]) },
			m.read(s, in.operands[2]), m.read(s, in.operands[1]), m.first1(s, in)))
	}
}

func shift(f func(l *lane, v *value, n int) *value) effect {
	return func(m *machine, s *state, in instruction) {
		n := in.operands[0].value
		if n < 0 || n > 63 {
			refuse("a shift by %d", n)
		}
		lane := func(v []*value) *value { return f(m.lane, v[0], int(n)) }
		m.set(s, in, m.lanewise(lane, m.read(s, in.operands[1])))
	}
}

// arithmetic changes the last operand, given the first.
func arithmetic(f func(m *machine, s *state, a linear, o operand) linear) effect {
	return func(m *machine, s *state, in instruction) {
		last := in.operands[len(in.operands)-1]
		m.setFlags(s, in, f(m, s, m.scalar(s, last.name), in.operands[0]))
	}
}

// loadAny loads a vector register.
func (m *machine) loadAny(s *state, at linear, n int64) *value {
	if m.words == nil {
		return m.loadVector(s, at)
	}
	return m.loadLanes(s, at, n)
}

// storeAny stores n lanes of the first operand, from a lane on, to the last one.
func (m *machine) storeAny(s *state, in instruction, from, n int64, bit bool) {
	v, at := m.read(s, operandOfVector(in)), m.address(s, in.operands[len(in.operands)-1])
	if m.words == nil {
		m.storeVector(s, at, v, bit)
		return
	}
	m.storeLanes(s, at, v, from, n, bit)
}

// operandOfVector returns the vector register of a store.
func operandOfVector(in instruction) operand {
	if in.operands[0].kind == immediate {
		return in.operands[1]
	}
	return in.operands[0]
}
