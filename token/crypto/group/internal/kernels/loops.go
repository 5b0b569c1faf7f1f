package main

import (
	"fmt"
	"slices"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Layout of the memory that kernels share with package bn254 and bls12381.
const (
	wordBytes  = 8
	blockBytes = lanes * wordBytes // one limb of eight elements
	// places is the number of elements in a vector of coordinates, with room for
	// eight after the last: limb l of element i is word l·places + i.
	places     = 1024 + lanes
	planeBytes = places * wordBytes
)

// layout is how an operand lies in memory.
type layout int

const (
	planes layout = iota // coordinates, limb by limb
	blocks               // eight elements, limb by limb, and then the next eight
	fixed                // one block, the same at every step
)

// argument is an operand of a kernel: a pointer at the given offset in the
// structure that the kernel gets.
type argument struct {
	layout layout
	offset int
	// skip is how many blocks after the pointer the operand begins.
	skip int
}

// The structure: laneArgs in the packages of the curves.
var arguments = map[string]argument{
	"ax":   {layout: planes, offset: 0},
	"ay":   {layout: planes, offset: 8},
	"bx":   {layout: planes, offset: 16},
	"by":   {layout: planes, offset: 24},
	"d":    {layout: blocks, offset: 32},
	"p":    {layout: blocks, offset: 40},
	"next": {layout: blocks, offset: 40, skip: chains},
	"azz":  {layout: planes, offset: 56},
	"azzz": {layout: planes, offset: 64},
	"bzz":  {layout: planes, offset: 72},
	"bzzz": {layout: planes, offset: 80},
	"az":   {layout: planes, offset: 88},
	"bz":   {layout: planes, offset: 96},
}

// scratchBlocks is how many blocks of scratch memory a kernel may use.
const scratchBlocks = 16

func init() {
	for i := range scratchBlocks {
		arguments[scratch(i)] = argument{layout: fixed, offset: offsetTemp, skip: i}
	}
}

// scratch is the name of a block of scratch memory.
func scratch(i int) string { return fmt.Sprintf("t%d", i) }

// The offsets of the number of elements, of scratch memory and of the number of times.
const (
	offsetLen   = 48
	offsetTemp  = 104
	offsetTimes = 112
)

// chains is how many partial products grow at the same time, in turns: each
// multiplication depends only on the previous one in its chain.
const chains = 2

// kernel is a loop over steps.
type kernel struct {
	name, doc string
	operands  []string
	masked    []string // operands that only have the elements that exist
	backwards bool     // from the last eight elements to the first
	pairs     bool     // two steps in turns, while two are left
	scratch   int      // how many blocks of scratch memory are used
	// expanded kernels only call multiplications: with few limbs, calls of short steps
	// would cost more than a twentieth of the time of frequent calls.
	expanded bool
	// inlined kernels do not call in their main loop if there are few limbs: two
	// multiplications with their multiply-adds in turns are a tenth faster than two calls.
	inlined bool
	// repeated kernels do all steps a number of times.
	repeated bool
	step     step
}

var kernels = []kernel{
	{name: "laneProducts",
		doc: "laneProducts sets d = bx - ax, and 1 where there is no element, and each block of p, " +
			"after the first two, to the product of the blocks of p and d two places before.",
		operands: []string{"ax", "bx", "d", "p", "next"}, pairs: true, step: products},
	{name: "laneSums",
		doc: "laneSums adds (bx, by) to (ax, ay), given the partial products p of d with the last two " +
			"blocks inverted.",
		operands: []string{"ax", "ay", "bx", "by", "d", "p", "next"}, masked: []string{"ax", "ay"},
		backwards: true, pairs: true, scratch: 3, inlined: true, step: sums},
	{name: "laneScale", doc: "laneScale multiplies ax by the block d, below p.",
		operands: []string{"ax", "d"}, masked: []string{"ax"}, pairs: true, step: scale},
	{name: "laneMultiply", doc: "laneMultiply sets the blocks d = d·p.",
		operands: []string{"d", "p"}, pairs: true, step: multiply},
	{name: "laneChainBegin",
		doc:      "laneChainBegin makes chains (ax, ay, azz, azzz) of the affine points (ax, ay).",
		operands: []string{"ay", "azz", "azzz"}, masked: []string{"ay", "azz", "azzz"}, step: chainBegin},
	{name: "laneChain", doc: "laneChain adds (bx, by) to the chains (ax, ay, azz, azzz).",
		operands: []string{"ax", "ay", "azz", "azzz", "bx", "by"},
		masked:   []string{"ax", "ay", "azz", "azzz"}, scratch: 8, inlined: true, step: chain},
	{name: "laneJoin", doc: "laneJoin adds the chains (bx, by, bzz, bzzz) to the chains (ax, ay, azz, azzz).",
		operands: []string{"ax", "ay", "azz", "azzz", "bx", "by", "bzz", "bzzz"},
		masked:   []string{"ax", "ay", "azz", "azzz"}, scratch: 12, step: join},
	{name: "laneChainProducts", doc: "laneChainProducts is laneProducts for d = azzz.",
		operands: []string{"azzz", "d", "p", "next"}, pairs: true, step: chainProducts},
	{name: "laneAffines",
		doc: "laneAffines sets (ax, ay) to the affine point of the chain, given the partial products " +
			"p of d = azzz with the last two blocks inverted.",
		operands: []string{"ax", "ay", "azz", "azzz", "d", "p", "next"}, masked: []string{"ax", "ay"},
		backwards: true, pairs: true, scratch: 2, step: affines},
	{name: "laneJacobianDoubles",
		doc:      "laneJacobianDoubles doubles (ax, ay, az) the given number of times, in whole blocks.",
		operands: []string{"ax", "ay", "az"}, scratch: 6, expanded: true, repeated: true,
		step: jacobianDoubles},
	{name: "laneJacobianMixed",
		doc: "laneJacobianMixed adds (bx, by) to (ax, ay, az), in whole blocks. Sums of points with " +
			"the same x have az = 0.",
		operands: []string{"ax", "ay", "az", "bx", "by"}, scratch: 13, step: jacobianMixed},
	{name: "laneRescale", doc: "laneRescale sets (ax, ay) to (ax·az², ay·az³), below 2p.",
		operands: []string{"ax", "ay", "az"}, masked: []string{"ax", "ay"}, scratch: 3, step: rescale},
	{name: "laneJacobianOffsets",
		doc:      "laneJacobianOffsets sets (ax, ay) to (bx·az² - ax, by·az³ - ay), in whole blocks.",
		operands: []string{"ax", "ay", "az", "bx", "by"}, scratch: 2, step: jacobianOffsets},
}

// loop is the body of the loop of a kernel.
type loop struct {
	blockOf  int // bytes of a block
	one, two func()
}

// Masks of the elements that exist: in the current step and in the last.
var maskRegister, tailRegister = reg.K1, reg.K2

// emit writes one kernel.
func (a *assembler) emit(f *field, k kernel) {
	a.Function(k.name)
	a.Attributes(attr.NOSPLIT)
	a.Doc(k.doc)
	a.SignatureExpr("func(a *byte)")
	a.align()
	a.Load(a.Param("a"), argumentsRegister)
	l := loop{blockOf: f.limbs * blockBytes}
	a.MOVQ(operand.Mem{Base: argumentsRegister, Disp: offsetLen}, leftRegister)
	a.MOVQ(operand.Mem{Base: argumentsRegister, Disp: offsetTemp}, tempRegister)
	if k.expanded && f.fewLimbs() {
		a.resident, a.limbs = residents(f), f.limbs
	}
	inlined := k.inlined && f.fewLimbs()
	if !inlined {
		a.callTo(loadConstants)
	}
	memories, lower := map[string]memory{}, map[string]memory{}
	indirect, direct := map[string]location{}, map[string]location{}
	bases := map[int]reg.Register{}
	for i := range k.scratch {
		k.operands = append(k.operands, scratch(i))
	}
	for _, name := range k.operands {
		arg := arguments[name]
		m := memory{name: name, limbBytes: blockBytes}
		at := location{Mem: operand.Mem{Index: blockRegister, Scale: 1, Disp: arg.skip * l.blockOf},
			offset: arg.offset}
		if inlined && arg.layout != fixed && bases[arg.offset] == nil {
			bases[arg.offset] = a.GP64()
			a.MOVQ(operand.Mem{Base: argumentsRegister, Disp: arg.offset}, bases[arg.offset])
		}
		next := at.Disp + l.blockOf
		switch {
		case arg.layout == planes:
			m.limbBytes, at.Index = planeBytes, placeRegister
			next = at.Disp + blockBytes
		case arg.layout == fixed:
			at.Mem = operand.Mem{Base: tempRegister, Disp: at.Disp}
			next = at.Disp + k.scratch*l.blockOf
		case name == "d" && k.name == "laneScale":
			at.Index, at.Scale, next = nil, 0, at.Disp
		}
		lower[name], indirect[name] = m, at
		m.last, m.masked = true, slices.Contains(k.masked, name)
		memories[name] = m
		m.name += " of the second block"
		at.Disp = next
		memories[m.name], indirect[m.name] = m, at
	}
	for name, at := range indirect {
		if at.Base == nil {
			at.Base = bases[at.offset]
		}
		direct[name] = at
	}
	used := k.scratch
	if k.pairs {
		used *= 2
	}
	free := operand.Mem{Base: tempRegister, Disp: used * l.blockOf}
	begin := func(inlined bool) {
		a.where = direct
		if !inlined {
			a.where, a.operands = indirect, operands{free: free, inMemory: map[string]memory{}}
		}
	}
	end := func() {
		if a.operands.free.Disp > scratchBlocks*l.blockOf {
			panic(k.name + " uses too much scratch memory")
		}
		a.operands = operands{}
	}
	a.tailMask(leftRegister, tailRegister)
	a.mask = maskRegister
	pr := program{machine: a, f: f}
	l.one = func() {
		if inlined && k.pairs {
			a.callTo(loadConstants)
		}
		begin(inlined && !k.pairs)
		k.step(pr, memories)
		end()
	}
	if k.pairs {
		second := map[string]memory{}
		for name := range lower {
			second[name] = memories[name+" of the second block"]
		}
		l.two = func() {
			begin(inlined)
			pr.interleave(func(pr program) { k.step(pr, lower) }, func(pr program) { k.step(pr, second) })
			end()
		}
	}
	if k.repeated {
		a.MOVQ(operand.Mem{Base: argumentsRegister, Disp: offsetTimes}, timesRegister)
		a.Label("again")
		a.MOVQ(operand.Mem{Base: argumentsRegister, Disp: offsetLen}, leftRegister)
	}
	if k.backwards {
		a.backwards(l)
	} else {
		a.forwards(l)
	}
	if k.repeated {
		a.DECQ(timesRegister)
		a.JNZ(operand.LabelRef("again"))
	}
	a.resident = nil
	a.VZEROUPPER()
	a.RET()
}

// tailMask sets a mask to the bits of the elements of the last step.
func (a *assembler) tailMask(n, mask reg.Register) {
	bits, ones := a.GP64(), a.GP64()
	a.LEAQ(operand.Mem{Base: n, Disp: -1}, bits)
	a.ANDQ(operand.Imm(lanes-1), bits)
	a.INCQ(bits)
	a.MOVQ(operand.U32(1<<lanes-1), ones)
	a.BZHIQ(bits, ones, ones)
	a.KMOVW(ones.As32(), mask)
}

// fullMask sets the mask of the current step to the bits of eight elements.
func (a *assembler) fullMask() {
	ones := a.GP64()
	a.MOVQ(operand.U32(1<<lanes-1), ones)
	a.KMOVW(ones.As32(), a.mask)
}

// forwards writes a loop over all blocks, in pairs while two are left.
func (a *assembler) forwards(l loop) {
	blocks, steps := 1, l.one
	if l.two != nil {
		blocks, steps = 2, l.two
	}
	a.XORQ(placeRegister, placeRegister)
	a.XORQ(blockRegister, blockRegister)
	a.fullMask()
	a.Label("loop")
	a.CMPQ(leftRegister, operand.Imm(uint64(blocks*lanes)))
	a.JG(operand.LabelRef("step"))
	a.KMOVW(tailRegister, a.mask)
	if l.two != nil {
		a.CMPQ(leftRegister, operand.Imm(lanes))
		a.JLE(operand.LabelRef("last"))
	}
	a.Label("step")
	steps()
	a.ADDQ(operand.Imm(uint64(blocks*blockBytes)), placeRegister)
	a.ADDQ(operand.U32(blocks*l.blockOf), blockRegister)
	a.SUBQ(operand.Imm(uint64(blocks*lanes)), leftRegister)
	a.JG(operand.LabelRef("loop"))
	if l.two != nil {
		a.JMP(operand.LabelRef("done"))
		a.Label("last")
		l.one()
		a.Label("done")
	}
}

// backwards writes a loop from the last block to the first, in pairs while
// two are left.
func (a *assembler) backwards(l loop) {
	a.LEAQ(operand.Mem{Base: leftRegister, Disp: -1}, placeRegister)
	a.SHRQ(operand.Imm(3), placeRegister)
	a.IMUL3Q(operand.U32(l.blockOf), placeRegister, blockRegister)
	a.SHLQ(operand.Imm(6), placeRegister)
	a.KMOVW(tailRegister, a.mask)
	back := func() {
		a.SUBQ(operand.U32(l.blockOf), blockRegister)
		a.SUBQ(operand.Imm(blockBytes), placeRegister)
	}
	a.Label("loop")
	if l.two != nil {
		a.CMPQ(placeRegister, operand.Imm(0))
		a.JE(operand.LabelRef("last"))
		back()
		l.two()
		a.fullMask()
		back()
		a.JGE(operand.LabelRef("loop"))
		a.JMP(operand.LabelRef("done"))
		a.Label("last")
	}
	l.one()
	if l.two == nil {
		a.fullMask()
		back()
		a.JGE(operand.LabelRef("loop"))
	}
	a.Label("done")
}
