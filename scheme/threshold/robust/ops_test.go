package robust_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/scheme/threshold/codec"
	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
	"github.com/zkatbench/zkatbench/scheme/threshold/ops"
)

// TestOperationsOfPresigning compares the group operations of each round with the
// protocol: R_i; N-t-1 checks, R and W_i; N-t-1 checks, W(0) and w·G.
func TestOperationsOfPresigning(t *testing.T) {
	for _, max := range []int{1, 2, 6} {
		r := newRun(t, max, codec.Compact)
		s, err := engine.Record(engine.Snapshot{Case: "robust-presign"}, r.presigners(t))
		require.NoError(t, err)
		replay := engine.NewReplay(s, 2)
		var counts []count.Counts
		played, err := replay.Play(engine.Counting(r.presigners(t)[1], &counts))
		require.NoError(t, err)
		require.NoError(t, replay.Check(played))
		n, base := uint64(2*max+1), uint64(max+1)
		require.Equal(t, []count.Counts{
			{},
			{ops.BaseMul: 1},
			{ops.Decode: n - 1, ops.MSM(int(base)): n - base + 1, ops.Mul: 1},
			{ops.Decode: n - 1, ops.MSM(int(base)): n - base + 1, ops.BaseMul: 1},
		}, counts)
	}
}
