package main

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// multiplication is what kernels spend their time with. It computes limbs from the
// limbs of its operands, which are all in blocks in memory.
type multiplication struct {
	name     string
	operands int
	limbs    func(pr program, operands []number) []vec
}

// The multiplications. An operand without limbs, which is zero, is not added.
var (
	// productPlus is a·b/R + c mod p.
	productPlus = &multiplication{"product", 3, func(pr program, o []number) []vec {
		return pr.rows(&o[2], factors{o[0], o[1]})
	}}
	// twoProducts is (a·b + c·d)/R mod p.
	twoProducts = &multiplication{"products", 4, func(pr program, o []number) []vec {
		return pr.rows(nil, factors{o[0], o[1]}, factors{o[2], o[3]})
	}}
	// squareOf is a²/R mod p.
	squareOf = &multiplication{"square", 1, func(pr program, o []number) []vec {
		return pr.columns(o[0])
	}}
)

// caller is a machine with subroutines for multiplications.
type caller interface {
	// calls reports whether the current kernel calls them.
	calls() bool
	// call computes a multiplication in the given thread. It calls rest between
	// the parts of the multiplication.
	call(f *field, m *multiplication, of []number, thread int, rest func()) []vec
}

// multiply computes a multiplication, in a subroutine if the machine has any.
func (pr program) multiply(m *multiplication, operands ...number) []vec {
	machine, thread, rest := pr.machine, 0, func() {}
	if t, ok := machine.(*inTurns); ok {
		machine, thread, rest = t.machine, t.thread, func() { t.yield(struct{}{}) }
	}
	if c, ok := machine.(caller); ok && c.calls() {
		return c.call(pr.f, m, operands, thread, rest)
	}
	return m.limbs(pr, operands)
}

// Each of two threads has half of the vector registers for multiplications, and a
// pointer for each operand.
const (
	threads       = 2
	threadVectors = 32 / threads
)

var pointers = [threads][]reg.GPPhysical{{reg.R8, reg.R9, reg.R10, reg.R11}, {reg.R12, reg.R13, reg.R14, reg.R15}}

var vectors = []reg.VecPhysical{
	reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6, reg.Z7,
	reg.Z8, reg.Z9, reg.Z10, reg.Z11, reg.Z12, reg.Z13, reg.Z14, reg.Z15,
	reg.Z16, reg.Z17, reg.Z18, reg.Z19, reg.Z20, reg.Z21, reg.Z22, reg.Z23,
	reg.Z24, reg.Z25, reg.Z26, reg.Z27, reg.Z28, reg.Z29, reg.Z30, reg.Z31,
}

// partSize is how many multiply-adds a subroutine has. While one multiplication
// waits for its own results, a processor runs the next part of the other thread:
// both together fit what it looks ahead.
const partSize = 26

// subroutines is a multiplication on fixed registers, in parts that are called one
// after the other.
type subroutines struct {
	*recorder
	ends   []int // of the parts, in instructions
	result []int // values
}

// newSubroutines returns a multiplication for one field.
func newSubroutines(f *field, m *multiplication) *subroutines {
	r := &recorder{}
	var operands []number
	for i := range m.operands {
		n := number{from: memory{name: fmt.Sprint(i), limbBytes: blockBytes}, form: factor}
		if m == productPlus && i == 2 {
			n.form = raw
		}
		operands = append(operands, n)
	}
	s := &subroutines{recorder: r}
	for _, v := range m.limbs(program{machine: r, f: f}, operands) {
		s.result = append(s.result, v.(recorded).number)
	}
	r.allocate(s.result)
	parts := (r.multiplyAdds + partSize - 1) / partSize
	done := 0
	for i, in := range r.instructions {
		if done*parts >= (len(s.ends)+1)*r.multiplyAdds {
			s.ends = append(s.ends, i)
		}
		if in.multiplyAdd {
			done++
		}
	}
	s.ends = append(s.ends, len(r.instructions))
	return s
}

// recorded is a value of a recorder.
type recorded struct {
	number int
	modulo bool // bits from 52 on are undefined
}

// recorder is a machine that keeps instructions, to be given to another machine.
type recorder struct {
	instructions []instruction
	multiplyAdds int
	values       int
	registers    []int // by value
	used         int   // registers
}

// instruction is one that returns a value, or changes one that it reads.
type instruction struct {
	result      int // or -1
	reads       []int
	multiplyAdd bool
	on          func(m machine, v func(vec) vec) vec
}

func (r *recorder) change(on func(m machine, v func(vec) vec), reads ...vec) {
	in := instruction{result: -1, on: func(m machine, v func(vec) vec) vec { on(m, v); return nil }}
	for _, v := range reads {
		in.reads = append(in.reads, v.(recorded).number)
	}
	r.instructions = append(r.instructions, in)
}

