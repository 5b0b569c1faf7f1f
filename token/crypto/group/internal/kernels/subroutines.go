package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// task is a part of a kernel, the same for all numbers. The assembly has one
// subroutine for all tasks with the same name and the same layout of operands.
type task struct {
	name     string
	operands []number // in memory
	writes   bool     // the operand, and not the accumulator
	long     bool     // called from all kernels
	body     func(pr program, acc []vec, o []number)
}

// caller is a machine with subroutines.
type caller interface {
	// calls reports whether the current kernel calls them.
	calls() bool
	call(f *field, acc []vec, t task) []vec
	// put stores a number in a separate block.
	put(pr program, n number) memory
}

// caller returns the machine if it calls subroutines, and nil otherwise.
func (pr program) caller() caller {
	m := pr.machine
	if t, ok := m.(*inTurns); ok {
		m = t.machine
	}
	if c, ok := m.(caller); ok && c.calls() {
		return c
	}
	return nil
}

// do changes the limbs of a number, or makes new ones where acc is nil. An assembler
// has one accumulator for all numbers: the earlier ones are lost.
func (pr program) do(acc []vec, t task) []vec {
	if c := pr.caller(); c != nil {
		return c.call(pr.f, acc, t)
	}
	if acc == nil {
		for range pr.f.limbs {
			acc = append(acc, pr.zero())
		}
	}
	t.body(pr, acc, t.operands)
	return acc
}

// Fixed registers of kernels and subroutines.
var (
	argumentsRegister = reg.RDI
	leftRegister      = reg.RSI
	placeRegister     = reg.RBX // offset in planes
	blockRegister     = reg.RDX // offset in blocks
	tempRegister      = reg.R12
	roundRegister     = reg.RCX
	timesRegister     = reg.R13

	pointers = []reg.GPPhysical{reg.R8, reg.R9, reg.R10, reg.R11} // to operands
	vectors  = []reg.VecPhysical{
		reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6, reg.Z7,
		reg.Z8, reg.Z9, reg.Z10, reg.Z11, reg.Z12, reg.Z13, reg.Z14, reg.Z15,
		reg.Z16, reg.Z17, reg.Z18, reg.Z19, reg.Z20, reg.Z21, reg.Z22, reg.Z23,
		reg.Z24, reg.Z25, reg.Z26, reg.Z27, reg.Z28, reg.Z29, reg.Z30, reg.Z31,
	}
)

// loadConstants is the subroutine that sets the registers of constants.
const loadConstants = "constants"

// residents returns the constants that stay in registers, from the last register
// down. Instructions of the last step of a multiplication do so if there is room.
func residents(f *field) map[uint64]reg.VecPhysical {
	all := append(f.split(f.inverseOfLimb()), mask52)
	if f.fewLimbs() && !f.quotientFree() {
		all = append(append(all, f.split(f.p)...), f.negInverse())
	}
	at := map[uint64]reg.VecPhysical{}
	for _, c := range all {
		if _, there := at[c]; !there && c != 0 {
			at[c] = vectors[len(vectors)-1-len(at)]
		}
	}
	return at
}

// home is a register of the accumulator, while it is free.
type home struct {
	reg.VecPhysical
	generation int
}

// accumulator returns the registers of the accumulator, which has something new.
func (a *assembler) accumulator(f *field) (acc []vec) {
	a.generation++
	for _, v := range vectors[:f.limbs] {
		acc = append(acc, home{v, a.generation})
	}
	return acc
}

// calls implements caller. Kernels without memory for operands do not call.
func (a *assembler) calls() bool { return a.operands.inMemory != nil }

// layout tells how an operand lies in memory that a task reads or writes.
func (m memory) layout(reads bool) string {
	switch {
	case m.constant != nil:
		return "_constant"
	case m.masked && !reads:
		return "_masked"
	case m.limbBytes == planeBytes:
		return "_planes"
	}
	return "_block"
}

// subroutine is the first task of its name.
type subroutine struct {
	name string
	task task
}

// call implements caller.
func (a *assembler) call(f *field, acc []vec, t task) []vec {
	if acc == nil {
		acc = a.accumulator(f)
	}
	for _, v := range acc {
		a.register(v) // panics if it was lost
	}
	if a.resident != nil && !t.long {
		a.expand(f, acc, t)
	} else {
		name := t.name
		for i, o := range t.operands {
			a.point(pointers[i], o.from)
			name += o.from.layout(!t.writes)
		}
		a.callTo(name)
		if !a.written[name] {
			a.written[name] = true
			a.subroutines = append(a.subroutines, subroutine{name, t})
		}
	}
	if t.writes {
		for _, o := range t.operands {
			delete(a.operands.inMemory, o.from.name)
		}
		return acc
	}
	return a.accumulator(f)
}

// callTo calls a subroutine. All registers of kernels are fixed, except in steps that
// are expanded: their registers may not hold a value needed later.
func (a *assembler) callTo(name string) {
	call := &ir.Instruction{Opcode: "CALL", Operands: []operand.Op{operand.LabelRef("·" + name + "<>(SB)")}}
	if a.resident != nil {
		call.Inputs = a.needed()
		call.Outputs = call.Inputs
	}
	a.Instruction(call)
}

