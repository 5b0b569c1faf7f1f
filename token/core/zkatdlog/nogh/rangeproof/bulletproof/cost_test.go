package bulletproof_test

import (
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group/opcount"
)

// counted returns p in a counting view and its counts so far.
func counted(t *testing.T, p prover) (prover, func() count.Counts) {
	t.Helper()
	p.System.Precompute()
	recorder := &count.Recorder{}
	g, err := opcount.Wrap(p.Group, recorder.Bucket(""), nil)
	require.NoError(t, err)
	return prover{Prover: p.On(g)}, func() count.Counts {
		defer recorder.Reset()
		return recorder.Snapshot().Total()
	}
}

// TestCost holds the table "Cost" of docs/protocol-v1.md. A
// change here is a decision: say why in the commit.
func TestCost(t *testing.T) {
	for _, n := range []int{16, 32, 64} {
		k := bits.Len(uint(n)) - 1
		p := newProver(t, "BN254", n)
		p, counts := counted(t, p)

		it := p.Prove(t, 3)
		c := counts()
		require.EqualValues(t, 2+1+(2*n+1)+4+n+3+2*k*(n+1), c.Terms(count.FixedMSM), "prover, n = %d", n)
		require.EqualValues(t, 2, c.Terms(count.MSM))

		for _, m := range []int{1, 2, 5} {
			items := make([]rangeproof.Item, m)
			for i := range items {
				items[i] = it
			}
			require.NoError(t, p.Verify(items))
			c := counts()
			require.EqualValues(t, m*(n+3)+2*n+6, c.Terms(count.FixedMSM), "verifier, n = %d, %d proofs", n,
				m)
			require.EqualValues(t, 2*m+m*(4+2*k), c.Terms(count.MSM))
		}
	}
}
