package judge

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/hist"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

// TestLawsAtTheirBorders breaks each law by the least amount, and keeps it at its
// border.
func TestLawsAtTheirBorders(t *testing.T) {
	lawful := func() *result.Result {
		r := shapes[6].run(t)
		r.Config.Batch = 1
		return r
	}
	require.NoError(t, Check(lawful()))
	last := func(r *result.Result) *result.Cell { return &r.Timeline.Cells[len(r.Timeline.Cells)-1] }
	for name, c := range map[string]struct {
		law     string
		change  func(r *result.Result)
		allowed func(r *result.Result)
	}{
		"workers": {"at least one worker", func(r *result.Result) { r.Config.Workers = 0 }, nil},
		"batch":   {"at least one worker", func(r *result.Result) { r.Config.Batch = 0 }, nil},
		"elapsed": {"at least one worker", func(r *result.Result) { r.Elapsed = -1 }, nil},
		"tick": {"at least one worker", func(r *result.Result) {
			r.Timeline.Tick = 0
		}, func(r *result.Result) { r.Timeline.Tick = 1 }},
		"plan":    {"open loop has a plan", func(r *result.Result) { r.Config.Plan = &schedule.Plan{} }, nil},
		"service": {"open loop has a plan", func(r *result.Result) { r.Service = &r.Latency }, nil},
		"open":    {"open loop has a plan", func(r *result.Result) { r.Open = &result.Open{} }, nil},
		"no time": {"open loop has a plan", func(r *result.Result) {
			r.Open, r.Config.Plan = &result.Open{}, &schedule.Plan{}
		}, func(r *result.Result) { open(r, result.Open{ServiceMean: r.Moments.Mean}) }},
		"ticks": {"limits of ticks", func(r *result.Result) {
			r.Timeline.Cells = append(r.Timeline.Cells,
				make([]result.Cell, result.MaxCells+1-len(r.Timeline.Cells))...)
		}, func(r *result.Result) {
			r.Timeline.Cells = append(r.Timeline.Cells,
				make([]result.Cell, result.MaxCells-len(r.Timeline.Cells))...)
		}},
		"rows": {"limits of ticks", func(r *result.Result) {
			last(r).Rows = make([]uint64, hist.Rows+1)
		}, func(r *result.Result) { last(r).Rows = make([]uint64, hist.Rows) }},
		"total": {"counts of the latency buckets", func(r *result.Result) { r.Latency.Add(3e6) }, nil},
		"records": {"one latency", func(r *result.Result) { r.Done++ }, func(r *result.Result) {
			r.Done++
			r.Weighted++
			last(r).Ops++
			r.Config.Batch = 2
		}},
		"fewer": {"one latency", func(r *result.Result) {
			r.Done--
			r.Config.Batch = 2
		}, func(r *result.Result) { r.Config.Batch = 2 }},
		"below": {"mean lies", func(r *result.Result) {
			r.Moments.Mean = r.Moments.Min*(1-1e-6) - 1e-3
		}, nil},
		"above": {"mean lies", func(r *result.Result) {
			r.Moments.Mean = r.Moments.Max*(1+1.1e-6) + 1e-3
		}, nil},
		"least": {"ends of the histogram", func(r *result.Result) {
			r.Moments.Min *= 0.99
		}, func(r *result.Result) { r.Moments.Min -= 400 }},
		"greatest": {"ends of the histogram", func(r *result.Result) {
			r.Moments.Max *= 1.01
		}, func(r *result.Result) { r.Moments.Max += 400 }},
		"busy": {"no longer than the window", func(r *result.Result) {
			r.Busy = time.Duration(16e9*(1+1e-6)) + 100
		}, nil},
		"little": {"number of busy workers", func(r *result.Result) {
			r.Busy = time.Duration(r.Moments.Mean*float64(r.Records) - 2.1*r.Moments.Max)
		}, func(r *result.Result) {
			r.Busy = time.Duration(r.Moments.Mean*float64(r.Records) - 1.9*r.Moments.Max)
		}},
		"weighted": {"across its end", func(r *result.Result) {
			r.Weighted = float64(r.Done) * 1.00001
		}, nil},
		"cut": {"across its end", func(r *result.Result) {
			r.Weighted = float64(r.Done) - 2.1
		}, nil},
		"messages": {"one message", func(r *result.Result) {
			r.Failed = 3
			r.Errors = map[string]uint64{"a": 1, "b": 1}
		}, func(r *result.Result) { r.Failed = 3; r.Errors = map[string]uint64{"a": 1, "b": 2} }},
		"cells": {"ticks sum", func(r *result.Result) { last(r).Ops += 0.1 }, func(r *result.Result) {
			last(r).Ops += 0.0009
		}},
		"counts":  {"ticks sum", func(r *result.Result) { last(r).N++ }, nil},
		"version": {"version 2, want 1", func(r *result.Result) { r.Version = 2 }, nil},
		"one of a mix": {"one result", func(r *result.Result) {
			r.Parts = []result.Part{{Name: "x"}}
		}, func(r *result.Result) { part := *r; r.Parts = []result.Part{{Name: "x", Result: &part}} }},
		"mix of a mix": {"one result", func(r *result.Result) {
			part := *r
			part.Parts = []result.Part{{}}
			r.Parts = []result.Part{{Name: "x", Result: &part}}
		}, nil},
		"part": {"x: result breaks a law: there is", func(r *result.Result) {
			part := *r
			part.Elapsed = -1
			r.Parts = []result.Part{{Name: "x", Result: &part}}
		}, nil},
		"twice": {"sum to the whole", func(r *result.Result) {
			part := *r
			r.Parts = []result.Part{{Result: &part}, {Result: &part}}
		}, nil},
		"part done": {"sum to the whole", func(r *result.Result) {
			part := *r
			r.Config.Batch, r.Done = 2, r.Done+1
			r.Parts = []result.Part{{Result: &part}}
		}, nil},
		"part failed": {"sum to the whole", func(r *result.Result) {
			part := *r
			r.Failed = 1
			r.Errors = map[string]uint64{"a": 1}
			r.Parts = []result.Part{{Result: &part}}
		}, nil},
	} {
		r := lawful()
		c.change(r)
		err := Check(r)
		require.ErrorIs(t, err, ErrLaw, name)
		require.ErrorContains(t, err, c.law, name)
		if c.allowed != nil {
			r = lawful()
			c.allowed(r)
			require.NoError(t, Check(r), name)
		}
	}
	none := &result.Result{Version: result.Version, Config: result.Config{Workers: 1, Batch: 1},
		Latency: hist.New(), Moments: result.Moments{Min: 5}}
	none.Timeline.Tick = 1
	require.NoError(t, Check(none))
	require.True(t, inBucketOf(5, 1<<44))
	require.False(t, inBucketOf(5, 1<<43))
	require.True(t, inBucketOf(1001, 1000))
	require.False(t, inBucketOf(1002.1, 1000))
	require.True(t, inBucketOf(1001.9, 1000))
	require.False(t, inBucketOf(997.9, 1000))
	batched := lawful()
	batched.Config.Batch, batched.Busy = 2, 0
	require.True(t, littlesLaw(batched))
	batched.Config.Batch = 1
	require.False(t, littlesLaw(batched))
}
