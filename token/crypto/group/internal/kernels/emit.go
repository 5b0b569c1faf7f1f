package main

import (
	"bytes"
	"fmt"
	"regexp"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
	"github.com/mmcloughlin/avo/reg"
	"github.com/mmcloughlin/avo/x86"
)

// assembler is a machine that writes instructions down.
type assembler struct {
	*build.Context
	where     map[string]location // of the operands, at the current step
	mask      reg.Register        // the elements that exist
	constants map[uint64]operand.Mem
	multiples map[string]operand.Mem
	tables    map[[lanes]int64]operand.Mem
	operands  operands // of multiplications

	subroutines []subroutine
	written     map[string]bool            // their names
	generation  int                        // of the accumulator
	resident    map[uint64]reg.VecPhysical // constants in registers
	limbs       int                        // of the accumulator
	lazy        bool                       // loads are part of the next instruction
	result      zmm                        // of the next instruction
}

func newAssembler() *assembler {
	c := build.NewContext()
	c.ConstraintExpr("!purego")
	return &assembler{
		Context: c, constants: map[uint64]operand.Mem{}, multiples: map[string]operand.Mem{},
		tables: map[[lanes]int64]operand.Mem{}, written: map[string]bool{},
	}
}

// text returns the assembly.
func (a *assembler) text() ([]byte, error) {
	file, err := a.Result()
	if err != nil {
		return nil, err
	}
	if err := pass.Compile.Execute(file); err != nil {
		return nil, err
	}
	out, err := printer.NewGoAsm(printer.Config{Argv: []string{"internal/kernels"}}).Print(file)
	if err != nil {
		return nil, err
	}
	out = headOfSubroutine.ReplaceAll(out, nil)
	return bytes.ReplaceAll(out, []byte("\t\n"), []byte("\n")), nil
}

// headOfSubroutine is the comment of a function without a declaration in Go.
var headOfSubroutine = regexp.MustCompile(`// func \w+<>\(\)\n(// Requires: .*\n)?`)

// zmm is a vector register, virtual or not.
type zmm interface {
	reg.Register
	reg.Vec
}

// register returns v as a register, which it loads if it is not yet one.
func (a *assembler) register(v vec) zmm {
	switch v := v.(type) {
	case home:
		if v.generation != a.generation {
			panic("a number in the accumulator was overwritten")
		}
		return v.VecPhysical
	case *loaded:
		if v.register == nil {
			v.register = a.vector()
			v.load(v.register)
		}
		return v.register
	}
	return v.(zmm)
}

// loaded is a vector in memory, loaded when used: in sums it is an
// operand.
type loaded struct {
	mem       operand.Mem
	broadcast bool // eight bytes
	register  zmm  // once it is loaded
	load      func(to zmm)
}

// inMemory returns v if it is not in a register.
func inMemory(v vec) (m *loaded, ok bool) {
	m, ok = v.(*loaded)
	return m, ok && m.register == nil
}

// vector returns the register for the result of an instruction.
func (a *assembler) vector() zmm {
	if v := a.result; v != nil {
		a.result = nil
		return v
	}
	return a.ZMM()
}

// into implements machine.
func (a *assembler) into(v vec, value func() vec) {
	a.result = a.register(v)
	a.register(value())
	if a.result != nil {
		panic("no instruction for the result")
	}
}

// location is where limb 0 of an operand is: with a base in a register, or in the
// structure that the kernel gets, at the given offset.
type location struct {
	operand.Mem
	offset int
}

// at returns one limb of an operand.
func (a *assembler) at(m memory, limb int) operand.Mem {
	return a.where[m.name].Offset(limb * m.limbBytes)
}

func (a *assembler) load(m memory, limb int) vec {
	v := &loaded{mem: a.at(m, limb)}
	v.load = func(to zmm) { a.VMOVDQU64(v.mem, to) }
	if m.constant != nil {
		if !a.lazy {
			return a.constant(m.constant[limb])
		}
		v.broadcast, v.load = true, func(to zmm) { a.VPBROADCASTQ(v.mem, to) }
	}
	if !a.lazy {
		a.register(v)
	}
	return v
}

func (a *assembler) store(m memory, limb int, v vec) {
	if m.masked {
		a.VMOVDQU64(a.register(v), a.mask, a.at(m, limb))
		return
	}
	a.VMOVDQU64(a.register(v), a.at(m, limb))
}

func (a *assembler) zero() vec {
	v := a.vector()
	clear, err := x86.VPXORQ(v, v, v)
	if err != nil {
		panic(err)
	}
	clear.CancellingInputs = true // v is not read
	a.Instruction(clear)
	return v
}

func (a *assembler) clone(v vec) vec {
	w := a.vector()
	a.VMOVDQA64(a.register(v), w)
	return w
}

func (a *assembler) constant(c int64) vec {
	if r, ok := a.resident[uint64(c)]; ok {
		return r
	}
	v := &loaded{mem: a.word(uint64(c)), broadcast: true}
	v.load = func(to zmm) { a.VPBROADCASTQ(v.mem, to) }
	if !a.lazy {
		a.register(v)
	}
	return v
}

