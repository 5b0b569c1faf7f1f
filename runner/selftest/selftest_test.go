package selftest_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/runner/selftest"
)

// loose are bounds for machines that run other programs at the same time; the
// command uses the default bounds.
var loose = map[string]float64{"recording": 1e5, "pacer lag": 1000, "throughput error": 20, "recording allocations": 1}

func TestSelftestPasses(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, selftest.Run(context.Background(), &b, selftest.Options{Scale: 0.5, Bounds: loose}), b.String())
	require.Equal(t, 8, strings.Count(b.String(), "\n"), b.String())
	t.Log("\n" + b.String())
}

func TestSelftestFailsBeyondABound(t *testing.T) {
	var b bytes.Buffer
	err := selftest.Run(context.Background(), &b, selftest.Options{Scale: 0.1, Bounds: map[string]float64{"clock step": -1, "recording": -0.5, "pacer lag": 1e4}})
	require.ErrorIs(t, err, selftest.ErrBound)
	require.ErrorContains(t, err, "clock step")
	require.ErrorContains(t, err, "recording")
	require.Contains(t, b.String(), "BEYOND")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	require.ErrorIs(t, selftest.Run(ctx, &b, selftest.Options{}), context.Canceled)
}