func (r *recorder) make(on func(m machine, v func(vec) vec) vec, reads ...vec) vec {
	r.change(nil, reads...)
	in := &r.instructions[len(r.instructions)-1]
	in.on, in.result = on, r.values
	r.values++
	return recorded{number: in.result}
}

func (r *recorder) multiplied() {
	r.instructions[len(r.instructions)-1].multiplyAdd = true
	r.multiplyAdds++
}

func (r *recorder) load(from memory, limb int) vec {
	return r.make(func(m machine, _ func(vec) vec) vec { return m.load(from, limb) })
}

func (r *recorder) zero() vec {
	return r.make(func(m machine, _ func(vec) vec) vec { return m.zero() })
}

func (r *recorder) clone(v vec) vec {
	return r.make(func(m machine, of func(vec) vec) vec { return m.clone(of(v)) }, v)
}

func (r *recorder) constant(c int64) vec {
	return r.make(func(m machine, _ func(vec) vec) vec { return m.constant(c) })
}

func (r *recorder) mulLow(acc, a, b vec) {
	r.change(func(m machine, of func(vec) vec) { m.mulLow(of(acc), of(a), of(b)) }, acc, a, b)
	r.multiplied()
}

func (r *recorder) mulHigh(acc, a, b vec) {
	r.change(func(m machine, of func(vec) vec) { m.mulHigh(of(acc), of(a), of(b)) }, acc, a, b)
	r.multiplied()
}

func (r *recorder) quotient(v vec, c uint64) vec {
	q := r.make(func(m machine, of func(vec) vec) vec { return m.quotient(of(v), c) }, v)
	r.multiplied()
	return q
}

func (r *recorder) add(acc, v vec) {
	r.change(func(m machine, of func(vec) vec) { m.add(of(acc), of(v)) }, acc, v)
}

func (r *recorder) addConst(acc vec, c uint64) {
	r.change(func(m machine, of func(vec) vec) { m.addConst(of(acc), c) }, acc)
}

func (r *recorder) shiftRight(v vec, n int) vec {
	return r.make(func(m machine, of func(vec) vec) vec { return m.shiftRight(of(v), n) }, v)
}

func (r *recorder) modulo(v vec) vec { return recorded{v.(recorded).number, true} }

func (r *recorder) claim(vec, *big.Int, *big.Int) {}

// Multiplications have no such instructions.

func (r *recorder) store(memory, int, vec)         { panic("recorder: store") }
func (r *recorder) sub(_, _ vec)                   { panic("recorder: sub") }
func (r *recorder) or(_, _ vec)                    { panic("recorder: or") }
func (r *recorder) andConst(vec, uint64)           { panic("recorder: andConst") }
func (r *recorder) shiftLeft(vec, int) vec         { panic("recorder: shiftLeft") }
func (r *recorder) shiftSigned(vec, int) vec       { panic("recorder: shiftSigned") }
func (r *recorder) lookUp(vec, [lanes]int64) vec   { panic("recorder: lookUp") }
func (r *recorder) selectIf(_, _, _ vec) vec       { panic("recorder: selectIf") }
func (r *recorder) pad(memory, vec, uint64) vec    { panic("recorder: pad") }
func (r *recorder) limits(vec, int)                { panic("recorder: limits") }
func (r *recorder) remark(format string, a ...any) { panic("recorder: remark") }

// allocate chooses a register for each value. A register is free once its value is
// read for the last time.
func (r *recorder) allocate(result []int) {
	last := make([]int, r.values)
	for i, in := range r.instructions {
		for _, v := range in.reads {
			last[v] = i
		}
	}
	for _, v := range result {
		last[v] = len(r.instructions)
	}
	r.registers = make([]int, r.values)
	holds := make([]int, threadVectors) // the value of a register, or -1
	for i := range holds {
		holds[i] = -1
	}
	for i, in := range r.instructions {
		for k, v := range holds {
			if v >= 0 && last[v] <= i {
				holds[k] = -1
			}
		}
		if in.result < 0 {
			continue
		}
		free := slices.Index(holds, -1)
		if free < 0 {
			panic("a multiplication needs too many registers")
		}
		r.used = max(r.used, free+1)
		r.registers[in.result], holds[free] = free, in.result
	}
}

// live returns the registers that hold a value between instructions i-1 and i.
func (s *subroutines) live(i int) (registers []int) {
	read := map[int]bool{}
	for _, v := range s.result {
		read[v] = true
	}
	for _, in := range s.instructions[i:] {
		for _, v := range in.reads {
			read[v] = true
		}
	}
	for _, in := range s.instructions[:i] {
		if read[in.result] && in.result >= 0 {
			registers = append(registers, s.registers[in.result])
		}
	}
	return registers
}

