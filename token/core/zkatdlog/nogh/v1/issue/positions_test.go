package issue_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
)

// TestLiesAtEveryPosition: an output that contradicts the proof is refused at every
// position of wide issues, with its index, alone and between honest issues.
func TestLiesAtEveryPosition(t *testing.T) {
	for _, p := range networks(t) {
		for _, n := range nightly.Pick([]int{4, 9}, []int{2, 4, 9, 17, 64},
			[]int{2, 4, 8, 9, 16, 17, 33, 64}) {
			honest := slices.Repeat([]coin{{typ: "EUR", value: p.MaxValue()}}, n)
			right := cheat(t, p, honest...)
			require.NoError(t, proof.Verify(p, right, proof.Place{}), "%d outputs", n)
			for j := range n {
				if n > 9 && j > 1 && j != n/2 && j < n-2 {
					continue
				}
				for what, lie := range map[string]coin{
					"another type": {typ: "USD", value: p.MaxValue()}, "2ⁿ": {typ: "EUR", overflow: true},
					"above 2ⁿ": {typ: "EUR", value: p.MaxValue(), overflow: true},
				} {
					coins := slices.Clone(honest)
					coins[j] = lie
					a := cheat(t, p, coins...)
					where := fmt.Sprintf("%s, %d outputs: %s at %d", p.Kind(), n, what, j)
					var wrong *rangeproof.RejectedError
					require.ErrorAs(t, proof.Verify(p, a, proof.Place{}), &wrong, where)
					require.Equal(t, j, wrong.Index, where)
					errs := proof.VerifyEach(p, []proof.Placed{{Action: right}, {Action: a}, {Action: right}})
					require.NoError(t, errs[0], where)
					require.ErrorAs(t, errs[1], &wrong, where)
					require.NoError(t, errs[2], where)
				}
			}
		}
	}
}
