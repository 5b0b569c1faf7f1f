package result

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/hist"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

// generated are results of generators that differ in every field.
func generated() (rs []*Result) {
	begun := time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)
	for i := range 3 {
		random := rand.New(rand.NewPCG(uint64(i), 1))
		sum, now := NewSum(time.Millisecond), time.Duration(0)
		for range 2000 + 300*i {
			took := time.Duration(1e6 * float64(3+i) * math.Exp(0.4*random.NormFloat64()))
			now += took
			sum.Response.Add(took, 1, now, 0)
			sum.Done++
		}
		r := &Result{
			Version: Version,
			Config: Config{Workers: 2 + i, Batch: 1, Ops: int64(sum.Done),
				Duration: time.Duration(4+i) * time.Second},
			Elapsed: now,
		}
		r.Take(sum)
		r.Begun = begun.Add([]time.Duration{700, 0, 300}[i] * time.Millisecond)
		r.Started = r.Begun.Add(-time.Second)
		r.Failed, r.Abandoned, r.Inputs = uint64(10*i+1), i+1, 100+i
		r.Errors = map[string]uint64{"all": 1}
		if i > 0 {
			r.Errors[fmt.Sprint("of ", i)] = uint64(10 * i)
		}
		r.Stack, r.Dump = []string{"", "one", "two"}[i], []string{"", "dump one", "dump two"}[i]
		r.Interrupted, r.End = i > 0, []string{EndTime, EndDeadline, EndFailing}[i]
		k := time.Duration(i + 1)
		n := float64(i + 1)
		r.WarmUp = WarmUp{Took: (5 - k) * time.Second, Operations: uint64(100 * k), Wanted: i == 0,
			Steady: i != 1}
		r.Clock = Clock{Step: 10 * k, Record: 1000 - 10*k}
		r.Control = Control{N: []int{0, 30, 31}[i], Median: 1e4 * n, Spread: 0.01 * n, Disturbed: 0.001}
		r.Looks, r.Confidence = 7-i, []float64{0.95, 0.99, 0.97}[i]
		r.Usage = Usage{
			BytesPerOp: 100 * n, AllocsPerOp: 2 * n, CPUPerOp: 1e5 * n, GCCycles: uint64(3 * k),
			GCShare: 0.01 * n, AssistShare: 0.09 / n,
			GCPauses: 1000 * k, GCPauseMax: 500 - k, HeapBytes: uint64(1e6 * k), MutexWait: 7000 * k,
			SchedP50: 100 + k, SchedP99: 90000 - k,
			Scheduled: uint64(400 * k), Goroutines: uint64(30 * k), ProcessorUse: 0.2 * n,
		}
		rs = append(rs, r)
	}
	return rs
}

// TestMergeAtItsBorders has windows that overlap by just enough or a little less, and
// results that differ in one property.
func TestMergeAtItsBorders(t *testing.T) {
	pair := func(change func(a, b *Result)) error {
		rs := generated()
		a, b := rs[0], rs[1]
		a.Elapsed, b.Elapsed, b.Begun = 5*time.Second, 4*time.Second, a.Begun
		change(a, b)
		first, second := mergeable(a, b), mergeable(b, a)
		require.Equal(t, first == nil, second == nil)
		return first
	}
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
		"inside": {func(a, b *Result) {
			b.Begun, b.Elapsed = a.Begun.Add(time.Second), time.Second
		}, ""},
		"closed": {func(a, b *Result) {
			a.Open = &Open{}
		}, "one is of a closed loop, another of an open loop"},
		"both open": {func(a, b *Result) { a.Open, b.Open = &Open{}, &Open{} }, ""},
		"parts": {func(a, b *Result) {
			b.Parts = []Part{{Name: "x"}}
		}, `different operations: [] and ["x"]`},
		"last part": {func(a, b *Result) {
			a.Parts, b.Parts = []Part{{Name: "x"}, {Name: "y"}}, []Part{{Name: "x"}, {Name: "z"}}
		}, `["x" "y"] and ["x" "z"]`},
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
		"of no windows": {func(a, b *Result) { a.Elapsed, b.Elapsed = 0, 0 }, ""},
		"a plan and not": {func(a, b *Result) {
			b.Latency, b.Config.Plan = a.Latency, &schedule.Plan{Generator: 2}
		}, ""},
	} {
		err := pair(c.change)
		if c.text == "" {
			require.NoError(t, err, name)
			continue
		}
		require.ErrorIs(t, err, ErrMerge, name)
		require.ErrorContains(t, err, c.text, name)
	}
	var nine []*Result
	for i := range 9 {
		r := *generated()[0]
		r.Begun = r.Begun.Add(time.Duration(i))
		nine = append(nine, &r)
	}
	all, err := Merge(nine...)
	require.NoError(t, err)
	require.Equal(t, []uint64{18, 9 * nine[0].Done, 9 * nine[0].Records, 9},
		[]uint64{uint64(all.Config.Workers), all.Done, all.Records, all.Failed})
	_, err = Merge()
	require.ErrorIs(t, err, ErrMerge)
	rs := generated()
	rs[2].Begun = rs[0].Begun.Add(time.Hour)
	_, err = Merge(rs...)
	require.ErrorIs(t, err, ErrMerge, "the last and the first")
	rs[2].Begun, rs[1].Begun = rs[0].Begun, rs[0].Begun.Add(time.Hour)
	_, err = Merge(rs...)
	require.ErrorIs(t, err, ErrMerge)
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
	o := merged(rs).Open
	require.InDelta(t, 2e6, o.ServiceMean, 1)
	require.InEpsilon(t, 1e6, o.ServiceStdDev, 1e-3)
	require.InDelta(t, 2.5e3, o.ServiceStdErr, 1)
	require.Equal(t, [2]time.Duration{time.Second / 2, time.Hour}, [2]time.Duration{o.LagMean, o.LagMax})
	require.Equal(t, []Company{{N: 2, Others: 12, Sum: 10}}, o.Crowd,
		"each knows its own operations in progress")
	require.Equal(t, []int64{2, 4}, o.Present)
}
