package systems_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
)

// wrongIn returns the index of the item that Verify rejects, or -1.
func wrongIn(t testing.TB, p prover, items []rangeproof.Item) int {
	t.Helper()
	err := p.Verify(items)
	if err == nil {
		return -1
	}
	var rejected *rangeproof.RejectedError
	require.True(t, errors.As(err, &rejected), "%v", err)
	return rejected.Index
}

// oneWrong corrupts one item in batches of 2 to 1024, at random positions.
func oneWrong(t *testing.T, p prover) {
	most := nightly.Pick(16, 256, 1024)
	honest := p.items(t, 8)
	rnd := rand.New(rand.NewPCG(1, 1))
	for n := 2; n <= most; n *= 2 {
		items := make([]rangeproof.Item, n)
		for i := range items {
			items[i] = honest[i%len(honest)]
		}
		require.Equal(t, -1, wrongIn(t, p, items), "%d items", n)
		for range 3 {
			wrong := rnd.IntN(n)
			right := items[wrong]
			items[wrong].V = p.Group.AddPoints(right.V, p.g1())
			require.Equal(t, wrong, wrongIn(t, p, items), "%d items", n)
			items[wrong] = right
		}
	}
}