// needed returns the registers of the accumulator and of constants.
func (a *assembler) needed() (registers []operand.Op) {
	for _, v := range a.resident {
		registers = append(registers, v)
	}
	for _, v := range vectors[:a.limbs] {
		registers = append(registers, v)
	}
	return registers
}

// expand writes a short step where it is needed.
func (a *assembler) expand(f *field, acc []vec, t task) {
	var operands []number
	for i, o := range t.operands {
		at := a.where[o.from.name].Mem
		if o.from.constant != nil {
			at = a.words(o.from.constant)
		} else if at.Base == nil {
			a.MOVQ(operand.Mem{Base: argumentsRegister, Disp: a.where[o.from.name].offset}, pointers[i])
			at.Base = pointers[i]
		}
		o.from.name = fmt.Sprint("expanded ", i)
		a.where[o.from.name] = location{Mem: at}
		operands = append(operands, o)
	}
	a.lazy = true
	t.body(program{machine: a, f: f}, acc, operands)
	a.lazy = false
}

// point sets a pointer to an operand.
func (a *assembler) point(p reg.GPPhysical, m memory) {
	if m.constant != nil {
		a.LEAQ(a.words(m.constant), p)
		return
	}
	at := a.where[m.name]
	if at.Base == nil {
		a.MOVQ(operand.Mem{Base: argumentsRegister, Disp: at.offset}, p)
		at.Base = p
		if at.Disp == 0 && at.Index != nil {
			a.ADDQ(at.Index, p)
			return
		}
		if at.Disp == 0 {
			return
		}
	}
	a.LEAQ(at.Mem, p)
}

// operands is where a kernel puts operands of multiplications that are not in a
// block of memory.
type operands struct {
	free     operand.Mem       // memory for the next one
	inMemory map[string]memory // numbers that are there, by name
}

// put implements caller.
func (a *assembler) put(pr program, n number) memory {
	if m, there := a.operands.inMemory[n.from.name]; there && n.limbs == nil && n.from.constant == nil {
		return m
	}
	m := memory{name: fmt.Sprint("operand ", a.operands.free.Disp), limbBytes: blockBytes}
	a.where[m.name] = location{Mem: a.operands.free}
	a.operands.free = a.operands.free.Offset(pr.f.limbs * blockBytes)
	pr.put(m, pr.inRegisters(n).limbs)
	if n.limbs == nil && n.from.constant == nil {
		a.operands.inMemory[n.from.name] = m
	}
	return m
}

// emitSubroutines writes the subroutines that were called.
func (a *assembler) emitSubroutines(f *field) {
	a.resident, a.limbs = residents(f), f.limbs
	kept := a.needed()
	a.begin(loadConstants)
	for _, v := range vectors {
		for c, at := range a.resident {
			if at == v {
				a.VPBROADCASTQ(a.word(c), v)
			}
		}
	}
	a.end(kept)
	for _, s := range a.subroutines {
		a.begin(s.name)
		acc := a.accumulator(f)
		var operands []number
		for i, o := range s.task.operands {
			o.from.name = fmt.Sprint("operand ", i)
			a.where[o.from.name] = location{Mem: operand.Mem{Base: pointers[i]}}
			operands = append(operands, o)
		}
		s.task.body(program{machine: a, f: f}, acc, operands)
		a.end(kept)
	}
	a.resident = nil
}

func (a *assembler) begin(name string) {
	a.Function(name + "<>")
	a.Attributes(attr.NOSPLIT | attr.NOFRAME)
	a.align()
	a.where, a.mask, a.lazy = map[string]location{}, reg.K1, true
}

// align begins a line of the cache, so that the time of a function does not depend on
// the length of the earlier ones.
func (a *assembler) align() {
	a.Instruction(&ir.Instruction{Opcode: "PCALIGN", Operands: []operand.Op{operand.Imm(blockBytes)}})
}

// end returns from a subroutine that leaves some registers as they are.
func (a *assembler) end(kept []operand.Op) {
	a.lazy = false
	a.Instruction(&ir.Instruction{Opcode: "RET", Inputs: kept, IsTerminal: true})
}

// rounds implements machine. A kernel without calls does not loop.
func (a *assembler) rounds(n int, moving []memory, round func(i int)) {
	if !a.lazy {
		unrolled(n, round)
		return
	}
	a.MOVQ(operand.U32(uint64(n-1)), roundRegister)
	a.Label("round")
	for _, m := range moving {
		a.ADDQ(operand.I32(m.limbBytes), a.where[m.name].Base)
	}
	round(0)
	a.DECQ(roundRegister)
	a.JNZ(operand.LabelRef("round"))
}

// unrolled is rounds without a loop.
func unrolled(n int, round func(i int)) {
	for i := 1; i < n; i++ {
		round(i)
	}
}
