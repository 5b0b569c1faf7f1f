package result // Tally.merge and narrow bins are private: a merged result keeps no bins

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/runner/hist"
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
	var open Open
	open.Service(&all)
	require.InEpsilon(t, a.StdDev/math.Sqrt(n), open.ServiceStdErr, 0.2, "times are independent")
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

// TestTimelineShares: an operation counts in each tick by its share, and a full timeline has ticks
// of twice the length.
func TestTimelineShares(t *testing.T) {
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
	full := NewTimeline(1)
	full.At(127).N = 1
	require.Len(t, full.Cells, 128)
	full.At(128).N = 1
	require.Len(t, full.Cells, 65)
	require.EqualValues(t, 2, full.Tick)
	odd, wide := NewTimeline(1), NewTimeline(2)
	odd.At(2).N, wide.At(0).N = 1, 1
	odd.Merge(&wide, 0)
	require.Len(t, odd.Cells, 2, "three ticks become two")
	require.Equal(t, []uint64{1, 1}, []uint64{odd.Cells[0].N, odd.Cells[1].N})
	rare := NewTimeline(1)
	for _, ns := range append(slices.Repeat([]uint64{1e6}, 100), math.MaxUint64) {
		rare.add(0, ns, float64(ns), hist.Index(ns))
	}
	require.EqualValues(t, 1, rare.Cells[0].Far[hist.Rows-1], "the last row has all that are longer")
}

// TestNarrowBinsReachLaterLatencies: bins around 10 ms reach many later latencies below or above them, and
// are not much wider than necessary.
func TestNarrowBinsReachLaterLatencies(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	for _, later := range []uint64{9e6, 11e6} {
		line := NewTimeline(time.Second)
		for i := range time.Duration(1200) {
			ns := later
			if i < 1000 {
				ns = 1e7 + random.Uint64N(1e5)
			}
			line.add(min(i, 1000)*10*time.Millisecond, ns, float64(ns), hist.Index(ns))
		}
		line.trim()
		position := func(ns uint64) uint64 { return hist.Position(ns, hist.Index(ns)) }
		span := position(max(later, 1e7+1e5)) - position(min(later, 1e7))
		require.LessOrEqual(t, uint64(narrowBins)<<line.Shift, 4*span, "at most four times: bins double")
		near := uint64(0)
		for _, c := range line.Cells {
			for _, bin := range c.Near {
				near += bin[1]
			}
		}
		require.InDelta(t, 1200, near, 1000/mostOutside+1)
		read := NewTimeline(time.Second)
		read.Merge(&line, 0)
		read.trim()
		require.Equal(t, line, read, "a timeline of a file keeps its bins")
	}
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

// TestMostErrors: the most frequent messages are kept, and the others are counted together.
func TestMostErrors(t *testing.T) {
	all := map[string]uint64{OtherErrors: 5}
	for i := range 23 {
		all[fmt.Sprintf("message %02d", i)] = uint64(i + 1)
	}
	kept := MostErrors(all)
	require.Len(t, kept, MaxErrors+1)
	require.EqualValues(t, 5+1+2+3, kept[OtherErrors])
	require.EqualValues(t, 4, kept["message 03"])
	frequent := Result{Errors: map[string]uint64{"c": 1, "a": 1, "b": 2}}
	require.Equal(t, []string{"b", "a", "c"}, frequent.Messages())
}

// TestCompanies: 32 counts are exact; each double range has 16 classes.
func TestCompanies(t *testing.T) {
	for others, want := range map[int]int{0: 0, 31: 31, 32: 32, 33: 32, 34: 33, 63: 47, 64: 48, 67: 48,
		68: 49, 4095: 143, 4096: 144, 1 << 20: 159} {
		require.Equal(t, want, CompanyOf(others), others)
	}
}
