package judge

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/hist"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/schedule"
	"github.com/zkatbench/zkatbench/runner/stats"
)

func TestEstimatesAtTheirBorders(t *testing.T) {
	r := &result.Result{Elapsed: time.Second}
	var e Estimate
	for _, c := range []struct {
		factor float64
		reason string
		needs  time.Duration
	}{{0.5, "", 0}, {1, "", 0}, {4, shortWindow, 4 * time.Second}, {2, shortWindow, 4 * time.Second},
		{5, shortWindow, 5 * time.Second}, {math.Inf(1), growingQueue, 0}, {7, growingQueue, 0}} {
		e.needs(r, c.factor)
		require.Equal(t, Estimate{Reason: c.reason, Needs: c.needs}, e, c.factor)
	}
	require.Equal(t, time.Duration(math.MaxInt64/2)+1, scaled(time.Hour, 1e12))
	open := &result.Open{Offered: 10_000, ServiceMean: 1, Present: []int64{0, 0, 0, 0, 0, 0, 0, 0, 0, 0}}
	grown := func(present []int64, workers, service float64) bool {
		open.Present = present
		return growing((&result.Result{Open: open}), workers, service)
	}
	high := []int64{9, 9, 0, 0, 0, 0, 0, 250, 250, 251}
	require.True(t, grown(high, 0.5, 0))
	high[9] = 250
	require.False(t, grown(high, 0.5, 0), "2.5 times the square root of the starts is not more")
	require.True(t, grown(high, 0.5, 1.001))
	require.False(t, grown(high, 0.5, 1))
	require.True(t, grown([]int64{0, 0, 0, 0, 0, 0, 0, 101, 101, 101}, 0.5, 1.001))
	require.False(t, grown([]int64{0, 0, 0, 0, 0, 0, 0, 100, 100, 100}, 0.5, 1.001))
	require.False(t, grown([]int64{0, 0, 60, 60, 60, 0, 0, 0, 0, 251}, 0.5, 0), "the last three on average")
	require.False(t, grown(high[:9], 0.5, 2), "too few marks")
	require.True(t, grown([]int64{0, 0, 800, 800, 800, 0, 0, 1000, 1000, 1000}, 0.5, 0))
	require.False(t, grown([]int64{0, 0, 801, 801, 801, 0, 0, 1000, 1000, 1000}, 0.5, 0), "less than a fifth")
	open.ServiceStdDev = 3 // of services that vary much, √5 times as many
	require.False(t, grown([]int64{0, 0, 0, 0, 0, 0, 0, 559, 559, 559}, 0.5, 0))
	require.True(t, grown([]int64{0, 0, 0, 0, 0, 0, 0, 560, 560, 560}, 0.5, 0))
	open.ServiceStdDev = 0
	open.Backlog = 1
	require.True(t, grown(nil, 1.001, 0))
	require.False(t, grown(nil, 1, 0))
	open.ServiceStdErr = 0.1 // 0.95 + 2.05 × 0.13 = 1.2165
	require.False(t, grown(nil, 1.15, 0))
	require.True(t, grown(nil, 1.3, 0))
	open.Backlog = 0
	require.False(t, grown(nil, 1.3, 0))
	for others, want := range map[int]int{0: 0, 1: 1, 31: 31, 32: 32, 33: 32, 34: 33, 63: 47, 64: 48, 67: 48,
		68: 49, 127: 63, 4095: 143, 4096: 144, 1 << 20: 159} {
		require.Equal(t, want, result.CompanyOf(others), others)
	}
}

// TestQueuesOfFewStarts: half a start has the error of one, and the bend of a line may
// have half of the operations below.
func TestQueuesOfFewStarts(t *testing.T) {
	crowd := []result.Company{{N: 2, Others: 0, Sum: 2e9}, {N: 1, Others: 1, Sum: 1e9},
		{N: 1, Others: 2, Sum: 3e9}}
	require.InDelta(t, 2e9, crowding(crowd), 1)
	r := &result.Result{Config: result.Config{Workers: 1, Plan: &schedule.Plan{Rate: 0.01}},
		Elapsed: 50 * time.Second, Open: &result.Open{ServiceMean: 1e9, Crowd: crowd}}
	q, ok := QueueOf(r)
	require.True(t, ok)
	require.InDelta(t, 0.5/(0.85*0.85), q.Memory, 1e-9)
}

// TestMemoryAtItsBorders takes ten latencies on either side for a test of clustering.
func TestMemoryAtItsBorders(t *testing.T) {
	for tail, known := range map[uint64]bool{9: false, 10: true, 90: true, 91: false} {
		r := &result.Result{Records: 100, Latency: hist.New()}
		r.Timeline.Tick = 1
		r.Timeline.Cells = []result.Cell{{N: 50, Rows: []uint64{50 - tail/2, tail / 2}},
			{N: 50, Rows: []uint64{50 - (tail+1)/2, (tail + 1) / 2}}}
		_, share, ok := memoryAbove(r, 1, stats.Memory{})
		require.Equal(t, known, ok, tail)
		if known {
			require.InDelta(t, float64(tail)/100, share, 1e-12)
		}
	}
}
