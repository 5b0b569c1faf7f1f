package judge

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/result"
)

// TestUnbatchedOperationsAreReported: without a warm-up the length of an
// operation is not known in time.
func TestUnbatchedOperationsAreReported(t *testing.T) {
	r, err := runner.Run(context.Background(), result.Config{Workers: 1, Ops: 10_000, WarmUp: -1},
		runner.Func(func(context.Context) error { return nil }))
	require.NoError(t, err)
	require.Equal(t, 1, r.Config.Batch)
	require.True(t, kinds(r)["coarse clock"])
}