func (a *assembler) mulLow(acc, x, y vec) {
	if m, ok := inMemory(y); ok && m.broadcast {
		a.VPMADD52LUQ_BCST(m.mem, a.register(x), a.register(acc))
		return
	}
	a.VPMADD52LUQ(a.register(y), a.register(x), a.register(acc))
}

func (a *assembler) mulHigh(acc, x, y vec) {
	if m, ok := inMemory(y); ok && m.broadcast {
		a.VPMADD52HUQ_BCST(m.mem, a.register(x), a.register(acc))
		return
	}
	a.VPMADD52HUQ(a.register(y), a.register(x), a.register(acc))
}

func (a *assembler) quotient(v vec, c uint64) vec {
	m := a.zero()
	if r, ok := a.resident[c]; ok {
		a.VPMADD52LUQ(r, a.register(v), a.register(m))
		return m
	}
	a.VPMADD52LUQ_BCST(a.word(c), a.register(v), a.register(m))
	return m
}

func (a *assembler) add(acc, v vec) {
	to := a.register(acc)
	switch m, ok := inMemory(v); {
	case !ok:
		a.VPADDQ(a.register(v), to, to)
	case m.broadcast:
		a.VPADDQ_BCST(m.mem, to, to)
	default:
		a.VPADDQ(m.mem, to, to)
	}
}

func (a *assembler) sub(acc, v vec) {
	to := a.register(acc)
	switch m, ok := inMemory(v); {
	case !ok:
		a.VPSUBQ(a.register(v), to, to)
	case m.broadcast:
		a.VPSUBQ_BCST(m.mem, to, to)
	default:
		a.VPSUBQ(m.mem, to, to)
	}
}

func (a *assembler) subFrom(acc, v vec) {
	a.VPSUBQ(a.register(acc), a.register(v), a.register(acc))
}

func (a *assembler) or(acc, v vec) { a.VPORQ(a.register(v), a.register(acc), a.register(acc)) }

func (a *assembler) addConst(acc vec, c uint64) {
	if r, ok := a.resident[c]; ok {
		a.VPADDQ(r, a.register(acc), a.register(acc))
		return
	}
	a.VPADDQ_BCST(a.word(c), a.register(acc), a.register(acc))
}

func (a *assembler) andConst(acc vec, c uint64) {
	if r, ok := a.resident[c]; ok {
		a.VPANDQ(r, a.register(acc), a.register(acc))
		return
	}
	a.VPANDQ_BCST(a.word(c), a.register(acc), a.register(acc))
}

func (a *assembler) shiftLeft(v vec, n int) vec {
	w := a.vector()
	a.VPSLLQ(operand.Imm(uint64(n)), a.register(v), w)
	return w
}

func (a *assembler) shiftRight(v vec, n int) vec {
	w := a.vector()
	a.VPSRLQ(operand.Imm(uint64(n)), a.register(v), w)
	return w
}

func (a *assembler) shiftSigned(v vec, n int) vec {
	w := a.vector()
	a.VPSRAQ(operand.Imm(uint64(n)), a.register(v), w)
	return w
}

func (a *assembler) lookUp(index vec, table [lanes]int64) vec {
	v := a.vector()
	a.VPERMQ(a.table(table), a.register(index), v)
	return v
}

func (a *assembler) selectIf(mask, yes, no vec) vec {
	const ifFirst = 0xca // first ? second : third
	v := a.clone(mask)
	a.VPTERNLOGQ(operand.Imm(ifFirst), a.register(no), a.register(yes), a.register(v))
	return v
}

func (a *assembler) pad(acc, c vec) {
	a.VPBLENDMQ(a.register(acc), a.register(c), a.mask, a.register(acc))
}

func (a *assembler) remark(format string, args ...any) { a.Commentf(format, args...) }

// word returns eight bytes of memory with c.
func (a *assembler) word(c uint64) operand.Mem {
	m, ok := a.constants[c]
	if !ok {
		m = a.ConstData(fmt.Sprintf("constant%d", len(a.constants)), operand.U64(c))
		a.constants[c] = m
	}
	return m
}

// words returns memory with the limbs of a constant.
func (a *assembler) words(limbs []int64) operand.Mem {
	key := fmt.Sprint(limbs)
	m, ok := a.multiples[key]
	if !ok {
		m = a.static(fmt.Sprintf("multiple%d", len(a.multiples)), limbs)
		a.multiples[key] = m
	}
	return m
}

// static returns memory of the given name with words.
func (a *assembler) static(name string, words []int64) operand.Mem {
	m := a.StaticGlobal(name)
	a.DataAttributes(attr.RODATA | attr.NOPTR)
	for i, v := range words {
		a.AddDatum(wordBytes*i, operand.U64(uint64(v)))
	}
	return m
}

// table returns memory with the elements of t.
func (a *assembler) table(t [lanes]int64) operand.Mem {
	m, ok := a.tables[t]
	if !ok {
		m = a.static(fmt.Sprintf("table%d", len(a.tables)), t[:])
		a.tables[t] = m
	}
	return m
}
