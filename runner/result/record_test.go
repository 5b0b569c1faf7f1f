package result

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

// TestMergedTalliesEqualTallyOfAll distributes random latencies over workers.
func TestMergedTalliesEqualTallyOfAll(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	const n = 3000
	all := NewTally(time.Millisecond)
	parts := []Tally{NewTally(time.Millisecond), NewTally(time.Millisecond), NewTally(time.Millisecond)}
	var values []float64
	for i := range n {
		d := time.Duration(1e6 + 1e5*random.ExpFloat64())
		end := time.Duration(i) * time.Millisecond / 2 * time.Duration(1+i%3)
		all.Add(d, 1, end, 0)
		parts[i%3].Add(d, 1, end, 0)
		values = append(values, float64(d))
	}
	merged := NewTally(time.Millisecond)
	for i := range parts {
		merged.merge(&parts[i])
	}
	a, m := all.Moments(), merged.Moments()
	require.InEpsilon(t, a.Mean, m.Mean, 1e-12)
	require.InEpsilon(t, a.StdDev, m.StdDev, 1e-9)
	require.Equal(t, all.Hist, merged.Hist)
	require.Equal(t, slices.Max(values), m.Max)
	require.Equal(t, slices.Min(values), m.Min)
	for _, line := range []*Timeline{&all.Timeline, &merged.Timeline} { // narrow bins may differ
		narrowed := uint64(0)
		for k := range line.Cells {
			c := &line.Cells[k]
			line.narrow.each(c, func(_, n uint64) { narrowed += n })
			for _, n := range c.Far {
				narrowed += n
			}
			c.near, c.Far = nil, nil
		}
		require.EqualValues(t, n, narrowed)
		line.narrow, line.Cells = narrow{}, slices.Clip(line.Cells)
	}
	require.Equal(t, all.Timeline, merged.Timeline)
	for i := range all.Slow {
		require.Equal(t, all.Slow[i].Latency, merged.Slow[i].Latency)
	}
	sum := 0.0
	for _, v := range values {
		sum += (v - a.Mean) * (v - a.Mean)
	}
	require.InEpsilon(t, math.Sqrt(sum/(n-1)), a.StdDev, 1e-9)
}

func TestTimelineKeepsItsSizeAndItsSums(t *testing.T) {
	line := NewTimeline(time.Millisecond)
	var now time.Duration
	random := rand.New(rand.NewPCG(1, 1))
	const n = 10_000
	for range n {
		d := time.Duration(random.ExpFloat64() * float64(30*time.Millisecond))
		line.Spread(now, now+d+1, 1)
		now += d + 1
		line.add(now, uint64(d), float64(d), 1)
	}
	require.LessOrEqual(t, len(line.Cells), MaxCells)
	require.Greater(t, len(line.Cells), MaxCells/2-1)
	ops, count := 0.0, uint64(0)
	for _, c := range line.Cells {
		ops, count = ops+c.Ops, count+c.N
	}
	require.InDelta(t, n, ops, 1e-6*n)
	require.EqualValues(t, n, count)
}

// TestTalliesOfTwo merges one latency with another, and leaves out empty classes at the end.
func TestTalliesOfTwo(t *testing.T) {
	a, b := NewTally(1), NewTally(1)
	a.Add(10, 1, 10, 0)
	b.Add(12, 1, 12, 0)
	a.merge(&b)
	require.InDelta(t, math.Sqrt2, a.Moments().StdDev, 1e-12)
	require.Equal(t, []Company{{N: 1}}, trimmed([]Company{{N: 1}, {}, {}}))
	require.Empty(t, trimmed([]Company{{}}))
}
