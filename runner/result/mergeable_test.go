package result // mergeable and merged are private: each fault of two results is tested alone

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/hist"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

// pair returns results of two generators that began together, with other latencies.
func pair() (a, b *Result) {
	rs := make([]*Result, 2)
	for i := range rs {
		sum := NewSum(time.Millisecond)
		sum.Response.Add(time.Duration(3+i)*time.Millisecond, 1, time.Second, 0)
		rs[i] = &Result{
			Version: Version, Config: Config{Workers: 2, Batch: 1},
			Elapsed: time.Duration(5-i) * time.Second, Begun: time.Date(2026, 5, 6, 7, 8, 9, 7e8, time.UTC),
		}
		rs[i].Take(sum)
	}
	return rs[0], rs[1]
}

// TestWhatCanBeMerged has windows that overlap by just enough or a little less, and
// results that differ in one property.
func TestWhatCanBeMerged(t *testing.T) {
	for name, c := range map[string]struct {
		change func(a, b *Result)
		text   string
	}{
		"together": {func(a, b *Result) {}, ""},
		"half":     {func(a, b *Result) { b.Begun = a.Begun.Add(3 * time.Second) }, ""},
		"less": {func(a, b *Result) {
			b.Begun = a.Begun.Add(3*time.Second + 1)
		}, "did not run at the same time, but at "},
		"half before": {func(a, b *Result) { b.Begun = a.Begun.Add(-2 * time.Second) }, ""},
		"less before": {func(a, b *Result) {
			b.Begun = a.Begun.Add(-2*time.Second - 1)
		}, "did not run at the same time"},
		"apart": {func(a, b *Result) {
			b.Begun = a.Begun.Add(time.Hour)
		}, "did not run at the same time"},
		"closed": {func(a, b *Result) {
			a.Open = &Open{}
		}, "one is of a closed loop, another of an open loop"},
		"parts": {func(a, b *Result) {
			b.Parts = []Part{{Name: "x"}}
		}, `different operations: [] and ["x"]`},
		"equal parts": {func(a, b *Result) {
			a.Parts, b.Parts = []Part{{Name: "x"}}, []Part{{Name: "x"}}
		}, ""},
		"batches": {func(a, b *Result) { b.Config.Batch = 3 }, "latencies of 1 and of 3 operations"},
		"twice": {func(a, b *Result) {
			b.Latency = a.Latency
		}, "present twice, begun 2026-05-06T07:08:09.7Z"},
		"other start":  {func(a, b *Result) { b.Latency, b.Begun = a.Latency, b.Begun.Add(1) }, ""},
		"no latencies": {func(a, b *Result) { b.Latency, a.Records, b.Records = a.Latency, 0, 0 }, ""},
		"generators": {func(a, b *Result) {
			b.Latency, a.Config.Plan, b.Config.Plan = a.Latency, &schedule.Plan{Generator: 1},
				&schedule.Plan{Generator: 2}
		}, ""},
		"one generator": {func(a, b *Result) {
			b.Latency, a.Config.Plan, b.Config.Plan = a.Latency, &schedule.Plan{Generator: 2},
				&schedule.Plan{Generator: 2}
		}, "present twice"},
	} {
		t.Run(name, func(t *testing.T) {
			a, b := pair()
			c.change(a, b)
			err := mergeable(a, b)
			require.Equal(t, err == nil, mergeable(b, a) == nil, "in either order")
			if c.text == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, ErrMerge)
			require.ErrorContains(t, err, c.text)
		})
	}
	_, err := Merge()
	require.ErrorIs(t, err, ErrMerge)
	first, second := pair()
	third := *first
	third.Begun = first.Begun.Add(time.Hour)
	_, err = Merge(first, second, &third)
	require.ErrorIs(t, err, ErrMerge, "the last and the first")
}

// TestMergedServicesKeepTheirSpread merges a generator with services of 1 ms and
// one with services of 3 ms.
func TestMergedServicesKeepTheirSpread(t *testing.T) {
	var rs []*Result
	for i := range 2 {
		rs = append(rs, &Result{
			Records: 1000, Latency: hist.New(), Service: new(hist.New()),
			Config: Config{Plan: &schedule.Plan{Rate: 1}},
			Open: &Open{
				ServiceMean: float64(1+2*i) * 1e6, ServiceStdErr: float64(3+i) * 1e3,
				LagMean: time.Duration(i) * time.Second, LagMax: time.Hour,
				Crowd: []Company{{N: 1, Others: 3, Sum: 5}}, Present: []int64{1, 2},
			},
		})
	}
	m := merged(rs)
	require.Zero(t, m.Usage, "no operation has a cost")
	o := m.Open
	require.InDelta(t, 2e6, o.ServiceMean, 1)
	require.InEpsilon(t, 1e6, o.ServiceStdDev, 1e-3)
	require.InDelta(t, 2.5e3, o.ServiceStdErr, 1)
	require.Equal(t, [2]time.Duration{time.Second / 2, time.Hour}, [2]time.Duration{o.LagMean, o.LagMax})
	require.Equal(t, []Company{{N: 2, Others: 12, Sum: 10}}, o.Crowd,
		"each knows its own operations in progress")
	require.Equal(t, []int64{2, 4}, o.Present)
}
