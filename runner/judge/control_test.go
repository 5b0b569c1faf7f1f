package judge

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/result"
)

// TestPrecisionIsMissed: without a value there is nothing to miss.
func TestPrecisionIsMissed(t *testing.T) {
	_, missed := precisionMissed(&result.Result{Config: result.Config{Precision: 0.01}})
	require.False(t, missed)
}
