package round // firstWrong and allWrong are private: the numbers of items that they ask for are counted

import (
	"math/bits"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSearch finds each set of wrong items, in at most as many items as promised.
func TestSearch(t *testing.T) {
	for n := 1; n <= 9; n++ {
		for set := 1; set < 1<<n; set++ {
			items, want, asked := make([]int, n), make([]bool, n), 0
			for i := range items {
				items[i], want[i] = i, set>>i&1 == 1
			}
			holds := func(items []int) bool {
				asked += len(items)
				return !slices.ContainsFunc(items, func(i int) bool { return want[i] })
			}
			require.Equal(t, bits.TrailingZeros(uint(set)), firstWrong(items, holds))
			require.LessOrEqual(t, asked, n)
			wrong, k := make([]bool, n), bits.OnesCount(uint(set))
			asked = 0
			allWrong(items, wrong, holds)
			require.Equal(t, want, wrong)
			require.LessOrEqual(t, asked, n*(2+bits.Len(uint(k-1))))
		}
	}
}
