package rangeproof

import (
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/grouptest"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// TestEquationHasBothParts: terms of either part count, and nothing of them stays
// for the next sum in the same memory.
func TestEquationHasBothParts(t *testing.T) {
	g := grouptest.Toy(199)
	table := g.NewTable([]group.Point{g.Generator()}, 1)
	for name, add := range map[string]func(*Equation){
		"fixed": func(e *Equation) { e.Fixed[0] = g.Uint64(3) },
		"term":  func(e *Equation) { e.Term(g.Generator(), g.Uint64(3)) },
		"both": func(e *Equation) {
			e.Fixed[0] = g.Uint64(3)
			e.Term(g.Generator(), g.Uint64(3))
		},
		"cancelling": func(e *Equation) {
			e.Fixed[0] = g.Uint64(3)
			e.Term(g.Generator(), g.Neg(g.Uint64(3)))
		},
	} {
		m := round.NewMemory()
		e := NewEquation(m, 1, 2)
		require.True(t, e.Vanishes(g, table))
		add(&e)
		require.Equal(t, name == "cancelling", e.Vanishes(g, table), name)
		m.Wipe()
	}
}
