package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The kernel that recodes scalars. Digits are read from words of 32 bits: word i of
// the first halves of eight scalars, and then of their second halves, is one
// register.

// Offsets in the structure that laneRecode gets: recodeArgs in the packages of the
// curves.
const (
	recodeScalars = 8 * iota
	recodeBases
	recodeWindows
	recodeCount
	recodeRefs
	recodeStride
	recodeSecond
	recodeN
	recodeDigits
)

// Offsets in a window.
const (
	windowWidth = 4 + 4*iota
	windowFirst
	windowWord
	windowRight
	windowLeft
	windowUp
	windowMask
	windowBytes
)

// emitRecode writes laneRecode.
func (a *assembler) emitRecode(s *splitting) {
	a.Function("laneRecode")
	a.Attributes(attr.NOSPLIT)
	a.Doc("laneRecode writes the references of n scalars, which it reads eight at a time.")
	a.SignatureExpr("func(a *byte)")
	args := a.Load(a.Param("a"), a.GP64())
	argument := func(offset int) operand.Mem { return operand.Mem{Base: args, Disp: offset} }
	load := func(offset int) reg.GPVirtual {
		r := a.GP64()
		a.MOVQ(argument(offset), r)
		return r
	}
	scalars, bases, refs := load(recodeScalars), load(recodeBases), load(recodeRefs)
	digits, left := load(recodeDigits), load(recodeN)
	a.inEights(left, func() {
		r := rows{f: s.f}
		for i := range r.at {
			r.at[i] = operand.Mem{Base: scalars, Disp: i * s.f.words * wordBytes}
		}
		a.storeDigits(digits, s.halves(a, asVecs(a.loadFour(r))))
		points := a.ZMM()
		a.VBROADCASTI64X4(operand.Mem{Base: bases}, points)
		window, windows, out := load(recodeWindows), load(recodeCount), a.GP64()
		a.MOVQ(refs, out)
		a.Label("window")
		ref := a.reference(digits, window, points)
		a.VMOVDQU32(ref.AsY(), a.mask, operand.Mem{Base: out})
		second := load(recodeSecond)
		a.VEXTRACTI32X8(operand.Imm(1), ref, a.mask, operand.Mem{Base: out, Index: second, Scale: 1})
		a.ADDQ(argument(recodeStride), out)
		a.ADDQ(operand.Imm(windowBytes), window)
		a.DECQ(windows)
		a.JNZ(operand.LabelRef("window"))
		a.ADDQ(operand.U32(lanes*s.f.words*wordBytes), scalars)
		a.ADDQ(operand.Imm(4*lanes), bases)
		a.ADDQ(operand.Imm(4*lanes), refs)
	})
	a.VZEROUPPER()
	a.RET()
}

// storeDigits writes the words of 32 bits of the halves to memory, the lowest first.
func (a *assembler) storeDigits(to reg.Register, halves [2][]vec) {
	for i := range halves[0] {
		for odd := range int64(2) {
			var table [lanes]int64
			for k := range table {
				table[k] = int64(4*k+2)<<32 | int64(4*k)
				table[k] += odd<<32 | odd
			}
			index, words := a.ZMM(), a.register(a.clone(halves[0][i]))
			a.VMOVDQU64(a.table(table), index)
			a.VPERMT2D(a.register(halves[1][i]), index, words)
			a.VMOVDQU64(words, operand.Mem{Base: to, Disp: (2*i + int(odd)) * blockBytes})
		}
	}
}

// reference returns the references of one window. The digit e means
// 2e - (2^width - 1): with its highest bit, it is positive and the bits below
// number the multiple; without, the complement of these bits does, and the lowest
// bit of the reference is 1.
func (a *assembler) reference(digits, window reg.Register, points reg.VecVirtual) reg.VecVirtual {
	const xnorAnd = 0x82 // third &^ (first ^ second)
	of := func(offset int) operand.Mem { return operand.Mem{Base: window, Disp: offset} }
	word := a.GP64()
	a.MOVL(of(windowWord), word.As32())
	a.SHLQ(operand.Imm(6), word) // blockBytes
	e, next := a.ZMM(), a.ZMM()
	positive, ref := a.ZMM(), a.ZMM()
	a.VMOVDQU64(operand.Mem{Base: digits, Index: word, Scale: 1}, e)
	a.VMOVDQU64(operand.Mem{Base: digits, Index: word, Scale: 1, Disp: blockBytes}, next)
	a.VPSRLVD_BCST(of(windowRight), e, e)
	a.VPSLLVD_BCST(of(windowLeft), next, next)
	a.VPORD(next, e, e)
	a.VPSLLVD_BCST(of(windowUp), e, positive)
	a.VPSRAD(operand.Imm(31), positive, positive)
	a.VPADDD(e, e, e)
	a.VPTERNLOGD_BCST(operand.Imm(xnorAnd), of(windowMask), positive, e)
	a.VPSLLVD_BCST(of(windowWidth), points, ref)
	a.VPADDD_BCST(of(windowFirst), ref, ref)
	a.VPADDD(e, ref, ref)
	return ref
}
