package judge_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/hist"
	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

// lawful is a result that keeps all laws.
func lawful(t *testing.T) *result.Result {
	t.Helper()
	r := lognormal(t)
	r.Config.Batch = 1
	return r
}

func last(r *result.Result) *result.Cell { return &r.Timeline.Cells[len(r.Timeline.Cells)-1] }

// ticks adds cells up to a number.
func ticks(r *result.Result, n int) {
	r.Timeline.Cells = append(r.Timeline.Cells, make([]result.Cell, n-len(r.Timeline.Cells))...)
}

// parts makes r a mix of operations with equal results.
func parts(r *result.Result, n int, change func(part *result.Result)) {
	part := *r
	change(&part)
	r.Parts = slices.Repeat([]result.Part{{Name: "x", Result: &part}}, n)
}

// TestBrokenLaws breaks each law, by the least amount where it has a tolerance.
func TestBrokenLaws(t *testing.T) {
	for law, breaks := range map[string][]func(r *result.Result){
		"at least one worker": {func(r *result.Result) { r.Config.Workers = 0 },
			func(r *result.Result) { r.Config.Batch = 0 }, func(r *result.Result) { r.Elapsed = -1 },
			func(r *result.Result) { r.Timeline.Tick = 0 }},
		"open loop has a plan": {func(r *result.Result) { r.Config.Plan = &schedule.Plan{} },
			func(r *result.Result) { r.Service = &r.Latency },
			func(r *result.Result) { r.Open = &result.Open{} },
			func(r *result.Result) { r.Open, r.Config.Plan = &result.Open{}, &schedule.Plan{} }},
		"limits of ticks": {func(r *result.Result) { ticks(r, result.MaxCells+1) },
			func(r *result.Result) { last(r).Rows = make([]uint64, hist.Rows+1) }},
		"counts of the latency buckets": {func(r *result.Result) { r.Latency.Add(3e6) },
			func(r *result.Result) { r.Records-- }},
		"one latency": {func(r *result.Result) { r.Done++ },
			func(r *result.Result) { r.Done, r.Config.Batch = r.Done-1, 2 }},
		"mean lies": {func(r *result.Result) { r.Moments.Mean = r.Moments.Min*(1-1e-6) - 1e-3 },
			func(r *result.Result) { r.Moments.Mean = r.Moments.Max*(1+1.1e-6) + 1e-3 }},
		"ends of the histogram": {func(r *result.Result) { r.Moments.Min *= 0.99 },
			func(r *result.Result) { r.Moments.Max *= 1.01 }},
		"no longer than the window": {func(r *result.Result) {
			r.Busy = time.Duration(16e9*(1+1e-6)) + 100
		}},
		"number of busy workers": {func(r *result.Result) {
			r.Busy = time.Duration(r.Moments.Mean*float64(r.Records) - 2.1*r.Moments.Max)
		}},
		"across its end": {func(r *result.Result) { r.Weighted = float64(r.Done) * 1.00001 },
			func(r *result.Result) { r.Weighted = float64(r.Done) - 2.1 }},
		"one message": {func(r *result.Result) {
			r.Failed, r.Errors = 3, map[string]uint64{"a": 1, "b": 1}
		}},
		"ticks sum": {func(r *result.Result) { last(r).Ops += 0.1 },
			func(r *result.Result) { last(r).N++ }},
		"version 2, want 1": {func(r *result.Result) { r.Version = 2 }},
		"one result": {func(r *result.Result) { r.Parts = []result.Part{{Name: "x"}} },
			func(r *result.Result) {
				parts(r, 1, func(part *result.Result) { part.Parts = []result.Part{{}} })
			}},
		"x: result breaks a law: there is": {func(r *result.Result) {
			parts(r, 1, func(part *result.Result) { part.Elapsed = -1 })
		}},
		"sum to the whole": {func(r *result.Result) { parts(r, 2, func(*result.Result) {}) },
			func(r *result.Result) {
				parts(r, 1, func(*result.Result) {})
				r.Config.Batch, r.Done = 2, r.Done+1
			}, func(r *result.Result) {
				parts(r, 1, func(*result.Result) {})
				r.Failed, r.Errors = 1, map[string]uint64{"a": 1}
			}},
	} {
		t.Run(law, func(t *testing.T) {
			for i, change := range breaks {
				r := lawful(t)
				change(r)
				require.ErrorIs(t, judge.Check(r), judge.ErrLaw, i)
				require.ErrorContains(t, judge.Check(r), law, i)
			}
		})
	}
}

// TestKeptLaws changes a result within the tolerance of each law.
func TestKeptLaws(t *testing.T) {
	for name, change := range map[string]func(r *result.Result){
		"as it is": func(*result.Result) {},
		"within each tolerance": func(r *result.Result) {
			r.Busy = time.Duration(r.Moments.Mean*float64(r.Records) - 1.9*r.Moments.Max)
			r.Moments.Min -= 400
			r.Moments.Max += 400
			last(r).Ops += 0.0009
			r.Failed, r.Errors = 3, map[string]uint64{"a": 1, "b": 2}
		},
		"batches": func(r *result.Result) {
			r.Config.Batch, r.Busy = 2, 0
			r.Done++
			r.Weighted++
			last(r).Ops++
		},
		"an open loop": func(r *result.Result) { open(r, result.Open{ServiceMean: r.Moments.Mean}) },
		"as many ticks as fit": func(r *result.Result) {
			last(r).Rows = make([]uint64, hist.Rows)
			ticks(r, result.MaxCells)
		},
		"one part": func(r *result.Result) { parts(r, 1, func(*result.Result) {}) },
	} {
		t.Run(name, func(t *testing.T) {
			r := lawful(t)
			change(r)
			require.NoError(t, judge.Check(r))
		})
	}
	none := &result.Result{Version: result.Version, Config: result.Config{Workers: 1, Batch: 1},
		Latency: hist.New(), Moments: result.Moments{Min: 5}}
	none.Timeline.Tick = 1
	require.NoError(t, judge.Check(none))
	long := replay(t, result.Config{Workers: 1, Ops: 1}, func(int, time.Duration) time.Duration {
		return 3 << 43 // the last bucket has no end
	})
	long.Moments.Max = 1 << 43
	require.ErrorContains(t, judge.Check(long), "mean lies")
}
