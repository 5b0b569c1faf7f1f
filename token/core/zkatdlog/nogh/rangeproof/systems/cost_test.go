package systems_test

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group/opcount"
)

// cost is numbers of terms of sums: over tables, and over other points.
type cost struct{ fixed, others int }

// costs are the tables "Cost" of docs/protocol-v1.md and docs/protocol-v1-csp.md, for n bits: of a
// prover, and of a verifier of m proofs. A change here is a decision: say why in the commit.
var costs = map[rangeproof.Kind]func(n, m int) (prove, verify cost){
	rangeproof.Bulletproof: func(n, m int) (prove, verify cost) {
		rounds := bits.Len(uint(n)) - 1
		return cost{2 + 1 + (2*n + 1) + 4 + n + 3 + 2*rounds*(n+1), 2},
			cost{m*(n+3) + 2*n + 6, 2*m + m*(4+2*rounds)}
	},
	rangeproof.CSP: func(n, m int) (prove, verify cost) {
		width := 2*n + 4
		rounds := bits.Len(uint(width - 1))
		// V and A; Pc without its bits; Sc; W; round 0; the later rounds. Then ρ·Sc.
		return cost{4 + (n + 3) + width + 2 + (2*width - 1<<rounds + 1) + (rounds-1)*(width+2), 1},
			cost{width + 1, 2*m + m*(3+2*rounds)}
	},
}

func TestCost(t *testing.T) {
	systemsDo(t, func(t *testing.T, s rangeproof.Family) {
		if costs[s.Kind] == nil {
			t.Skip("a new system")
		}
		for _, n := range []int{16, 32, 64} {
			t.Run(fmt.Sprintf("bits=%d", n), func(t *testing.T) {
				p := newProver(t, small(s), "BN254", n)
				p.System.Precompute()
				recorder := &count.Recorder{}
				g, err := opcount.Wrap(p.Group, recorder.Bucket(""), nil)
				require.NoError(t, err)
				counted := func() cost {
					defer recorder.Reset()
					c := recorder.Snapshot().Total()
					return cost{int(c.Terms(count.FixedMSM)), int(c.Terms(count.MSM))}
				}
				p = prover{p.On(g)}
				it := p.Prove(t, 3)
				prove, _ := costs[s.Kind](n, 1)
				require.Equal(t, prove, counted(), "prover")
				for _, m := range []int{1, 2, 5} {
					require.NoError(t, p.Verify(slices.Repeat([]rangeproof.Item{it}, m)))
					_, verify := costs[s.Kind](n, m)
					require.Equal(t, verify, counted(), "verifier of %d proofs", m)
				}
			})
		}
	})
}
