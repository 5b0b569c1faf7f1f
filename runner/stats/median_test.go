package stats_test

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/runner/stats"
)

func TestMedian(t *testing.T) {
	for want, of := range map[float64][]float64{
		2: {2}, 3: {9, 1, 3}, 2.5: {4, 1, 2, 3}, math.MaxFloat64: {math.MaxFloat64, math.MaxFloat64},
	} {
		before := slices.Clone(of)
		require.Equal(t, want, stats.Median(of))
		require.Equal(t, before, of)
	}
	require.Equal(t, 4*time.Nanosecond, stats.Median([]time.Duration{5, 3, 9, 1}))
	require.Equal(t, 3*time.Nanosecond, stats.Median([]time.Duration{3}))
}

func TestParseShare(t *testing.T) {
	for text, want := range map[string]float64{"3%": 0.03, "0.03": 0.03, "1000%": 10, "0%": 0} {
		t.Run(text, func(t *testing.T) {
			v, err := stats.ParseShare(text)
			require.NoError(t, err)
			require.InDelta(t, want, v, 1e-12)
		})
	}
	for _, text := range []string{"", "%", "three%", "x", "3 %", "3%%"} {
		t.Run(text, func(t *testing.T) {
			v, err := stats.ParseShare(text)
			require.EqualError(t, err, fmt.Sprintf("%q is not a share such as 3%%", text))
			require.Zero(t, v)
		})
	}
}
