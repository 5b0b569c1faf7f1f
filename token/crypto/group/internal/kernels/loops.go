package main

import (
	"fmt"

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
const scratchBlocks = 5

func init() {
	for i := range scratchBlocks {
		arguments[scratch(i)] = argument{layout: fixed, offset: 104, skip: i}
	}
}

// scratch is the name of a block of scratch memory.
func scratch(i int) string { return fmt.Sprintf("t%d", i) }

// offsetLen is the offset of the number of elements.
const offsetLen = 48

// chains is how many partial products grow at the same time, in turns: each
// multiplication waits for the one before in its own chain only.
const chains = 2

// kernel is a loop over steps.
type kernel struct {
	name, doc string
	operands  []string
	masked    []string // operands that only have the elements that exist
	backwards bool     // from the last eight elements to the first
	step      step
}

var kernels = []kernel{
	{name: "laneDenominators", doc: "laneDenominators sets d = bx - ax, and 1 where there is no element.",
		operands: []string{"ax", "bx", "d"}, step: denominators},
	{name: "laneDoubleDenominators", doc: "laneDoubleDenominators sets d = 2·ay, and 1 where there is no element.",
		operands: []string{"ay", "d"}, step: doubleDenominators},
	{name: "laneProducts", doc: "laneProducts sets each block of p, after the first two, to the product of the blocks of p and d two places before.",
		operands: []string{"p", "next", "d"}, step: products},
	{name: "laneSums", doc: "laneSums adds (bx, by) to (ax, ay), given the partial products p of d with the last two blocks inverted.",
		operands: []string{"ax", "ay", "bx", "by", "d", "p", "next"}, masked: []string{"ax", "ay"}, backwards: true, step: sums},
	{name: "laneDoubles", doc: "laneDoubles doubles (ax, ay), given the partial products p of d with the last two blocks inverted.",
		operands: []string{"ax", "ay", "d", "p", "next"}, masked: []string{"ax", "ay"}, backwards: true, step: doubles},
	{name: "laneScale", doc: "laneScale multiplies ax by the block d, below p.",
		operands: []string{"ax", "d"}, masked: []string{"ax"}, step: scale},
	{name: "laneMultiply", doc: "laneMultiply sets the blocks d = d·p.",
		operands: []string{"d", "p"}, step: multiply},
	{name: "laneChain", doc: "laneChain adds (bx, by), which it overwrites, to the chains (ax, ay, azz, azzz).",
		operands: []string{"ax", "ay", "azz", "azzz", "bx", "by"},
		masked:   []string{"ax", "ay", "azz", "azzz", "bx", "by"}, step: chain},
	{name: "laneJoin", doc: "laneJoin adds the chains (bx, by, bzz, bzzz), of which it overwrites bx and by, to the chains (ax, ay, azz, azzz).",
		operands: []string{"ax", "ay", "azz", "azzz", "bx", "by", "bzz", "bzzz"},
		masked:   []string{"ax", "ay", "azz", "azzz", "bx", "by"}, step: join},
	{name: "laneChainDenominators", doc: "laneChainDenominators sets d = azzz, and 1 where there is no chain.",
		operands: []string{"azzz", "d"}, step: chainDenominators},
	{name: "laneAffines", doc: "laneAffines sets (ax, ay) to the affine point of the chain, given the partial products p of d = azzz with the last two blocks inverted.",
		operands: []string{"ax", "ay", "azz", "d", "p", "next"}, masked: []string{"ax", "ay"}, backwards: true, step: affines},
	{name: "laneJacobianDoubles", doc: "laneJacobianDoubles doubles (ax, ay, az), in whole blocks.",
		operands: []string{"ax", "ay", "az", "t0", "t1", "t2", "t3"}, step: jacobianDoubles},
	{name: "laneJacobianSums", doc: "laneJacobianSums adds (bx, by, bz) to (ax, ay, az), in whole blocks. Sums of points with the same x have az = 0.",
		operands: []string{"ax", "ay", "az", "bx", "by", "bz", "t0", "t1", "t2", "t3", "t4"}, step: jacobianSums},
	{name: "laneJacobianMixed", doc: "laneJacobianMixed adds (bx, by) to (ax, ay, az), in whole blocks. Sums of points with the same x have az = 0.",
		operands: []string{"ax", "ay", "az", "bx", "by", "t0", "t1", "t2", "t3", "t4"}, step: jacobianMixed},
	{name: "laneRescale", doc: "laneRescale sets (ax, ay) to (ax·az², ay·az³), below 2p.",
		operands: []string{"ax", "ay", "az", "t0"}, masked: []string{"ax", "ay"}, step: rescale},
	{name: "laneJacobianOffsets", doc: "laneJacobianOffsets sets (ax, ay) to (bx·az² - ax, by·az³ - ay), in whole blocks.",
		operands: []string{"ax", "ay", "az", "bx", "by"}, step: jacobianOffsets},
}

// emit writes one kernel.
func (a *assembler) emit(f *field, k kernel) {
	a.Function(k.name)
	a.Attributes(attr.NOSPLIT)
	a.Doc(k.doc)
	a.SignatureExpr("func(a *byte)")
	args := a.Load(a.Param("a"), a.GP64())
	left, place, block := a.GP64(), a.GP64(), a.GP64()
	a.MOVQ(operand.Mem{Base: args, Disp: offsetLen}, left)
	limbs := f.limbs * blockBytes
	memories := map[string]memory{}
	a.where = map[string]operand.Mem{}
	bases := map[int]reg.Register{}
	for _, name := range k.operands {
		arg := arguments[name]
		base := bases[arg.offset]
		if base == nil {
			base = a.GP64()
			a.MOVQ(operand.Mem{Base: args, Disp: arg.offset}, base)
			bases[arg.offset] = base
		}
		m := memory{name: name, limbBytes: blockBytes}
		at := operand.Mem{Base: base, Index: block, Scale: 1, Disp: arg.skip * limbs}
		switch {
		case arg.layout == planes:
			m.limbBytes, at.Index = planeBytes, place
		case arg.layout == fixed || name == "d" && k.name == "laneScale":
			at = operand.Mem{Base: base, Disp: arg.skip * limbs}
		}
		for _, masked := range k.masked {
			m.masked = m.masked || masked == name
		}
		memories[name], a.where[name] = m, at
	}
	tail := a.tailMask(left)
	a.mask = a.K()
	pr := program{machine: a, f: f}
	if k.backwards {
		a.backwards(left, place, block, limbs, tail, func() { k.step(pr, memories) })
	} else {
		a.forwards(left, place, block, limbs, tail, func() { k.step(pr, memories) })
	}
	a.VZEROUPPER()
	a.RET()
}

// tailMask returns the mask of the elements of the last step.
func (a *assembler) tailMask(n reg.GPVirtual) reg.OpmaskVirtual {
	bits, ones, mask := a.GP64(), a.GP64(), a.K()
	a.LEAQ(operand.Mem{Base: n, Disp: -1}, bits)
	a.ANDQ(operand.Imm(lanes-1), bits)
	a.INCQ(bits)
	a.MOVQ(operand.U32(1<<lanes-1), ones)
	a.BZHIQ(bits, ones, ones)
	a.KMOVW(ones.As32(), mask)
	return mask
}

// setMask sets the mask of the current step to that of eight elements.
func (a *assembler) fullMask() {
	ones := a.GP64()
	a.MOVQ(operand.U32(1<<lanes-1), ones)
	a.KMOVW(ones.As32(), a.mask)
}

func (a *assembler) forwards(left, place, block reg.GPVirtual, limbs int, tail reg.OpmaskVirtual, step func()) {
	a.XORQ(place, place)
	a.XORQ(block, block)
	a.fullMask()
	a.Label("loop")
	a.CMPQ(left, operand.Imm(lanes))
	a.JGE(operand.LabelRef("step"))
	a.KMOVW(tail, a.mask)
	a.Label("step")
	step()
	a.ADDQ(operand.Imm(blockBytes), place)
	a.ADDQ(operand.U32(limbs), block)
	a.SUBQ(operand.Imm(lanes), left)
	a.JG(operand.LabelRef("loop"))
}

func (a *assembler) backwards(left, place, block reg.GPVirtual, limbs int, tail reg.OpmaskVirtual, step func()) {
	a.LEAQ(operand.Mem{Base: left, Disp: -1}, place)
	a.SHRQ(operand.Imm(3), place)
	a.IMUL3Q(operand.U32(limbs), place, block)
	a.SHLQ(operand.Imm(6), place)
	a.KMOVW(tail, a.mask)
	a.Label("loop")
	step()
	a.fullMask()
	a.SUBQ(operand.U32(limbs), block)
	a.SUBQ(operand.Imm(blockBytes), place)
	a.JGE(operand.LabelRef("loop"))
}
