package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// rows is eight points in words, each in a row of memory: x and then y.
type rows struct {
	f  *field
	at [lanes]operand.Mem
}

// halfRow is how many words of a long row are transposed on their own.
const halfRow = 4

// loadRows returns the words of all rows, one register for each word.
func (a *assembler) loadRows(r rows) (words []reg.VecVirtual) {
	whole := make([]reg.VecVirtual, lanes)
	for i := range whole {
		whole[i] = a.ZMM()
		a.VMOVDQU64(r.at[i], whole[i])
	}
	words = a.transpose(whole)
	if 2*r.f.words == lanes {
		return words
	}
	end := rows{f: r.f}
	for i := range end.at {
		end.at[i] = r.at[i].Offset(lanes * wordBytes)
	}
	return append(words, a.loadFour(end)...)
}

// loadFour returns the first four words of all rows.
func (a *assembler) loadFour(r rows) (words []reg.VecVirtual) {
	pairs := make([]reg.VecVirtual, halfRow)
	for i, first := range []int{0, 1, 4, 5} {
		pairs[i] = a.ZMM()
		a.VMOVDQU64(r.at[first], pairs[i].AsY())
		a.VINSERTI64X4(operand.Imm(1), r.at[first+2], pairs[i], pairs[i])
	}
	for half := range 2 {
		low, high := a.interleave(half, pairs[0], pairs[1]), a.interleave(half, pairs[2], pairs[3])
		words = append(words, a.choose(0x88, low, high), a.choose(0xdd, low, high))
	}
	words[1], words[2] = words[2], words[1] // 0, 2, 1, 3
	return words
}

// storeRows is the inverse of loadRows.
func (a *assembler) storeRows(r rows, words []reg.VecVirtual) {
	for i, row := range a.transpose(words[:lanes]) {
		a.VMOVDQU64(row, r.at[i])
	}
	if len(words) == lanes {
		return
	}
	w := words[lanes:]
	for odd := range 2 {
		first, second := a.interleave(odd, w[0], w[1]), a.interleave(odd, w[2], w[3])
		for half, choice := range []uint64{0x44, 0xee} {
			pair := a.choose(choice, first, second)
			pair = a.choose(0xd8, pair, pair)
			i := 4*half + odd
			a.VMOVDQU64(pair.AsY(), r.at[i].Offset(lanes*wordBytes))
			a.VEXTRACTI64X4(operand.Imm(1), pair, r.at[i+2].Offset(lanes*wordBytes))
		}
	}
}

// interleave returns the even (0) or odd (1) words of x and y in turns.
func (a *assembler) interleave(odd int, x, y reg.VecVirtual) reg.VecVirtual {
	v := a.ZMM()
	if odd == 0 {
		a.VPUNPCKLQDQ(y, x, v)
	} else {
		a.VPUNPCKHQDQ(y, x, v)
	}
	return v
}

// choose returns two pairs of words of x and then two of y.
func (a *assembler) choose(pairs uint64, x, y reg.VecVirtual) reg.VecVirtual {
	v := a.ZMM()
	a.VSHUFI64X2(operand.Imm(pairs), y, x, v)
	return v
}

// transpose exchanges rows and columns of eight words each.
func (a *assembler) transpose(in []reg.VecVirtual) []reg.VecVirtual {
	out := make([]reg.VecVirtual, lanes)
	for odd := range 2 {
		var pairs [4]reg.VecVirtual
		for i := range pairs {
			pairs[i] = a.interleave(odd, in[2*i], in[2*i+1])
		}
		for half, choice := range []uint64{0x88, 0xdd} {
			low, high := a.choose(choice, pairs[0], pairs[1]), a.choose(choice, pairs[2], pairs[3])
			out[2*half+odd] = a.choose(0x88, low, high)
			out[2*half+odd+4] = a.choose(0xdd, low, high)
		}
	}
	return out
}

// emitGather writes laneGather.
func (a *assembler) emitGather(f *field) {
	a.Function("laneGather")
	a.Attributes(attr.NOSPLIT)
	a.Doc("laneGather loads the n entries that refs names, negated where a reference is odd. It reads " +
		"eight references at a time.")
	a.SignatureExpr("func(x, y, entries *uint64, refs *uint32, n int)")
	x, y := a.Load(a.Param("x"), a.GP64()), a.Load(a.Param("y"), a.GP64())
	entries, refs := a.Load(a.Param("entries"), a.GP64()), a.Load(a.Param("refs"), a.GP64())
	left := a.GP64()
	a.Load(a.Param("n"), left)
	a.inEights(left, func() {
		a.gatherStep(f, x, y, refs, func(_ int, offset reg.GPVirtual) operand.Mem {
			return operand.Mem{Base: entries, Index: offset, Scale: 1}
		})
	})
	a.VZEROUPPER()
	a.RET()
}

