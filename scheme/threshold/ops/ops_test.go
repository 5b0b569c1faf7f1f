package ops_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/scheme/threshold/ops"
)

func TestOperationsAreCountedOnlyInCount(t *testing.T) {
	ops.Add(ops.Mul, 3)
	got := ops.Count(func() {
		ops.Add(ops.Mul, 1)
		ops.Add(ops.MSM, 1)
		ops.Add(ops.MSMTerms, 7)
	})
	ops.Add(ops.Mul, 3)
	require.Equal(t, ops.Counts{ops.Mul: 1, ops.MSM: 1, ops.MSMTerms: 7}, got)
	require.Equal(t, ops.Counts{ops.Mul: 2, ops.MSM: 2, ops.MSMTerms: 14}, got.Plus(got))
	require.Zero(t, ops.Count(func() {}))
}

func TestKindsHaveNames(t *testing.T) {
	seen := map[string]bool{}
	for k := range ops.NumKinds {
		require.NotEmpty(t, k.String())
		require.False(t, seen[k.String()])
		seen[k.String()] = true
	}
}

func BenchmarkAddOutsideOfCount(b *testing.B) {
	for b.Loop() {
		ops.Add(ops.Mul, 1)
	}
}
