package hist

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBordersOfBuckets are known numbers.
func TestBordersOfBuckets(t *testing.T) {
	for ns, want := range map[uint64]int{0: 0, 1: 1, 1023: 1023, 1024: 1024, 2047: 2047, 2048: 2048,
		2049: 2048, 2050: 2049, 4095: 3071, 4096: 3072, 4099: 3072, 4100: 3073, 1<<44 - 1: Buckets - 1,
		1 << 44: Buckets - 1, math.MaxUint64: Buckets - 1} {
		require.Equal(t, want, Index(ns), ns)
	}
	for i, want := range map[int][2]uint64{0: {0, 1}, 1024: {1024, 1025}, 2047: {2047, 2048},
		2048: {2048, 2050}, 3072: {4096, 4100}, Buckets - 1: {1<<44 - 1<<33, 1 << 44}} {
		low, high := Bounds(i)
		require.Equal(t, want, [2]uint64{low, high}, i)
	}
	for ns, want := range map[uint64]int{0: 0, 1: 0, 2: 1, 4: 1, 5: 2, 9: 2, 10: 3, 19: 3, 20: 4, 999: 8,
		1000: 9, 1e13 - 1: 38, 1e13: 39, math.MaxUint64: 39} {
		require.Equal(t, want, Row(ns), ns)
	}
	low, high := RowBounds(39)
	require.Equal(t, [2]uint64{1e13, 2e13}, [2]uint64{low, high})
	h := New()
	require.Zero(t, h.Rank(1))
	require.Zero(t, h.Quantile(0.5))
	h.Add(10)
	h.AddAt(20)
	h.AddN(4096, 3)
	for k, want := range map[uint64]float64{0: 10, 1: 10, 2: 20, 3: 4097.5, 5: 4097.5, 6: 4097.5,
		1000: 4097.5} {
		require.Equal(t, want, h.Rank(k), k)
	}
	for q, want := range map[float64]float64{0: 10, 0.2: 10, 0.2001: 20, 0.4: 20, 0.401: 4097.5, 1: 4097.5} {
		require.Equal(t, want, h.Quantile(q), q)
	}
	require.EqualValues(t, 5, h.Total())
	other := New()
	other.AddN(20, 2)
	other.Merge(h)
	other.Merge(Histogram{})
	b, err := json.Marshal(other)
	require.NoError(t, err)
	require.Equal(t, "[[10,1],[20,3],[3072,3]]", string(b))
	b, err = json.Marshal(New())
	require.NoError(t, err)
	require.Equal(t, "[]", string(b))
	for text, want := range map[string]string{
		"[[1]]": "pair 0 has 1 numbers", "[[1,2],[2,3,4]]": "pair 1 has 3 numbers",
		"[[1,2],[1,2]]": "pair 1 has index 1, outside [2, 35840)", "[[35840,1]]": "index 35840",
		"[[1,0]]": "pair 0 has count 0", "[[1,18446744073709551615],[2,1]]": "pair 1 has count 1",
		"x": "invalid", "[[-1,1]]": "cannot unmarshal",
	} {
		into := New()
		err := into.UnmarshalJSON([]byte(text))
		require.ErrorIs(t, err, ErrBuckets, text)
		require.ErrorContains(t, err, want, text)
		require.Zero(t, into.Total())
	}
	var into Histogram
	require.NoError(t, json.Unmarshal([]byte("[[0,1],[35839,18446744073709551614]]"), &into))
	require.Equal(t, uint64(math.MaxUint64), into.Total())
}