// emitGatherEach writes laneGatherEach.
func (a *assembler) emitGatherEach(f *field) {
	a.Function("laneGatherEach")
	a.Attributes(attr.NOSPLIT)
	a.Doc("laneGatherEach loads n entries, a multiple of eight: the one that refs names in each table, " +
		"negated where a reference is odd.")
	a.SignatureExpr("func(x, y *uint64, tables **uint64, refs *uint32, n int)")
	x, y := a.Load(a.Param("x"), a.GP64()), a.Load(a.Param("y"), a.GP64())
	tables, refs := a.Load(a.Param("tables"), a.GP64()), a.Load(a.Param("refs"), a.GP64())
	left := a.GP64()
	a.Load(a.Param("n"), left)
	a.inEights(left, func() {
		a.gatherStep(f, x, y, refs, func(i int, offset reg.GPVirtual) operand.Mem {
			a.ADDQ(operand.Mem{Base: tables, Disp: wordBytes * i}, offset)
			return operand.Mem{Base: offset}
		})
		a.ADDQ(operand.Imm(wordBytes*lanes), tables)
	})
	a.VZEROUPPER()
	a.RET()
}

// inEights repeats step for left elements, eight at a time, with the mask of the elements
// that exist.
func (a *assembler) inEights(left reg.GPVirtual, step func()) {
	a.mask = maskRegister
	a.tailMask(left, tailRegister)
	a.fullMask()
	a.Label("loop")
	a.CMPQ(left, operand.Imm(lanes))
	a.JGE(operand.LabelRef("step"))
	a.KMOVW(tailRegister, a.mask)
	a.Label("step")
	step()
	a.SUBQ(operand.Imm(lanes), left)
	a.JG(operand.LabelRef("loop"))
}

// gatherStep loads eight entries and moves on. entry returns the memory of element i,
// given the offset of its entry in its table.
func (a *assembler) gatherStep(f *field, x, y, refs reg.Register,
	entry func(i int, offset reg.GPVirtual) operand.Mem) {
	r := rows{f: f}
	for i := range r.at {
		ref := a.GP64()
		a.MOVL(operand.Mem{Base: refs, Disp: 4 * i}, ref.As32())
		a.SHRQ(operand.Imm(1), ref)
		a.IMUL3Q(operand.U32(2*f.words*wordBytes), ref, ref)
		r.at[i] = entry(i, ref)
	}
	words := a.loadRows(r)
	minus := a.ZMM()
	a.VPMOVZXDQ(operand.Mem{Base: refs}, minus)
	a.VPSLLQ(operand.Imm(63), minus, minus)
	a.VPSRAQ(operand.Imm(63), minus, minus)
	a.where = map[string]location{"x": {Mem: operand.Mem{Base: x}}, "y": {Mem: operand.Mem{Base: y}}}
	pr := program{machine: a, f: f}
	enter(pr, memory{name: "x", limbBytes: planeBytes, masked: true}, asVecs(words[:f.words]), nil)
	enter(pr, memory{name: "y", limbBytes: planeBytes, masked: true}, asVecs(words[f.words:]), minus)
	a.ADDQ(operand.Imm(blockBytes), x)
	a.ADDQ(operand.Imm(blockBytes), y)
	a.ADDQ(operand.Imm(4*lanes), refs)
}

func asVecs(in []reg.VecVirtual) (out []vec) {
	for _, v := range in {
		out = append(out, v)
	}
	return out
}

// emitStore writes laneStore.
func (a *assembler) emitStore(f *field) {
	a.Function("laneStore")
	a.Attributes(attr.NOSPLIT)
	a.Doc("laneStore writes n points, a multiple of eight, to dst.")
	a.SignatureExpr("func(dst, x, y *uint64, n int)")
	dst := a.Load(a.Param("dst"), a.GP64())
	x, y := a.Load(a.Param("x"), a.GP64()), a.Load(a.Param("y"), a.GP64())
	left := a.GP64()
	a.Load(a.Param("n"), left)
	a.Label("loop")
	a.where = map[string]location{"x": {Mem: operand.Mem{Base: x}}, "y": {Mem: operand.Mem{Base: y}}}
	pr := program{machine: a, f: f}
	words := leave(pr, memory{name: "x", limbBytes: planeBytes})
	words = append(words, leave(pr, memory{name: "y", limbBytes: planeBytes})...)
	r := rows{f: f}
	row := 2 * f.words * wordBytes
	for i := range r.at {
		r.at[i] = operand.Mem{Base: dst, Disp: i * row}
	}
	var registers []reg.VecVirtual
	for _, w := range words {
		registers = append(registers, w.(reg.VecVirtual))
	}
	a.storeRows(r, registers)
	a.ADDQ(operand.Imm(blockBytes), x)
	a.ADDQ(operand.Imm(blockBytes), y)
	a.ADDQ(operand.U32(lanes*row), dst)
	a.SUBQ(operand.Imm(lanes), left)
	a.JG(operand.LabelRef("loop"))
	a.VZEROUPPER()
	a.RET()
}
