package csp // replay is private: factors of the equations are made of challenges

import (
	"fmt"
	"testing"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/rangetest"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// TestWeightsBind: the challenges and weights bind all values, and each equation has its weight.
func TestWeightsBind(t *testing.T) {
	b := rangetest.NewBinding(t, maker, 2)
	g, s := b.Prover.Group, b.Prover.System.(*scheme)
	derived := func(it *rangeproof.Item) claim { return replayed(s, it.V, it.Proof.(*Proof)) }
	const knowledge, argument = 0, 1
	one := g.Uint64(1)
	b.Scalar("Zeta 0", "g₁", knowledge, one)
	b.Scalar("Zeta 1", "h", knowledge, one)
	b.Point("A", knowledge, func(*rangeproof.Item) group.Scalar { return g.Neg(one) })
	b.Point(fmt.Sprint("LeftC ", s.rounds-1), argument, func(it *rangeproof.Item) group.Scalar {
		return derived(it).f
	})
	b.Point("Pc", argument, func(it *rangeproof.Item) group.Scalar {
		c := derived(it)
		factor := c.f
		for _, x := range c.rounds[:s.rounds] {
			factor = g.Mul(factor, x)
		}
		return factor
	})
	b.Test(t)
}
