package result

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestTimelinesExactly folds, merges, shares and trims.
func TestTimelinesExactly(t *testing.T) {
	line := NewTimeline(10)
	line.Spread(5, 35, 3)
	line.add(12, 3, 3.5, 7)
	require.Len(t, line.Cells, 4)
	for i, ops := range []float64{0.5, 1, 1, 0.5} {
		require.InDelta(t, ops, line.Cells[i].Ops, 1e-12)
	}
	line.Spread(31, 39, 2)
	require.InDelta(t, 2.5, line.Cells[3].Ops, 1e-12)
	line.At(0).Bad = 3
	require.InDelta(t, 3, line.EndedBy(10), 1e-12)
	require.InDelta(t, 1.5, line.EndedBy(5), 1e-12)
	require.InDelta(t, 3.5, line.EndedBy(15), 1e-12)
	require.InDelta(t, 4, line.EndedBy(1000), 1e-12)
	odd := NewTimeline(10)
	for i := range 5 {
		odd.add(time.Duration(10*i), uint64(i), float64(i), i)
		odd.At(time.Duration(10*i)).Ops, odd.At(time.Duration(10*i)).Bad = float64(i), uint64(i)
	}
	odd.fold()
	require.Equal(t, 20*time.Nanosecond, odd.Tick)
	require.Len(t, odd.Cells, 3)
	for i, want := range []float64{1, 5, 4} {
		c := odd.Cells[i]
		require.Equal(t, []float64{want, want, want, want},
			[]float64{c.Ops, float64(c.Bad), c.Sum, float64(c.Index)})
	}
	require.EqualValues(t, 1, odd.Cells[2].N)
	require.Equal(t, []uint64{0, 0, 0}, odd.Cells[:5][3].Rows[:3], "later ticks begin empty")
	to := NewTimeline(5)
	to.Merge(&odd, 30)
	require.Equal(t, 20*time.Nanosecond, to.Tick)
	require.Len(t, to.Cells, 4)
	require.InDelta(t, 5, to.Cells[2].Ops, 1e-12)
	fine := NewTimeline(5)
	fine.At(17).Ops = 1
	fine.Merge(&odd, 0)
	require.Equal(t, 20*time.Nanosecond, fine.Tick)
	require.InDelta(t, 2, fine.Cells[0].Ops, 1e-12)
	odd.trim()
	require.Equal(t, [][]uint64{{2}, {0, 2, 0}, {0, 1}},
		[][]uint64{odd.Cells[0].Rows, append(odd.Cells[1].Rows, 0), odd.Cells[2].Rows})
	clusters, n := odd.TailFrom(1)
	require.EqualValues(t, 3, n)
	require.EqualValues(t, 2, clusters[1].Sum)
	require.EqualValues(t, 2, clusters[1].N)
	require.Equal(t, []float64{0.5, 2.5, 4}, odd.Means())
	full := NewTimeline(1)
	full.At(127).N = 1
	require.Len(t, full.Cells, 128)
	full.At(128).N = 1
	require.Len(t, full.Cells, 65)
	require.EqualValues(t, 2, full.Tick)
}
