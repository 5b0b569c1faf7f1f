package rangeproof

import (
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/grouptest"
)

// TestResetEmptiesTheSum: terms of either part do not stay for the next sum.
func TestResetEmptiesTheSum(t *testing.T) {
	g := grouptest.Toy(199)
	table := g.NewTable([]group.Point{g.Generator()}, 1)
	e := Equation{Fixed: make([]group.Scalar, 1)}
	require.True(t, e.Vanishes(g, table))
	for name, add := range map[string]func(){
		"fixed": func() { e.Fixed[0] = g.Uint64(3) },
		"term":  func() { e.Term(g.Generator(), g.Uint64(3)) },
	} {
		add()
		require.False(t, e.Vanishes(g, table), name)
		e.Reset()
		require.True(t, e.Vanishes(g, table), name)
	}
	e.Fixed[0] = g.Uint64(3)
	e.Term(g.Generator(), g.Neg(g.Uint64(3)))
	require.True(t, e.Vanishes(g, table), "both parts")
}

// TestBatches names the first wrong item of a batch with as many calls as there
// are halves, and asks about an empty batch not at all.
func TestBatches(t *testing.T) {
	require.NoError(t, VerifyBatch(nil, func([]Item) bool { t.Error("asked about no items"); return true }))
	g := grouptest.Toy(199)
	for n := 1; n < 20; n++ {
		items := make([]Item, n)
		require.NoError(t, VerifyBatch(items, right))
		for i := range items {
			items[i].V = g.Generator()
			items[n-1].V = g.Generator()
			wrong := new(RejectedError)
			require.ErrorAs(t, VerifyBatch(items, right), &wrong)
			require.Equal(t, i, wrong.Index, n)
			clear(items)
		}
	}
}

// right takes items with the identity.
func right(items []Item) bool {
	for _, it := range items {
		if it.V != (group.Point{}) {
			return false
		}
	}
	return true
}
