package systems_test

import (
	"errors"
	"slices"
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

// oneWrong corrupts the last statement of batches of up to 1024 items, alone and with another one by
// opposite amounts: at both ends and in between, and at each place of nine. The first one is named.
func oneWrong(t *testing.T, p prover) {
	honest := p.items(t, 9)
	require.Equal(t, -1, wrongIn(t, p, nil))
	for _, n := range nightly.Pick([]int{2, 9}, []int{2, 9, 64},
		[]int{2, 4, 9, 16, 64, 256, 1024}) {
		items := slices.Repeat(honest, 1+n/len(honest))[:n]
		require.Equal(t, -1, wrongIn(t, p, items), "%d items", n)
		last := &items[n-1].V
		*last = p.Group.SubPoints(*last, p.g1())
		require.Equal(t, n-1, wrongIn(t, p, items), "%d items", n)
		places := []int{0, n / 3, n - 2}
		if n == 9 {
			places = []int{0, 1, 2, 3, 4, 5, 6, 7}
		}
		for _, wrong := range places {
			spoiled := slices.Clone(items)
			spoiled[wrong].V = p.Group.AddPoints(spoiled[wrong].V, p.g1())
			require.Equal(t, wrong, wrongIn(t, p, spoiled), "%d items", n)
		}
	}
}
