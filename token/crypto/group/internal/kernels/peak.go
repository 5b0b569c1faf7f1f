package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
)

// peakChains is how many independent multiply-adds a round of lanePeak has: more
// than a processor has in flight.
const peakChains = 16

// emitPeak writes lanePeak.
func (a *assembler) emitPeak() {
	a.Function("lanePeak")
	a.Attributes(attr.NOSPLIT)
	a.Doc("lanePeak does 16 independent multiply-adds of eight elements n times: the most that a processor can do.")
	a.SignatureExpr("func(n int)")
	left := a.GP64()
	a.Load(a.Param("n"), left)
	factor := a.register(a.zero())
	var sums [peakChains]zmm
	for i := range sums {
		sums[i] = a.register(a.zero())
	}
	a.Label("loop")
	for _, sum := range sums {
		a.VPMADD52LUQ(factor, factor, sum)
	}
	a.SUBQ(operand.Imm(1), left)
	a.JG(operand.LabelRef("loop"))
	a.VZEROUPPER()
	a.RET()
}
