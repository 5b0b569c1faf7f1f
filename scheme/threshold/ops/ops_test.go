package ops_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/count"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/scheme/threshold/ops"
)

func TestOperationsAreCountedOnlyInCount(t *testing.T) {
	ops.Add(ops.Mul, 3)
	got := ops.Count(func() {
		ops.Add(ops.Mul, 1)
		ops.Add(ops.MSM(7), 1)
		ops.Add(ops.BaseMul, 2)
	})
	ops.Add(ops.Mul, 3)
	require.Equal(t,
		count.Counts{count.One(count.ScalarMul): 1, count.Of(count.MSM, 7): 1, count.One(count.FixedMSM): 2},
		got)
	require.Empty(t, ops.Count(func() {}))
}
