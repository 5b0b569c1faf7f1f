package judge // growing, crowding and memoryAbove are private: runs seldom reach their borders

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/hist"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/schedule"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// TestReasonsOfEstimates: the longest need of a window counts, and a growing queue ends all.
func TestReasonsOfEstimates(t *testing.T) {
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
}

// TestGrowingQueues: a queue grows if more operations are present at the end of the window than
// chance allows, and than at a third of it; or if a backlog is left and the load is above one.
func TestGrowingQueues(t *testing.T) {
	for _, c := range []struct {
		present          []int64
		workers, service float64
		deviation        float64 // of services of 1
		grows            bool
	}{
		{[]int64{9, 9, 0, 0, 0, 0, 0, 250, 250, 251}, 0.5, 0, 0, true},
		{[]int64{9, 9, 0, 0, 0, 0, 0, 250, 250, 250}, 0.5, 0, 0, false}, // 2.5 √starts
		{[]int64{0, 0, 60, 60, 60, 0, 0, 0, 0, 251}, 0.5, 0, 0, false},  // the last three on average
		{[]int64{0, 0, 0, 0, 0, 0, 0, 1000, 1000}, 0.5, 2, 0, false},    // too few marks
		{[]int64{0, 0, 800, 800, 800, 0, 0, 1000, 1000, 1000}, 0.5, 0, 0, true},
		{[]int64{0, 0, 801, 801, 801, 0, 0, 1000, 1000, 1000}, 0.5, 0, 0, false},
		{[]int64{0, 0, 0, 0, 0, 0, 0, 560, 560, 560}, 0.5, 0, 3, true}, // √5 times as many
	} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			open := &result.Open{Offered: 10_000, ServiceMean: 1, ServiceStdDev: c.deviation,
				Present: c.present}
			require.Equal(t, c.grows, growing(&result.Result{Open: open}, c.workers, c.service))
		})
	}
	for load, grows := range map[float64]bool{1.15: false, 1.3: true} { // 0.95 + 2.05 × 0.13 = 1.2165
		left := &result.Open{Offered: 10_000, ServiceMean: 1, ServiceStdErr: 0.1, Backlog: 1}
		require.Equal(t, grows, growing(&result.Result{Open: left}, load, 0))
		left.Backlog = 0
		require.False(t, growing(&result.Result{Open: left}, load, 0))
	}
}

// TestQueuesOfFewStarts: half a start has the error of one, and the bend of a line may
// have half of the operations below.
func TestQueuesOfFewStarts(t *testing.T) {
	crowd := []result.Company{{N: 2, Others: 0, Sum: 2e9}, {N: 1, Others: 1, Sum: 1e9},
		{N: 1, Others: 2, Sum: 3e9}}
	require.InDelta(t, 2e9, crowding(crowd), 1)
	most := []result.Company{{N: 3, Others: 0, Sum: 3e9}, crowd[1], crowd[2]} // a line without a bend
	require.InDelta(t, 0.875e9, crowding(most), 1)
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

// TestSharesOfFewLatencies: below twenty, all count as independent.
func TestSharesOfFewLatencies(t *testing.T) {
	for n, independent := range map[int]bool{19: true, 20: false} {
		r := &result.Result{Records: uint64(n), Latency: hist.New()}
		r.Timeline.Tick = 1
		for i := range n {
			ns := []uint64{1e3, 1e9}[min(1, i/10)]
			r.Latency.Add(ns)
			r.Timeline.Cells = append(r.Timeline.Cells,
				result.Cell{N: 1, Sum: float64(ns), Index: uint64(hist.Index(ns)), Rows: []uint64{1}})
		}
		share, effective := Beyond(r, 1e6)
		require.InDelta(t, float64(n-10)/float64(n), share, 1e-12)
		require.Equal(t, independent, effective == float64(n), n)
	}
}
