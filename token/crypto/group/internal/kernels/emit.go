package main

import (
	"bytes"
	"fmt"
	"math/big"

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
	mask      reg.OpmaskVirtual   // the elements that exist
	constants map[uint64]operand.Mem
	tables    map[[lanes]int64]operand.Mem

	arguments reg.Register         // the structure that the kernel gets
	bases     map[int]reg.Register // pointers that were loaded, by offset
	operands  operands             // of multiplications
	zero0     operand.Mem          // a block of zeros

	subroutines map[*multiplication]*subroutines
	called      map[subroutineKey]bool
	result      reg.VecPhysical // of the next instruction in a subroutine
}

func newAssembler() *assembler {
	c := build.NewContext()
	c.ConstraintExpr("!purego")
	return &assembler{
		Context: c, constants: map[uint64]operand.Mem{}, bases: map[int]reg.Register{}, tables: map[[lanes]int64]operand.Mem{},
		subroutines: map[*multiplication]*subroutines{}, called: map[subroutineKey]bool{},
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
	return bytes.ReplaceAll(out, []byte("\t\n"), []byte("\n")), nil
}

// zmm is a vector register, virtual or not.
type zmm interface {
	reg.Register
	reg.Vec
}

// register returns v as a register.
func register(v vec) zmm { return v.(zmm) }

// vector returns the register for the result of an instruction.
func (a *assembler) vector() zmm {
	if a.result != nil {
		return a.result
	}
	return a.ZMM()
}

// location is where limb 0 of an operand is: with a base in a register, or in the
// structure that the kernel gets, at the given offset.
type location struct {
	operand.Mem
	offset int
}

// at returns one limb of an operand.
func (a *assembler) at(m memory, limb int) operand.Mem {
	l := a.where[m.name]
	if l.Base == nil {
		l.Base = a.base(l.offset)
	}
	return l.Offset(limb * m.limbBytes)
}

// base returns a register with the pointer at an offset in the structure.
func (a *assembler) base(offset int) reg.Register {
	base := a.bases[offset]
	if base == nil {
		base = a.GP64()
		a.MOVQ(operand.Mem{Base: a.arguments, Disp: offset}, base)
		a.bases[offset] = base
	}
	return base
}

// forget lets the registers with pointers be used for others.
func (a *assembler) forget() { clear(a.bases) }

func (a *assembler) load(m memory, limb int) vec {
	v := a.vector()
	a.VMOVDQU64(a.at(m, limb), v)
	return v
}

func (a *assembler) store(m memory, limb int, v vec) {
	delete(a.operands.inMemory, m.name)
	if m.masked {
		a.VMOVDQU64(register(v), a.mask, a.at(m, limb))
		return
	}
	a.VMOVDQU64(register(v), a.at(m, limb))
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
	a.VMOVDQA64(register(v), w)
	return w
}

func (a *assembler) constant(c int64) vec {
	v := a.vector()
	a.VPBROADCASTQ(a.word(uint64(c)), v)
	return v
}

func (a *assembler) mulLow(acc, x, y vec)  { a.VPMADD52LUQ(register(y), register(x), register(acc)) }
func (a *assembler) mulHigh(acc, x, y vec) { a.VPMADD52HUQ(register(y), register(x), register(acc)) }

func (a *assembler) quotient(v vec, c uint64) vec {
	m := a.zero()
	a.VPMADD52LUQ_BCST(a.word(c), register(v), register(m))
	return m
}

func (a *assembler) add(acc, v vec) { a.VPADDQ(register(v), register(acc), register(acc)) }
func (a *assembler) sub(acc, v vec) { a.VPSUBQ(register(v), register(acc), register(acc)) }
func (a *assembler) or(acc, v vec)  { a.VPORQ(register(v), register(acc), register(acc)) }

func (a *assembler) addConst(acc vec, c uint64) {
	a.VPADDQ_BCST(a.word(c), register(acc), register(acc))
}

func (a *assembler) andConst(acc vec, c uint64) {
	a.VPANDQ_BCST(a.word(c), register(acc), register(acc))
}

func (a *assembler) shiftLeft(v vec, n int) vec {
	w := a.vector()
	a.VPSLLQ(operand.Imm(uint64(n)), register(v), w)
	return w
}

func (a *assembler) shiftRight(v vec, n int) vec {
	w := a.vector()
	a.VPSRLQ(operand.Imm(uint64(n)), register(v), w)
	return w
}

func (a *assembler) shiftSigned(v vec, n int) vec {
	w := a.vector()
	a.VPSRAQ(operand.Imm(uint64(n)), register(v), w)
	return w
}

func (a *assembler) lookUp(index vec, table [lanes]int64) vec {
	v := a.vector()
	a.VPERMQ(a.table(table), register(index), v)
	return v
}

func (a *assembler) selectIf(mask, yes, no vec) vec {
	const ifFirst = 0xca // first ? second : third
	v := a.clone(mask)
	a.VPTERNLOGQ(operand.Imm(ifFirst), register(no), register(yes), register(v))
	return v
}

func (a *assembler) pad(m memory, v vec, c uint64) vec {
	if !m.last {
		return v
	}
	w := a.vector()
	a.VPBROADCASTQ(a.word(c), w)
	a.VMOVDQA64(register(v), a.mask, w)
	return w
}

func (a *assembler) modulo(v vec) vec { return v }

func (a *assembler) limits(vec, int) {}

func (a *assembler) claim(vec, *big.Int, *big.Int) {}

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

// table returns memory with the elements of t.
func (a *assembler) table(t [lanes]int64) operand.Mem {
	m, ok := a.tables[t]
	if !ok {
		m = a.StaticGlobal(fmt.Sprintf("table%d", len(a.tables)))
		a.DataAttributes(attr.RODATA | attr.NOPTR)
		for i, v := range t {
			a.AddDatum(8*i, operand.U64(uint64(v)))
		}
		a.tables[t] = m
	}
	return m
}
