package metric_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/zkatbench/zkatbench/bench/metric"
)

// TestAccess: a read takes some time, and less than that of a disk.
func TestAccess(t *testing.T) {
	text, found := strings.CutSuffix(metric.Access(), " for a random read in 32 MB")
	require.True(t, found)
	read, err := time.ParseDuration(text)
	require.NoError(t, err)
	require.Greater(t, read, time.Duration(0))
	require.Less(t, read, 100*time.Microsecond)
}