// part returns the instructions of one part.
func (s *subroutines) part(i int) []instruction {
	first := 0
	if i > 0 {
		first = s.ends[i-1]
	}
	return s.instructions[first:s.ends[i]]
}

// run gives instructions to a machine. at holds the values by register.
func (s *subroutines) run(m machine, in []instruction, at []vec, result func(register int)) {
	for _, in := range in {
		if in.result >= 0 && result != nil {
			result(s.registers[in.result])
		}
		v := in.on(m, func(v vec) vec {
			x := v.(recorded)
			if x.modulo {
				return m.modulo(at[s.registers[x.number]])
			}
			return at[s.registers[x.number]]
		})
		if in.result >= 0 {
			at[s.registers[in.result]] = v
		}
	}
}

// subroutineKey names subroutines.
type subroutineKey struct {
	m      *multiplication
	thread int
}

func (k subroutineKey) part(i int) string { return fmt.Sprintf("%s%d_%d<>", k.m.name, k.thread, i) }

// calls implements caller. Kernels without memory for operands do not call.
func (a *assembler) calls() bool { return a.operands.inMemory != nil }

// call implements caller.
func (a *assembler) call(f *field, m *multiplication, of []number, thread int, rest func()) []vec {
	key := subroutineKey{m, thread}
	s := a.subroutines[m]
	if s == nil {
		s = newSubroutines(f, m)
		a.subroutines[m] = s
	}
	a.called[key] = true
	rest()
	inputs := []operand.Op{}
	for i, n := range of {
		p := pointers[thread][i]
		a.LEAQ(a.block(f, n), p)
		inputs = append(inputs, p)
	}
	all := a.registersOf(thread, s.used)
	for i := range s.ends {
		if i > 0 {
			rest()
		}
		a.forget()
		start := 0
		if i > 0 {
			start = s.ends[i-1]
		}
		call := &ir.Instruction{Opcode: "CALL", Operands: []operand.Op{operand.LabelRef("·" + key.part(i) + "(SB)")}}
		call.Inputs = slices.Clone(inputs)
		for _, k := range s.live(start) {
			call.Inputs = append(call.Inputs, all[k])
		}
		for _, v := range all {
			call.Outputs = append(call.Outputs, v)
		}
		a.Instruction(call)
	}
	var result []vec
	for _, v := range s.result {
		result = append(result, all[s.registers[v]])
	}
	return result
}

// operands is where a kernel puts operands of multiplications that are not in a
// block of memory.
type operands struct {
	free     operand.Mem            // memory for the next one
	inMemory map[string]operand.Mem // numbers that are there, by name
}

// block returns a block with a number, from where a multiplication reads it.
func (a *assembler) block(f *field, n number) operand.Mem {
	switch {
	case n.isZero():
		return a.zeros(f)
	case n.limbs == nil && n.from.limbBytes == blockBytes:
		return a.at(n.from, 0)
	}
	if n.limbs == nil {
		if there, ok := a.operands.inMemory[n.from.name]; ok {
			return there
		}
	}
	to := a.operands.free
	a.operands.free = to.Offset(f.limbs * blockBytes)
	for i := range f.limbs {
		var v vec
		if n.limbs == nil {
			v = a.load(n.from, i)
		} else {
			v = n.limbs[i]
		}
		a.VMOVDQU64(register(v), to.Offset(i*blockBytes))
	}
	if n.limbs == nil {
		a.operands.inMemory[n.from.name] = to
	}
	return to
}

// zeros returns a block with 0.
func (a *assembler) zeros(f *field) operand.Mem {
	if a.zero0.Base == nil {
		a.zero0 = a.StaticGlobal("zeros")
		a.DataAttributes(attr.RODATA | attr.NOPTR)
		a.AddDatum(f.limbs*blockBytes-wordBytes, operand.U64(0))
	}
	return a.zero0
}

// registersOf returns the first vector registers of a thread.
func (a *assembler) registersOf(thread, n int) []reg.VecPhysical {
	return vectors[thread*threadVectors:][:n]
}

// emitSubroutines writes the subroutines that were called.
func (a *assembler) emitSubroutines() {
	for _, m := range []*multiplication{productPlus, twoProducts, squareOf} {
		for thread := range threads {
			key := subroutineKey{m, thread}
			if !a.called[key] {
				continue
			}
			s := a.subroutines[m]
			all := a.registersOf(thread, s.used)
			at := make([]vec, s.used)
			a.where = map[string]location{}
			for i := range m.operands {
				a.where[fmt.Sprint(i)] = location{Mem: operand.Mem{Base: pointers[thread][i]}}
			}
			for i := range s.ends {
				a.Function(key.part(i))
				a.Attributes(attr.NOSPLIT | attr.NOFRAME)
				s.run(a, s.part(i), at, func(register int) { a.result = all[register] })
				a.result = nil
				a.RET()
			}
		}
	}
}
