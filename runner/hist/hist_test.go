package hist_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/runner/hist"
)

var random = rand.New(rand.NewPCG(1, 2))

var shapes = map[string]func() float64{
	"constant":   func() float64 { return 12345 },
	"uniform":    func() float64 { return 1e9 * random.Float64() },
	"log-normal": func() float64 { return 1e6 * math.Exp(random.NormFloat64()) },
	"pareto":     func() float64 { return 1e4 / (1 - random.Float64()) },
	"bimodal": func() float64 {
		if random.IntN(2) == 0 {
			return 1e5 * (1 + 0.01*random.NormFloat64())
		}
		return 5e7 * (1 + 0.01*random.NormFloat64())
	},
}

func sample(draw func() float64) (sorted []uint64, h hist.Histogram) {
	h = hist.New()
	for range 20000 {
		v := uint64(draw())
		sorted = append(sorted, v)
		h.Add(v)
	}
	slices.Sort(sorted)
	return sorted, h
}

// TestRanks: the values of few latencies, of a rank and of a share.
func TestRanks(t *testing.T) {
	h := hist.New()
	require.Zero(t, h.Rank(1))
	require.Zero(t, h.Quantile(0.5))
	h.Add(10)
	h.AddAt(hist.Index(20))
	h.AddN(4096, 3)
	for k, want := range map[uint64]float64{0: 10, 1: 10, 2: 20, 3: 4097.5, 5: 4097.5, 1000: 4097.5} {
		require.Equal(t, want, h.Rank(k), k)
	}
	for q, want := range map[float64]float64{0: 10, 0.2: 10, 0.2001: 20, 0.4: 20, 0.401: 4097.5, 1: 4097.5} {
		require.Equal(t, want, h.Quantile(q), q)
	}
}

func TestQuantilesAgreeWithSortedValues(t *testing.T) {
	for name, draw := range shapes {
		t.Run(name, func(t *testing.T) {
			sorted, h := sample(draw)
			require.EqualValues(t, len(sorted), h.Total())
			for _, q := range []float64{0.0001, 0.01, 0.5, 0.9, 0.99, 0.999, 0.9999, 1} {
				exact := float64(sorted[int(math.Ceil(q*float64(len(sorted))-1e-6))-1])
				require.InEpsilon(t, exact+1, h.Quantile(q)+1, 0.001, "%s %v", name, q)
			}
		})
	}
}

func TestBucketsTileTheNumbers(t *testing.T) {
	_, next := hist.Bounds(0)
	for i := 1; i < hist.Buckets; i++ {
		low, high := hist.Bounds(i)
		require.Equal(t, next, low)
		require.Equal(t, i, hist.Index(low))
		require.Equal(t, i, hist.Index(high-1))
		require.LessOrEqual(t, float64(high-low-1), 0.001*float64(low), "bucket %d is too wide", i)
		next = high
	}
	require.Equal(t, hist.Buckets-1, hist.Index(math.MaxUint64))
}

func TestRowsTileTheNumbers(t *testing.T) {
	require.Equal(t, 0, hist.Row(0))
	for i := range hist.Rows {
		low, high := hist.RowBounds(i)
		require.Equal(t, i, hist.Row(low))
		if i < hist.Rows-1 {
			require.Equal(t, i, hist.Row(high-1))
			require.Equal(t, i+1, hist.Row(high))
		}
		for low%10 == 0 {
			low /= 10
		}
		require.Contains(t, []uint64{1, 2, 5}, low)
	}
	require.Equal(t, hist.Rows-1, hist.Row(math.MaxUint64))
}

func TestMemoryDoesNotDependOnValues(t *testing.T) {
	h := hist.New()
	require.Less(t, hist.Buckets*8, 8<<20)
	require.Zero(t, testing.AllocsPerRun(1000, func() { h.Add(random.Uint64()) }))
	if n := nightly.Pick(0, uint64(1e8), uint64(1e9)); n > 0 {
		h = hist.New()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for i := range n {
			h.Add(i)
		}
		runtime.ReadMemStats(&after)
		require.Equal(t, n, h.Total())
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20))
		require.InEpsilon(t, n/2, h.Quantile(0.5), 0.001)
	}
	h = hist.New()
	h.AddN(1000, 1e9)
	h.AddN(2000, 1e9)
	require.InDelta(t, 1000, h.Quantile(0.5), 1)
	require.InDelta(t, 2000, h.Quantile(0.51), 1)
	require.EqualValues(t, uint64(2e9), h.Total())
}

func TestMergedHistogramEqualsHistogramOfAll(t *testing.T) {
	a, b, all := hist.New(), hist.New(), hist.New()
	for i := range 1000 {
		v := random.Uint64() >> 30
		all.Add(v)
		[]hist.Histogram{a, b}[i%2].Add(v)
	}
	a.Merge(b)
	a.Merge(hist.Histogram{})
	require.Equal(t, all, a)
}

// TestFocusOfTwoValues: two values in one bucket of a Histogram are told apart, also if the first
// 64 durations are nearly equal and all the others far from them for their spread.
func TestFocusOfTwoValues(t *testing.T) {
	for range nightly.Pick(200, 1000, 5000) {
		low, high := hist.Bounds(hist.Buckets/2 + random.IntN(hist.Buckets/2-1))
		one, other := low+random.Uint64N(high-low), low+random.Uint64N(high-low)
		h, f, want := hist.New(), hist.NewFocus(), map[uint64]uint64{}
		for i := range 200 {
			ns := one
			if i >= 64 && i%2 == 0 {
				ns = other
			}
			h.Add(ns)
			f.Add(ns)
			want[ns]++
		}
		h.BucketsIn(f.Fine(), func(from, till, n uint64) {
			require.LessOrEqual(t, till-from, max(1, (high-low)>>11))
			for ns := range want {
				if from <= ns && ns < till {
					n -= want[ns]
					delete(want, ns)
				}
			}
			require.Zero(t, n)
		})
		require.Empty(t, want)
	}
}

func FuzzHistogramJSON(f *testing.F) {
	for _, draw := range shapes {
		_, h := sample(draw)
		b, err := json.Marshal(h)
		require.NoError(f, err)
		f.Add(b)
	}
	for _, bad := range []string{`[[2,1],[1,1]]`, `[[1,0]]`, `[[1]]`, `[[99999,1]]`} {
		f.Add([]byte(bad))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		h := hist.New()
		if err := json.Unmarshal(b, &h); err != nil {
			return
		}
		again, err := json.Marshal(h)
		require.NoError(t, err)
		g := hist.New()
		require.NoError(t, json.Unmarshal(again, &g))
		require.Equal(t, h.Total(), g.Total())
		require.Equal(t, h.Quantile(0.5), g.Quantile(0.5))
	})
}

func TestHistogramJSONIsStrict(t *testing.T) {
	for bad, want := range map[string]string{
		"[[1]]": "pair 0 has 1 numbers", "[[1,2],[2,3,4]]": "pair 1 has 3 numbers",
		"[[1,2],[1,2]]": "pair 1 has index 1, outside [2, 35840)", "[[35840,1]]": "index 35840",
		"[[1,0]]": "pair 0 has count 0", "[[1,18446744073709551615],[2,1]]": "pair 1 has count 1",
		"{}": "cannot unmarshal", "[[-1,1]]": "cannot unmarshal",
	} {
		t.Run(bad, func(t *testing.T) {
			h := hist.New()
			err := h.UnmarshalJSON([]byte(bad))
			require.ErrorIs(t, err, hist.ErrBuckets)
			require.ErrorContains(t, err, want)
			require.Zero(t, h.Total())
		})
	}
	for _, good := range []string{"[]", "[[7,3],[9,1]]", "[[0,1],[35839,18446744073709551614]]"} {
		var h hist.Histogram
		require.NoError(t, json.Unmarshal([]byte(good), &h))
		b, err := json.Marshal(h)
		require.NoError(t, err)
		require.Equal(t, good, string(b))
	}
}
